import { expect, it } from 'vitest';
import type { JournalName } from '../../../src/model.ts';
import { type Commit, NO_EPOCH } from '../../../src/store/store.ts';
import {
  appendedAfter,
  appendStep,
  contact,
  delivery,
  factsOf,
  fail,
  finished,
  ring,
  type StoreKit,
  WORLD,
} from '../setup.ts';

export function describeJournals({ storeWithWorld, inWorld, failing }: StoreKit): void {
  it('tells what its journals got after a position, in order and in its latest form, over a reset too', async () => {
    const store = await storeWithWorld();
    const news = (position: number) =>
      inWorld(store, (tx) => appendedAfter(tx, position).map(({ entry, amended }) => `${entry.id} ${amended}`));
    const before = await inWorld(store, (tx) => tx.history.position);
    await inWorld(store, (tx) => {
      appendStep(tx, 'a');
      appendStep(tx, 'b');
    });
    await failing(store, (tx) => appendStep(tx, 'undone'));
    const between = await inWorld(store, (tx) => tx.history.position);
    await inWorld(store, (tx) => {
      appendStep(tx, 'c');
      const [a] = tx.journal('steps').entries;
      if (a) tx.amend('steps', { ...a, to: 'x' });
    });
    expect(await news(before)).toEqual(['b false', 'c false', 'a true']);
    expect(await news(between)).toEqual(['c false', 'a true']);
    expect(await inWorld(store, (tx) => tx.history.droppedSince('steps', 'a'))).toBe(0);
    const last = await inWorld(store, (tx) => tx.history.position);
    await inWorld(store, (tx) => {
      tx.wipe([]);
      appendStep(tx, 'd');
    });
    expect(await news(last)).toEqual(['d false']);
  });

  it('reads a journal part by part, though its entries move, and go, in between', async () => {
    const store = await storeWithWorld();
    await inWorld(store, (tx) => {
      for (const id of ['a', 'c']) tx.append('deliveries', delivery(id, 'delivered'));
      for (const id of ['b', 'd']) tx.append('deliveries', delivery(id, 'pending'));
      tx.append('deliveries', delivery('e', 'delivered'));
    });
    const places = await inWorld(store, (tx) => tx.history.placesOf('deliveries'));
    expect(places.numbers).toHaveLength(5);
    const parts = () =>
      inWorld(store, (tx) =>
        [0, 2, 4].map((from) => tx.history.entriesAt('deliveries', places, from, from + 2).map(({ id }) => id)),
      );
    expect(await parts()).toEqual([['a', 'c'], ['b', 'd'], ['e']]);
    await inWorld(store, (tx) => tx.amend('deliveries', delivery('b', 'delivered')));
    expect(await parts()).toEqual([['a', 'c'], ['b', 'd'], ['e']]);
    const more = (count: number) =>
      inWorld(store, (tx) => {
        const from = tx.history.position;
        for (let n = 0; n < count; n++) tx.append('deliveries', delivery(`more ${from + n}`, 'delivered'));
      });
    await more(5);
    expect(await parts()).toEqual([['a', 'c'], ['b', 'd'], ['e']]);
    await more(3);
    expect(await parts()).toEqual([[], ['b', 'd'], []]);
  });

  it('reads what it got after a position part by part, without what goes or is amended in between', async () => {
    const store = await storeWithWorld();
    const start = await inWorld(store, (tx) => tx.history.position);
    await inWorld(store, (tx) => {
      for (const id of ['a', 'b']) tx.append('deliveries', delivery(id, 'delivered'));
      appendStep(tx, 's1');
      for (const id of ['c', 'd']) tx.append('deliveries', delivery(id, 'pending'));
      appendStep(tx, 's2');
    });
    const places = await inWorld(store, (tx) => tx.history.placesAfter(start));
    const positions = places.places.flatMap(({ numbers }) => [...numbers]);
    expect(positions.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6].map((n) => start + n));
    expect(places.places.every(({ bytes }) => bytes.every((each) => each > 0))).toBe(true);
    const parts = () =>
      inWorld(store, (tx) =>
        [1, 3, 5].map((n) => tx.history.appendedAt(places, start + n, start + n + 1).map(({ entry }) => entry.id)),
      );
    const steps = await inWorld(store, (tx) => tx.history.placesAfter(start + 3, ['steps', 'inbox']));
    expect(
      await inWorld(store, (tx) => tx.history.appendedAt(steps, 0, start + 9).map(({ entry }) => entry.id)),
    ).toEqual(['s2']);
    expect(await parts()).toEqual([
      ['a', 'b'],
      ['s1', 'c'],
      ['d', 's2'],
    ]);
    await failing(store, (tx) => {
      tx.amend('deliveries', delivery('a', 'failed'));
      tx.amend('deliveries', delivery('d', 'delivered'));
    });
    await inWorld(store, (tx) => tx.amend('deliveries', delivery('c', 'delivered')));
    for (let n = 0; n < 5; n++) await inWorld(store, (tx) => appendStep(tx, `more ${n}`));
    expect(await parts()).toEqual([['a', 'b'], ['s1'], ['d', 's2']]);
    expect(await inWorld(store, (tx) => tx.history.hasDroppedAfter(start))).toBe(false);
    await inWorld(store, (tx) => {
      for (let n = 0; n < 8; n++) tx.append('deliveries', delivery(`more ${n}`, 'delivered'));
    });
    expect(await parts()).toEqual([[], ['s1'], ['d', 's2']]);
    const dropped = (after: number, journals?: readonly JournalName[]) =>
      inWorld(store, (tx) => tx.history.hasDroppedAfter(after, journals));
    expect([await dropped(start + 1), await dropped(start), await dropped(start, ['steps'])]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('reports to listeners what a commit appended, and nothing that was undone', async () => {
    const store = await storeWithWorld();
    const commits: Commit[] = [];
    const stop = store.onCommit((commit) => commits.push(commit));
    const step = (id: string) =>
      ({
        id,
        at: '',
        subject: { table: 'contacts', id: 'x' },
        trigger: '',
        from: null,
        to: '',
        cause: null,
      }) as const;
    await failing(store, (tx) => tx.append('steps', step('undone')));
    await inWorld(store, (tx) => tx.append('steps', step('done')));
    stop();
    await inWorld(store, (tx) => tx.append('steps', step('unheard')));
    expect(commits.map(({ appended }) => appended.map(({ entry }) => entry.id))).toEqual([['done']]);
  });

  it('reports to listeners every transaction that wrote, even if only a record, and none that read', async () => {
    const store = await storeWithWorld();
    const commits: Commit[] = [];
    store.onCommit((commit) => commits.push(commit));
    await inWorld(store, (tx) => tx.get('contacts', 'base-1'));
    expect(commits).toEqual([]);
    await inWorld(store, (tx) => tx.put('contacts', contact('a', 1)));
    await inWorld(store, (tx) => tx.remove('contacts', 'base-1'));
    await inWorld(store, (tx) => tx.setCounter('calls', 2));
    await inWorld(store, (tx) => tx.setState('assumptions', { scope_missing_status: 401 }));
    expect(commits).toEqual(Array(4).fill({ world: WORLD, epoch: 1, appended: [], schedule: null }));
  });

  it('tells who watches a world of its commits alone, and of its end', async () => {
    const store = await storeWithWorld();
    const seen: (readonly string[] | 'gone')[] = [];
    const stop = store.watch(WORLD, (commit) => seen.push(commit?.appended.map(({ entry }) => entry.id) ?? 'gone'));
    const clock = await inWorld(store, (tx) => tx.state('clock'));
    const other = { ...(await factsOf(store)), name: 'other', clock, assumptions: {}, epoch: 1 };
    await store.addWorld(other, (tx) => appendStep(tx, 'elsewhere'));
    await inWorld(store, (tx) => appendStep(tx, 'a'));
    await failing(store, (tx) => appendStep(tx, 'undone'));
    await inWorld(store, (tx) => tx.setCounter('n', 1));
    await store.dropWorld(WORLD);
    expect(seen.filter(({ length }) => length > 0)).toEqual([['a'], 'gone']);
    stop();
    const before = seen.length;
    await store.addWorld({ ...other, name: WORLD });
    await inWorld(store, (tx) => appendStep(tx, 'unheard'));
    expect(seen).toHaveLength(before);
  });

  it('reports to listeners a world that is created and one that is deleted', async () => {
    const store = await storeWithWorld();
    await inWorld(store, (tx) => tx.schedule(ring('c'), 5));
    const commits: Commit[] = [];
    store.onCommit((commit) => commits.push(commit));
    const { clock } = (await store.dump(WORLD, 0)).state;
    await store.addWorld({ ...(await factsOf(store)), name: 'other', clock, assumptions: {}, epoch: 1 });
    await store.dropWorld(WORLD);
    const told = { epoch: 1, appended: [], schedule: { nextAt: null, clock } };
    expect(commits).toEqual([
      { world: 'other', ...told },
      { world: WORLD, ...told, epoch: NO_EPOCH },
    ]);
  });

  it('drops the oldest entries of a journal past its limit, and counts them, but never an open delivery', async () => {
    const store = await storeWithWorld();
    await inWorld(store, (tx) => {
      tx.append('deliveries', delivery('open', 'pending'));
      for (let n = 1; n <= 15; n++) tx.append('deliveries', delivery(`closed-${n}`, 'failed'));
    });
    const kept = await inWorld(store, (tx) => tx.journal('deliveries'));
    expect(kept.entries.map(({ id }) => id)).toEqual([
      'open',
      ...Array.from({ length: 9 }, (_, n) => `closed-${n + 7}`),
    ]);
    expect(kept.dropped).toBe(6);
  });

  it('counts what transactions have met when they commit, and keeps it over wipes and the end of the world', async () => {
    const store = await storeWithWorld();
    const read = async (matches: (world: string) => boolean) => finished(await store.coverage(matches));
    const counts = async () => Object.fromEntries((await read((world) => world === WORLD)).counts);
    await inWorld(store, (tx) => {
      tx.cover('a');
      tx.cover('a');
      tx.attempt(() => {
        tx.cover('undone');
        throw fail;
      });
      tx.cover('b');
    });
    await failing(store, (tx) => tx.cover('undone'));
    await inWorld(store, (tx) => tx.wipe([]));
    expect(await counts()).toEqual({ a: 2, b: 1 });
    await store.dropWorld(WORLD);
    expect(await counts()).toEqual({ a: 2, b: 1 });
    expect(await read(() => true)).toMatchObject({ worlds: [WORLD], forgotten: 0 });
    expect((await read(() => false)).worlds).toEqual([]);
  });
}
