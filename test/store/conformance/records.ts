// What every store does with records: the fixture below them, pages, unique values, wipes.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Row } from '../../../src/model.ts';
import type { Tx } from '../../../src/store/store.ts';
import { runs } from '../../support/thorough.ts';
import { apiKey, contact, fixture, ORGANIZATION, type StoreKit, WORLD } from '../setup.ts';

export function describeRecords({ storeWithWorld, inWorld, idsOf, failing }: StoreKit): void {
  it('reads the fixture through what the world wrote, and hides what the world removed', async () => {
    const store = await storeWithWorld();
    await inWorld(store, (tx) => {
      tx.put('contacts', contact('own-1', 1));
      tx.put('contacts', contact('base-2', -2, 'changed'));
      tx.remove('contacts', 'base-3');
    });
    await inWorld(store, (tx) => {
      expect(idsOf(tx)).toEqual(['base-1', 'base-2', 'own-1']);
      expect(tx.get('contacts', 'base-2')?.name).toBe('changed');
      expect(tx.get('contacts', 'base-3')).toBeUndefined();
      expect(tx.count('contacts', 'organization', ORGANIZATION)).toBe(3);
    });
  });

  it('pages in both directions without repeating or leaving out a record while others are added', async () => {
    const store = await storeWithWorld();
    await inWorld(store, (tx) => {
      for (let rank = 1; rank <= 20; rank++) tx.put('contacts', contact(`own-${rank}`, rank));
    });
    const seen: string[] = [];
    let after: number | undefined;
    for (let added = 21; ; added++) {
      const page = await inWorld(store, (tx) => {
        tx.put('contacts', contact(`own-${added}`, added));
        const query = { limit: 4, newestFirst: true, ...(after === undefined ? {} : { after }) };
        return tx.page('contacts', 'organization', ORGANIZATION, query);
      });
      if (page.length === 0) break;
      seen.push(...page.map(({ id }) => id));
      after = page[page.length - 1]?.private.rank;
    }
    const expected = ['base-1', 'base-2', 'base-3', ...Array.from({ length: 21 }, (_, i) => `own-${i + 1}`)];
    expect(seen).toEqual(expected.reverse());
  });

  it('finds a world by a unique value, and forgets it with the row or the world', async () => {
    const store = await storeWithWorld();
    const key = (hash: string): Row<'keys'> => apiKey(`key-${hash}`, hash);
    await inWorld(store, (tx) => {
      tx.put('keys', key('one'));
      tx.put('keys', key('two'));
    });
    expect(await store.locate('keys', 'one')).toEqual({ world: WORLD, id: 'key-one' });
    await failing(store, (tx) => tx.remove('keys', 'key-one'));
    expect(await store.locate('keys', 'one')).toEqual({ world: WORLD, id: 'key-one' });
    await inWorld(store, (tx) => tx.remove('keys', 'key-one'));
    expect(await store.locate('keys', 'one')).toBeUndefined();
    await store.dropWorld(WORLD);
    expect(await store.locate('keys', 'two')).toBeUndefined();
  });

  it('keeps the tables that a wipe is asked to keep', async () => {
    const store = await storeWithWorld();
    await inWorld(store, (tx) => {
      tx.put('contacts', contact('own', 1));
      tx.put('scenario_overlays', { id: 's', source: '', private: { organization_id: ORGANIZATION, rank: 1 } });
      tx.ordinal('contacts');
    });
    await inWorld(store, (tx) => tx.wipe(['scenario_overlays']));
    await inWorld(store, (tx) => {
      expect(idsOf(tx)).toEqual(['base-1', 'base-2', 'base-3']);
      expect(tx.get('scenario_overlays', 's')).toMatchObject({ id: 's' });
      expect(tx.ordinal('contacts')).toBe(1);
    });
  });

  it('behaves as a plain map with sorting would, over any run of changes and failures', async () => {
    const ids = ['base-1', 'base-2', 'base-3', 'a', 'b', 'c', 'd', 'e'];
    const change = fc.record({
      kind: fc.constantFrom('put', 'remove', 'fail-put', 'fail-remove'),
      id: fc.constantFrom(...ids),
      rank: fc.integer({ min: 1, max: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 40 }), async (changes) => {
        const store = await storeWithWorld();
        const model = new Map(fixture.map((row) => [row.id, row.private.rank]));
        for (const { kind, id, rank } of changes) {
          // No two records of a world have one rank.
          const place = model.get(id) ?? rank * 100 + ids.indexOf(id);
          const body = (tx: Tx): void =>
            kind.endsWith('put') ? tx.put('contacts', contact(id, place)) : tx.remove('contacts', id);
          if (kind.startsWith('fail')) await failing(store, body);
          else {
            await inWorld(store, body);
            if (kind === 'put') model.set(id, place);
            else model.delete(id);
          }
        }
        const expected = [...model].sort((a, b) => a[1] - b[1]).map(([id]) => id);
        await inWorld(store, (tx) => {
          expect(idsOf(tx)).toEqual(expected);
          expect(idsOf(tx, true)).toEqual([...expected].reverse());
          expect(tx.count('contacts', 'organization', ORGANIZATION)).toBe(expected.length);
        });
      }),
      { numRuns: runs(30, 200) },
    );
  });
}
