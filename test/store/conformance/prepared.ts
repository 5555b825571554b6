import { expect, it } from 'vitest';
import type { Row } from '../../../src/model.ts';
import type { Prepared, Store, Tx } from '../../../src/store/store.ts';
import { apiKey, appendStep, contact, ring, START, type StoreKit, WORLD } from '../setup.ts';

const key = (id: string): Row<'keys'> => apiKey(id, `hash of ${id}`);

const whole = (store: Store): Prepared => {
  const pieces = store.prepare(WORLD, function* fill(tx: Tx) {
    for (const [index, id] of ['a', 'b'].entries()) {
      tx.put('contacts', contact(id, index + 1));
      yield;
    }
    tx.remove('contacts', 'base-2');
    tx.put('keys', key('prepared'));
    tx.schedule(ring('a'), START + 5);
    appendStep(tx, 'prepared');
  });
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
  }
};

export function describePrepared({ storeWithWorld, inWorld, idsOf, failing }: StoreKit): void {
  it('shows nothing of what is prepared until it takes the place of records, tasks and entries', async () => {
    const store = await storeWithWorld();
    await inWorld(store, (tx) => {
      for (const id of ['old', 'kept']) tx.put(id === 'old' ? 'keys' : 'control_keys', key(id));
      tx.put('contacts', contact('old', 1));
      tx.schedule(ring('old'), START);
      appendStep(tx, 'old');
    });
    const before = await store.dump(WORLD, 0);
    const prepared = whole(store);
    expect(await store.dump(WORLD, 0)).toEqual(before);
    expect(await store.locate('keys', 'hash of prepared')).toBeUndefined();
    await failing(store, (tx) => tx.wipe(['control_keys'], prepared));
    expect(await store.dump(WORLD, 0)).toEqual(before);
    expect(await store.locate('keys', 'hash of old')).toBeDefined();
  });

  it('takes what was prepared in one step, above the fixture, and keeps the tables that are named', async () => {
    const store = await storeWithWorld();
    await inWorld(store, (tx) => {
      for (const id of ['old', 'kept']) tx.put(id === 'old' ? 'keys' : 'control_keys', key(id));
      appendStep(tx, 'old');
    });
    const prepared = whole(store);
    await inWorld(store, (tx) => {
      appendStep(tx, 'meanwhile');
      tx.wipe(['control_keys'], prepared);
      appendStep(tx, 'after');
    });
    const shown = await inWorld(store, (tx) => ({
      contacts: idsOf(tx),
      kept: tx.get('control_keys', 'kept')?.id,
      next: tx.nextTask(),
      steps: tx.journal('steps').entries.map(({ id }) => id),
      inOrder: ['prepared', 'after'].map((id) => tx.history.positionOf('steps', id) ?? 0),
    }));
    expect(shown).toMatchObject({
      contacts: ['base-1', 'base-3', 'a', 'b'],
      kept: 'kept',
      next: { at: START + 5 },
      steps: ['prepared', 'after'],
    });
    expect(shown.inOrder).toEqual([...shown.inOrder].sort((a, b) => a - b));
    expect(await store.locate('keys', 'hash of prepared')).toEqual({ world: WORLD, id: 'prepared' });
    expect(await store.locate('keys', 'hash of old')).toBeUndefined();
    expect(await store.locate('control_keys', 'hash of kept')).toBeDefined();
  });
}
