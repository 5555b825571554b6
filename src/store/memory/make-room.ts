// Makes room when the shares of journals and records exceed their limits: drops the oldest entries, and the oldest
// ended records, of the world that has most of them.
import type { TableName } from '../../model.ts';
import { definitionOf } from '../tables.ts';
import type { Accounts } from './accounts.ts';
import type { Undo } from './table.ts';
import type { Uniques } from './uniques.ts';
import type { MemoryWorld } from './world.ts';

/** A little below the limit, so that the worlds are not searched again at the next commit. */
const GOAL = 0.95;
/** Where nothing can go, the share must grow by this part of its limit before the worlds are searched again. */
const STEP = 0.01;

export class RoomMaker {
  readonly #accounts: Accounts;
  readonly #worlds: ReadonlyMap<string, MemoryWorld>;
  readonly #uniques: Uniques;
  readonly #onChange: (world: MemoryWorld) => void;
  /** How full records must be for another search. */
  #nextSearch = 0;

  /** `onChange` is called with each world that something goes from. */
  constructor(
    accounts: Accounts,
    worlds: ReadonlyMap<string, MemoryWorld>,
    uniques: Uniques,
    onChange: (world: MemoryWorld) => void,
  ) {
    this.#accounts = accounts;
    this.#worlds = worlds;
    this.#uniques = uniques;
    this.#onChange = onChange;
  }

  /** Called after a commit, when it is counted. */
  makeRoom(): void {
    const { journals, records } = this.#accounts.budget.shares;
    if (journals.used > journals.limit) this.#dropEntries();
    if (records.used > records.limit && records.used >= this.#nextSearch) this.#dropRecords();
  }

  #dropEntries(): void {
    const { journals } = this.#accounts.budget.shares;
    const goal = journals.limit * GOAL;
    while (journals.used > goal) {
      const largest = this.#largest((world) => world.counted.journals);
      const before = largest.counted.journals;
      const least = Math.max(before - (journals.used - goal), before / 2);
      this.#onChange(largest);
      while (largest.counted.journals > least && largest.journals.dropOldest()) {
        journals.dropped += 1;
        this.#accounts.count(largest);
      }
      if (largest.counted.journals === before) return;
    }
  }

  #dropRecords(): void {
    const { records } = this.#accounts.budget.shares;
    const goal = records.limit * GOAL;
    for (const world of this.#worlds.values()) {
      world.forgetFixtureRows();
      this.#accounts.count(world);
    }
    while (records.used > goal) {
      const largest = this.#largest((world) => world.counted.ended);
      const before = largest.counted.ended;
      if (before === 0) break;
      const least = Math.max(before - (records.used - goal), before / 2);
      this.#onChange(largest);
      while (largest.counted.ended > least && dropOldestRecord(largest, this.#uniques, [])) {
        records.dropped += 1;
        this.#accounts.count(largest);
      }
      if (largest.counted.ended === before) break;
    }
    this.#nextSearch = records.used > records.limit ? records.used + records.limit * STEP : 0;
  }

  #largest(sizeOf: (world: MemoryWorld) => number): MemoryWorld {
    return [...this.#worlds.values()].reduce((a, b) => (sizeOf(a) >= sizeOf(b) ? a : b));
  }
}

/** Drops the oldest record of the table in which most have ended; false if none has. */
export function dropOldestRecord(world: MemoryWorld, uniques: Uniques, undo: Undo): boolean {
  const ended = (name: TableName): number => world.table(name).usage.ended;
  const tables = world.tableNames();
  if (tables.length === 0) return false;
  const table = tables.reduce((a, b) => (ended(a) >= ended(b) ? a : b));
  const oldest = world.table(table).oldestEnded();
  if (oldest === undefined) return false;
  dropRecord(world, uniques, table, oldest, undo);
  return true;
}

/** Removes a record that goes to make room, with its unique value and the tasks about it. */
export function dropRecord<Table extends TableName>(
  world: MemoryWorld,
  uniques: Uniques,
  table: Table,
  id: string,
  undo: Undo,
): void {
  const { unique, beforeGoing } = definitionOf(table);
  const rows = world.table(table);
  const row = rows.rows.get(id);
  if (row) beforeGoing?.(world.countersIn(undo), row);
  if (unique && row) uniques.release(table, unique(row), undo);
  rows.remove(world.fixture, id, undo);
  world.schedule.cancelAbout({ table, id }, undo);
}
