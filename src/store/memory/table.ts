// One table of one world in memory: what the world wrote, above the frozen fixture, with tombstones for fixture
// records that are deleted. Every change adds its reversal to the transaction.
import type { Row, TableName } from '../../model.ts';
import { keysOf } from '../../typed-keys.ts';
import { boundOf } from '../bounds.ts';
import { sizeOf } from '../footprint.ts';
import type { FixtureView, PageQuery } from '../store.ts';
import { definitionOf, type TableDefinition } from '../tables.ts';
import { forgetAll, takeAll } from './changed.ts';
import { isElsewhere } from './elsewhere.ts';
import { ContentsElsewhere } from './outline.ts';
import { SortedIds } from './sorted-ids.ts';
import { addUsage, INDEX_VALUE_BYTES, noUsage, ROW_BYTES, UNIQUE_BYTES, type Usage } from './usage.ts';

export type Undo = (() => void)[];

export class MemoryTable<Table extends TableName> {
  readonly rows = new Map<string, Row<Table>>();
  readonly deleted = new Set<string>();
  /** Ids of records that have changed since they were last taken; null if nobody takes them. */
  readonly #changed: Set<string> | null;
  readonly #wanted = new Set<string>();
  readonly #indexes = new Map<string, Map<string, SortedIds>>();
  readonly name: Table;
  readonly #definition: TableDefinition<Table>;
  /** The records that have ended, oldest first; null for a table whose records never go by themselves. */
  readonly #ended: SortedIds | null;
  /** What its records take, which is a part of what its world takes. */
  readonly usage: Usage = noUsage();
  #worldUsage: Usage;
  /** Past this many, the oldest records go that have ended, or no more can be added. */
  readonly #max: number;
  readonly #past: 'oldest' | 'refused';

  constructor(name: Table, tracked: boolean, worldUsage: Usage, maxCalls: number) {
    this.name = name;
    this.#changed = tracked ? new Set() : null;
    this.#definition = definitionOf(name);
    this.#ended = this.#definition.ended ? new SortedIds() : null;
    this.#worldUsage = worldUsage;
    const { max, past } = boundOf(name) ?? { max: Number.POSITIVE_INFINITY, past: 'refused' };
    this.#max = name === 'calls' ? maxCalls : max;
    this.#past = past;
  }

  /** Counts what its records take in another world from now on. */
  countIn(usage: Usage): void {
    this.#worldUsage = usage;
    for (const part of keysOf(this.usage)) addUsage(usage, part, this.usage[part]);
  }

  /** The oldest record that has ended, if there are more of them than the table keeps, or if the table is full. */
  surplus(): string | undefined {
    const count = this.#past === 'oldest' ? (this.#ended?.length ?? 0) : this.rows.size;
    return count > this.#max ? this.oldestEnded() : undefined;
  }

  /** Whether it has more records than it can, which is refused. */
  get isOverfull(): boolean {
    return this.#past === 'refused' && this.rows.size > this.#max;
  }

  oldestEnded(): string | undefined {
    return this.#ended?.idAt(this.#ended.first) ?? undefined;
  }

  get(fixture: FixtureView, id: string): Row<Table> | undefined {
    if (this.#definition.isLarge) this.#need(id);
    return this.rows.get(id) ?? (this.deleted.has(id) ? undefined : fixture.get(this.name, id));
  }

  /** Throws ContentsElsewhere where the content of a record is elsewhere. */
  #need(id: string): void {
    if (!isElsewhere(this.rows.get(id))) return;
    this.#wanted.add(id);
    throw new ContentsElsewhere(`the content of one of ${this.name} is elsewhere`);
  }

  /** The same for any of its records. */
  needAll(): void {
    if (!this.#definition.isLarge) return;
    for (const [id, row] of this.rows) if (isElsewhere(row)) this.#wanted.add(id);
    if (this.#wanted.size > 0) throw new ContentsElsewhere(`contents of ${this.name} are elsewhere`);
  }

  /** The ids of the records whose content was needed and is elsewhere, since the last call. */
  takeWanted(): readonly string[] {
    return takeAll(this.#wanted);
  }

  /** Takes over a record with the content that was elsewhere, which it takes the room of already. */
  complete(row: Row<Table>): void {
    this.rows.set(this.#definition.id(row), row);
  }

  /** Whether the record is new to the world. */
  put(row: Row<Table>, undo: Undo): boolean {
    const id = this.#definition.id(row);
    this.#changed?.add(id);
    const before = this.rows.get(id);
    const wasDeleted = this.deleted.delete(id);
    this.rows.set(id, row);
    this.#replace(id, before, row);
    undo.push(() => {
      this.#replace(id, row, before);
      if (before) this.rows.set(id, before);
      else this.rows.delete(id);
      if (wasDeleted) this.deleted.add(id);
    });
    return before === undefined;
  }

  remove(fixture: FixtureView, id: string, undo: Undo): void {
    this.#changed?.add(id);
    const before = this.rows.get(id);
    const inFixture = !this.deleted.has(id) && fixture.get(this.name, id) !== undefined;
    if (before) {
      this.rows.delete(id);
      this.#replace(id, before, undefined);
    }
    if (inFixture) this.deleted.add(id);
    undo.push(() => {
      if (before) {
        this.rows.set(id, before);
        this.#replace(id, undefined, before);
      }
      if (inFixture) this.deleted.delete(id);
    });
  }

  /** The records that have changed since the last call: those that are there, and the ids of those that are not. */
  takeChanges(): { rows: Row<Table>[]; deleted: string[]; removed: string[] } {
    const changed = takeAll(this.#changed);
    const gone = changed.filter((id) => !this.rows.has(id));
    return {
      rows: changed.flatMap((id) => this.rows.get(id) ?? []),
      deleted: gone.filter((id) => this.deleted.has(id)),
      removed: gone.filter((id) => !this.deleted.has(id)),
    };
  }

  forgetChanges(): void {
    forgetAll(this.#changed);
  }

  /** Whether records have changed since they were last taken. */
  get hasChanges(): boolean {
    return this.#changed !== null && this.#changed.size > 0;
  }

  count(fixture: FixtureView, index: string, value: string): number {
    let count = this.#indexes.get(index)?.get(value)?.length ?? 0;
    for (const { id } of fixture.list(this.name, index, value)) if (!this.#hides(id)) count++;
    return count;
  }

  /** Merges the world's own records with the fixture's, by rank. */
  page(
    fixture: FixtureView,
    index: string,
    value: string,
    { after, limit = Number.POSITIVE_INFINITY, newestFirst = false }: PageQuery,
  ): Row<Table>[] {
    const own = this.#indexes.get(index)?.get(value);
    const inherited = fixture.list(this.name, index, value);
    const found: Row<Table>[] = [];
    const step = newestFirst ? -1 : 1;
    let ownAt = (newestFirst ? own?.last : own?.first) ?? 0;
    let inheritedAt = newestFirst ? inherited.length - 1 : 0;
    if (after !== undefined) {
      if (own) ownAt = own.nearest(newestFirst ? own.firstFrom(after) - 1 : own.firstFrom(after + 1), step);
      const skips = (rank: number): boolean => (newestFirst ? rank >= after : rank <= after);
      for (let next = inherited[inheritedAt]; next && skips(next.rank); next = inherited[inheritedAt])
        inheritedAt += step;
    }
    while (found.length < limit) {
      const ownRank = own?.rankAt(ownAt);
      const next = inherited[inheritedAt];
      let row: Row<Table> | undefined;
      if (next === undefined || (ownRank !== undefined && ownRank > next.rank === newestFirst)) {
        if (ownRank === undefined) break;
        row = this.rows.get(own?.idAt(ownAt) ?? '');
        ownAt = own?.nearest(ownAt + step, step) ?? 0;
      } else {
        row = this.#hides(next.id) ? undefined : fixture.get(this.name, next.id);
        inheritedAt += step;
      }
      if (row) found.push(row);
    }
    return found;
  }

  /** Whether a fixture record is deleted or overwritten. */
  #hides(id: string): boolean {
    return this.rows.has(id) || this.deleted.has(id);
  }

  /** Keeps indexes and usage in step with a record that is put, replaced or removed. */
  #replace(id: string, before: Row<Table> | undefined, after: Row<Table> | undefined): void {
    if (before) this.#count(id, before, -1);
    if (after) this.#count(id, after, 1);
    for (const [name, valueIn] of this.#definition.indexes) {
      const from = before && valueIn(before);
      const to = after && valueIn(after);
      if (from === to && before?.private.rank === after?.private.rank) continue;
      if (before && from !== undefined) this.#unlist(name, from, before.private.rank, id);
      if (after && to !== undefined) this.#sorted(name, to).add(after.private.rank, id);
    }
  }

  #count(id: string, row: Row<Table>, sign: 1 | -1): void {
    const { ended, share, unique, size = sizeOf } = this.#definition;
    const bytes = sign * (ROW_BYTES + (unique ? UNIQUE_BYTES : 0) + size(row));
    const hasEnded = ended?.(row) === true;
    this.#use(share ?? (hasEnded ? 'ended' : 'kept'), bytes);
    if (!hasEnded) return;
    if (sign > 0) this.#ended?.add(row.private.rank, id);
    else this.#ended?.remove(row.private.rank, id);
  }

  #use(part: keyof Usage, bytes: number): void {
    addUsage(this.usage, part, bytes);
    addUsage(this.#worldUsage, part, bytes);
  }

  /** Takes a record off an index; a value without records leaves nothing behind. */
  #unlist(name: string, value: string, rank: number, id: string): void {
    const index = this.#indexes.get(name);
    const sorted = index?.get(value);
    sorted?.remove(rank, id);
    if (sorted?.length !== 0) return;
    index?.delete(value);
    this.#use('kept', -INDEX_VALUE_BYTES);
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
      this.#use('kept', INDEX_VALUE_BYTES);
    }
    return sorted;
  }
}
