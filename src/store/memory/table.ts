// One table of one world in memory: what the world wrote, laid over the frozen fixture, with tombstones for fixture
// records that are deleted. Every change hands its own undoing to the transaction.
import type { Row, TableName } from '../../model.ts';
import type { FixtureView, PageQuery } from '../store.ts';
import { definitionOf, indexesOf } from '../tables.ts';
import { SortedIds } from './sorted-ids.ts';

export type Undo = (() => void)[];

export class MemoryTable<Table extends TableName> {
  readonly rows = new Map<string, Row<Table>>();
  readonly deleted = new Set<string>();
  readonly #indexes = new Map<string, Map<string, SortedIds>>();
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(base: FixtureView, id: string): Row<Table> | undefined {
    return this.rows.get(id) ?? (this.deleted.has(id) ? undefined : base.get(this.#table, id));
  }

  put(row: Row<Table>, undo: Undo): void {
    const id = definitionOf(this.#table).id(row);
    const before = this.rows.get(id);
    const wasGone = this.deleted.delete(id);
    this.rows.set(id, row);
    this.#reindex(id, before, row);
    undo.push(() => {
      this.#reindex(id, row, before);
      if (before) this.rows.set(id, before);
      else this.rows.delete(id);
      if (wasGone) this.deleted.add(id);
    });
  }

  remove(base: FixtureView, id: string, undo: Undo): void {
    const before = this.rows.get(id);
    const inBase = !this.deleted.has(id) && base.get(this.#table, id) !== undefined;
    if (before) {
      this.rows.delete(id);
      this.#reindex(id, before, undefined);
    }
    if (inBase) this.deleted.add(id);
    undo.push(() => {
      if (before) {
        this.rows.set(id, before);
        this.#reindex(id, undefined, before);
      }
      if (inBase) this.deleted.delete(id);
    });
  }

  count(base: FixtureView, index: string, value: string): number {
    let count = this.#indexes.get(index)?.get(value)?.length ?? 0;
    for (const { id } of base.list(this.#table, index, value)) if (!this.#hides(id)) count++;
    return count;
  }

  /** Merges the world's own records with the fixture's, by rank. */
  page(
    base: FixtureView,
    index: string,
    value: string,
    { after, limit = Number.POSITIVE_INFINITY, newestFirst = false }: PageQuery,
  ): Row<Table>[] {
    const own = this.#indexes.get(index)?.get(value);
    const below = base.list(this.#table, index, value);
    const found: Row<Table>[] = [];
    const step = newestFirst ? -1 : 1;
    const ownEnd = own?.length ?? 0;
    let o = newestFirst ? ownEnd - 1 : 0;
    let b = newestFirst ? below.length - 1 : 0;
    if (after !== undefined) {
      if (own) o = newestFirst ? own.firstFrom(after) - 1 : own.firstFrom(after + 1);
      while (b >= 0 && b < below.length && beyond(below[b]?.rank as number, after, newestFirst)) b += step;
    }
    while (found.length < limit) {
      const ownRank = o >= 0 && o < ownEnd ? (own?.ranks[o] as number) : undefined;
      const baseRank = b >= 0 && b < below.length ? (below[b]?.rank as number) : undefined;
      if (ownRank === undefined && baseRank === undefined) break;
      const takeOwn = baseRank === undefined || (ownRank !== undefined && ownRank > baseRank === newestFirst);
      const id = (takeOwn ? own?.ids[o] : below[b]?.id) as string;
      if (takeOwn) o += step;
      else b += step;
      if (takeOwn) found.push(this.rows.get(id) as Row<Table>);
      else if (!this.#hides(id)) found.push(base.get(this.#table, id) as Row<Table>);
    }
    return found;
  }

  /** Whether a fixture record is gone or overwritten. */
  #hides(id: string): boolean {
    return this.rows.has(id) || this.deleted.has(id);
  }

  #reindex(id: string, before: Row<Table> | undefined, after: Row<Table> | undefined): void {
    for (const [name, valueIn] of indexesOf[this.#table]) {
      const from = before && valueIn(before);
      const to = after && valueIn(after);
      if (from === to && before?.private.rank === after?.private.rank) continue;
      if (before && from !== undefined) this.#sorted(name, from).remove(before.private.rank, id);
      if (after && to !== undefined) this.#sorted(name, to).add(after.private.rank, id);
    }
  }

  #sorted(name: string, value: string): SortedIds {
    let index = this.#indexes.get(name);
    if (!index) {
      index = new Map();
      this.#indexes.set(name, index);
    }
    let sorted = index.get(value);
    if (!sorted) {
      sorted = new SortedIds();
      index.set(value, sorted);
    }
    return sorted;
  }
}

/** Whether a rank is not yet past the cursor in the direction of the listing. */
function beyond(rank: number, after: number, newestFirst: boolean): boolean {
  return newestFirst ? rank >= after : rank <= after;
}
