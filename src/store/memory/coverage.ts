// How often the worlds of a store have met each fact of `src/coverage/facts.ts`. Coverage survives a reset and the
// world itself: for deleted worlds only the counters are kept, up to a bound.
import type { CoverageOfWorlds, PackedCounts } from '../store.ts';
import { NumberMap } from './number-map.ts';

/** How many worlds that have gone are remembered, and how many of their counters; the oldest are forgotten first. */
const MAX_GONE = 10_000;
const MAX_GONE_COUNTERS = 1_000_000;

export class CoverageBook {
  /** Every name once, however many worlds count it. */
  readonly #names = new Map<string, string>();
  readonly #gone = new Map<string, PackedCounts>();
  #goneCounters = 0;
  #forgotten = 0;

  /** Adds facts to the counters of a world, which are made for the first of them. */
  count(counters: NumberMap | null, facts: readonly string[], tracked: boolean): NumberMap {
    const counted = counters ?? new NumberMap(tracked);
    for (const fact of facts) this.#add(counted, fact, 1);
    return counted;
  }

  /** The counters of a world of that name that has gone, for the one that takes its place; null if it has none. */
  takeBack(world: string, tracked: boolean): NumberMap | null {
    const packed = this.#gone.get(world);
    if (!packed) return null;
    this.#forget(world, packed);
    return this.unpacked(packed, tracked);
  }

  /** Keeps the counters of a world that has gone. */
  keep(world: string, counters: PackedCounts): void {
    if (counters.length === 0) return;
    const before = this.#gone.get(world);
    if (before) this.#forget(world, before);
    const packed = counters.map((each) => (typeof each === 'string' ? this.#nameOf(each) : each));
    this.#gone.set(world, packed);
    this.#goneCounters += packed.length / 2;
    while (this.#gone.size > MAX_GONE || this.#goneCounters > MAX_GONE_COUNTERS) {
      const [oldest] = this.#gone;
      if (!oldest) return;
      this.#forget(...oldest);
      this.#forgotten += 1;
    }
  }

  /** The counters of every world that has gone. */
  get gone(): ReadonlyMap<string, PackedCounts> {
    return this.#gone;
  }

  /** The sums over these worlds and those that have gone by now, world by world. */
  *sum(
    worlds: readonly (readonly [string, NumberMap | null])[],
    matches: (world: string) => boolean,
  ): Generator<void, CoverageOfWorlds> {
    const names: string[] = [];
    const sums = new NumberMap(false);
    // One of the worlds may go meanwhile, and would be added again.
    for (const [world, counters] of [...worlds, ...this.#gone]) {
      if (!matches(world)) continue;
      names.push(world);
      const counts = counters instanceof NumberMap ? counters : pairsOf(counters ?? []);
      for (const [name, count] of counts) this.#add(sums, name, count);
      yield;
    }
    return { worlds: names.sort(), forgotten: this.#forgotten, counts: sums };
  }

  #add(counters: NumberMap, fact: string, count: number): void {
    const before = counters.get(fact);
    if (before === undefined) counters.set(this.#nameOf(fact), count);
    else counters.set(fact, before + count);
  }

  #nameOf(fact: string): string {
    const known = this.#names.get(fact);
    if (known === undefined) this.#names.set(fact, fact);
    return known ?? fact;
  }

  unpacked(packed: PackedCounts, tracked: boolean): NumberMap | null {
    if (packed.length === 0) return null;
    const counters = new NumberMap(tracked);
    for (const [name, count] of pairsOf(packed)) this.#add(counters, name, count);
    return counters;
  }

  #forget(world: string, packed: PackedCounts): void {
    this.#gone.delete(world);
    this.#goneCounters -= packed.length / 2;
  }
}

function* pairsOf(packed: PackedCounts): Iterable<readonly [string, number]> {
  for (let index = 0; index < packed.length; index += 2) yield [String(packed[index]), Number(packed[index + 1])];
}
