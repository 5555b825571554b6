// The ids under one index value in memory, against a plain list.
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { SortedIds } from '../../src/store/memory/sorted-ids.ts';

interface Listed {
  readonly rank: number;
  readonly id: string;
}

const textOf = (list: readonly Listed[]): string => list.map(({ rank, id }) => `${rank} ${id}`).join();

type Step =
  | { readonly kind: 'add'; readonly rank: number }
  | { readonly kind: 'append' }
  | { readonly kind: 'remove'; readonly nth: number }
  | { readonly kind: 'remove many'; readonly from: number; readonly count: number; readonly every: number }
  | { readonly kind: 'out and in again'; readonly from: number; readonly count: number }
  | { readonly kind: 'remove what is not there'; readonly rank: number };

// Small numbers, so that ranks meet; long runs, so that most places are empty now and then.
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), rank: fc.nat(60) }),
  fc.record({ kind: fc.constant('append' as const) }),
  fc.record({ kind: fc.constant('remove' as const), nth: fc.nat() }),
  fc.record({
    kind: fc.constant('remove many' as const),
    from: fc.nat(),
    count: fc.nat(4000),
    every: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ kind: fc.constant('out and in again' as const), from: fc.nat(), count: fc.nat(30) }),
  fc.record({ kind: fc.constant('remove what is not there' as const), rank: fc.nat(60) }),
);

/** Sorted ids, and the list that they should be: of equal ranks, the latest comes first. */
class Both {
  readonly sorted = new SortedIds();
  list: Listed[];
  #ids = 0;

  constructor(count: number) {
    this.list = Array.from({ length: count }, (_, n) => ({ rank: 2 * n, id: this.newId() }));
    for (const { rank, id } of this.list) this.sorted.add(rank, id);
  }

  newId(): string {
    this.#ids += 1;
    return `id-${this.#ids}`;
  }

  add(added: Listed): void {
    this.sorted.add(added.rank, added.id);
    const at = this.list.findIndex(({ rank }) => rank >= added.rank);
    this.list.splice(at < 0 ? this.list.length : at, 0, added);
  }

  remove(removed: readonly Listed[]): void {
    const ids = new Set(removed.map(({ id }) => id));
    for (const { rank, id } of removed) this.sorted.remove(rank, id);
    this.list = this.list.filter(({ id }) => !ids.has(id));
  }

  #run(from: number, count: number): Listed[] {
    const start = this.list.length > 0 ? from % this.list.length : 0;
    return this.list.slice(start, start + count);
  }

  happen(step: Step): void {
    switch (step.kind) {
      case 'add':
        return this.add({ rank: step.rank, id: this.newId() });
      case 'append':
        return this.add({ rank: 1 + (this.list.at(-1)?.rank ?? 0), id: this.newId() });
      case 'remove':
        return this.remove(this.#run(step.nth, 1));
      case 'remove many':
        return this.remove(this.#run(step.from, step.count).filter((_, n) => n % step.every === 0));
      case 'out and in again': {
        const run = this.#run(step.from, step.count);
        this.remove(run);
        for (const each of run.reverse()) this.add(each);
        return;
      }
      case 'remove what is not there':
        return this.sorted.remove(step.rank, 'none');
    }
  }

  expectEqual(): void {
    const { sorted, list } = this;
    expect(sorted.length).toBe(list.length);
    // Empty places do not stay without bound.
    expect(sorted.last - sorted.first).toBeLessThan(1024 + 2 * list.length);
    expect(textOf(walk(sorted, sorted.first, 1))).toBe(textOf(list));
    expect(textOf(walk(sorted, sorted.last, -1).reverse())).toBe(textOf(list));
    for (const rank of [0, 5, 30, 500, 2000]) {
      const from = sorted.firstFrom(rank);
      const index = list.findIndex((each) => each.rank >= rank);
      const split = index < 0 ? list.length : index;
      expect(sorted.idAt(sorted.nearest(from, 1))).toBe(list[split]?.id);
      expect(sorted.idAt(sorted.nearest(from - 1, -1))).toBe(list[split - 1]?.id);
    }
  }
}

function walk(sorted: SortedIds, from: number, step: 1 | -1): Listed[] {
  const found: Listed[] = [];
  for (let at = from; ; at = sorted.nearest(at + step, step)) {
    const [rank, id] = [sorted.rankAt(at), sorted.idAt(at)];
    if (rank === undefined || id == null) return found;
    found.push({ rank, id });
  }
}

it('sorted ids are what a plain list would be, whatever is added and removed', () => {
  const long = fc.constantFrom(0, 3, 30, 4000);
  fc.assert(
    fc.property(long, fc.array(step, { maxLength: 12 }), (count, steps) => {
      const both = new Both(count);
      for (const each of steps) {
        both.happen(each);
        both.expectEqual();
      }
    }),
  );
});

it('what is removed from the middle, and what takes its place again, moves no others', () => {
  const { sorted, list } = new Both(6000);
  const splice = vi.spyOn(Array.prototype, 'splice');
  for (const { rank, id } of list.slice(1000, 3000)) sorted.remove(rank, id);
  for (const { rank, id } of list.slice(1000, 3000).reverse()) sorted.add(rank, id);
  expect(splice).not.toHaveBeenCalled();
  splice.mockRestore();
  expect(walk(sorted, sorted.first, 1)).toEqual(list);
});
