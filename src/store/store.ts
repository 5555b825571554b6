// The port of the store: all state that changes is behind it. Operations, engine and control API depend on this file
// only; a conformance suite tests each driver (a folder next to this file) against it.
//
// A transaction belongs to one world and runs alone in it. Its body is synchronous: it reads and writes through `tx`
// and has no other effect, so that a driver may run it again: a driver across a network runs it on a copy of the
// world, and once more if the copy turns out to be out of date. If the body throws, everything it did is undone.
// Listeners are called after the commit.
import type { AssumptionValues } from '../assumptions/catalogue.ts';
import type { ClockState } from '../clock/clock.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { ScheduledTask, Task } from '../lifecycles/tasks.ts';
import type { IndexOf, JournalName, Journals, Row, Subject, TableName } from '../model.ts';
import type { Appended, Journal, JournalHistory, ReadEntries } from './history.ts';

/** A value now or later; `await` handles both. */
export type Awaitable<T> = T | Promise<T>;

/** How a world was created; only `auto` worlds expire. */
export type WorldOrigin = 'bundled' | 'posted' | 'auto';

/** The facts about a world that never change. */
export interface WorldFacts {
  readonly name: string;
  readonly seed: number;
  readonly origin: WorldOrigin;
  readonly organization_id: string;
  /** The name of the fixture that it was created from. */
  readonly fixture: string;
  /** When it was created, in system time; absent in files of earlier versions. */
  readonly created?: number | undefined;
}

/** The single values of a world. */
export interface WorldState {
  clock: ClockState;
  /** The instant to which the offsets of fixture times are added. */
  starts_at: number;
  /** Increases with every reset and restore, and when a deleted world is created again; deliveries of an older epoch are never sent. */
  epoch: number;
  assumptions: AssumptionValues;
  /** Every ordinal is greater; raised after a crash, so that no id of what was lost is given out again. */
  ordinals_from: number;
}

/** The frozen fixture under a world: read through, never written. */
export interface FixtureView {
  get<Table extends TableName>(table: Table, id: string): Row<Table> | undefined;
  /** Ids and ranks of the records under that index value, by ascending rank. */
  list(table: TableName, index: string, value: string): readonly { readonly id: string; readonly rank: number }[];
  /** What the records take that were made for this world, roughly. */
  readonly bytes: number;
  /** Whether its records are still to be made, which takes long: who reads one then waits for all. */
  readonly isUnmade: boolean;
  /** Makes them, in pieces of work of a fraction of a millisecond. */
  make(): Iterator<void>;
}

export interface PageQuery {
  /** Only records beyond this rank, in the direction of the listing. */
  readonly after?: number;
  /** How many at most; without it, all. */
  readonly limit?: number;
  readonly newestFirst?: boolean;
}

export interface Tx {
  readonly world: WorldFacts;
  /** The instant at which this happens, in milliseconds of the world's time: on entry, its clock's. */
  readonly at: number;
  /** When this happens, in system time. */
  readonly systemTime: number;
  /** The journal entry that causes what happens here: on entry, the one that the transaction was given. */
  readonly cause: string | null;
  /** Runs a body whose work has another cause. */
  causedBy<T>(cause: string | null, body: () => T): T;
  /** Runs a body at another instant, as a task runs at its own. */
  asOf<T>(at: number, body: () => T): T;
  /** Runs a body; if it throws, undoes what it wrote, and nothing else, and returns what it threw. */
  attempt(body: () => void): { readonly error: unknown } | undefined;

  /**
   * Runs a body whose writes are held to the bounds of the world and to its part of the memory budget, as those of a
   * request are. Throws `conflict` for a record past the bound of its kind, and `rate_limited` past a share.
   */
  withinBounds<T>(body: () => T): T;
  /** Whether writes can be refused. A scheduled task has nobody to tell: it adds to what a request began. */
  readonly isBounded: boolean;
  /** Whether the world takes too much of a share of the memory budget for that many bytes more. */
  lacksRoom(share: 'documents' | 'deliveries', bytes: number): boolean;
  /** The error of a write that a share has no room for; counts it. */
  refusal(share: 'documents' | 'deliveries'): ApiError;

  get<Table extends TableName>(table: Table, id: string): Row<Table> | undefined;
  put<Table extends TableName>(table: Table, row: Row<Table>): void;
  remove<Table extends TableName>(table: Table, id: string): void;
  page<Table extends TableName>(table: Table, index: IndexOf<Table>, value: string, query?: PageQuery): Row<Table>[];
  count<Table extends TableName>(table: Table, index: IndexOf<Table>, value: string): number;

  /** The next of 1, 2, 3, … under that name; after `ordinals_from`. */
  ordinal(name: string): number;
  setOrdinal(name: string, latest: number): void;
  counter(name: string): number;
  setCounter(name: string, value: number): void;
  state<Name extends keyof WorldState>(name: Name): WorldState[Name];
  setState<Name extends keyof WorldState>(name: Name, value: WorldState[Name]): void;

  /** Schedules a task for an instant, with the current cause. */
  schedule(task: Task, at: number): void;
  /** Cancels every task about that record. */
  unschedule(subject: Subject): void;
  /** The earliest task, left on the schedule. */
  nextTask(): ScheduledTask | undefined;
  /** The earliest task that is due by that instant, taken off the schedule. */
  takeTask(dueBy: number): ScheduledTask | undefined;
  taskCount(): number;

  append<Name extends JournalName>(journal: Name, entry: Journals[Name]): void;
  /** Replaces the entry with that id; does nothing if the entry is no longer kept. */
  amend<Name extends JournalName>(journal: Name, entry: Journals[Name]): void;
  entry<Name extends JournalName>(journal: Name, id: string): Journals[Name] | undefined;
  /** All entries that are kept, oldest first, and what was dropped. */
  journal<Name extends JournalName>(name: Name): Journal<Name>;

  /** Appends an entry of an earlier time, as a snapshot has it: it is not news, so listeners are not told of it. */
  bringBack<Name extends JournalName>(journal: Name, entry: Journals[Name]): void;
  /** Counts that the world has met a fact of `src/coverage/facts.ts`; neither a reset nor a restore undoes it. */
  cover(fact: string): void;
  /** The journals of the world together. */
  readonly history: JournalHistory;

  /** Sets how many entries were dropped before, when a journal is restored. */
  setDroppedCount(journal: JournalName, dropped: number, upTo: string | null): void;

  /**
   * Everything that the world holds beyond its fixture, `except` the records of some tables, as plain data; `read` spares it
   * most of the reading.
   */
  dump(read?: ReadEntries, except?: readonly TableName[]): WorldDump;
  /**
   * Empties the tables (all but those named), the schedule, the journals, the counters and the ordinals, as a reset does;
   * what `prepared` has of tables, schedule and journals takes their place, without the deliveries that are `outdated`.
   */
  wipe(keep: readonly TableName[], prepared?: Prepared, outdated?: ReadonlySet<string>): void;
}

/** What `Store.prepare` has made ready, in a form that its driver alone knows. */
export type Prepared = object;

/** The epoch of a world that is gone. */
export const NO_EPOCH = 0;
/** The epoch that those who do the work of a world are told once another process runs it, or none. */
export const RUN_ELSEWHERE = -1;

/**
 * What a commit changed. There is one for every transaction that wrote anything, even if only records, and one for a
 * world that was created or deleted (then with an empty schedule).
 */
export interface Commit {
  readonly world: string;
  /** The world's epoch after it; what was to be done in another one is not done any more. */
  readonly epoch: number;
  readonly appended: readonly Appended[];
  /** Null unless the schedule or the clock changed; when the earliest task is due, by that clock. */
  readonly schedule: { readonly nextAt: number | null; readonly clock: ClockState } | null;
}

/** As the listeners of `Store.onCommit`, it must neither throw nor wait. */
export type WorldListener = (commit: Commit | null) => void;

export interface NewWorld extends WorldFacts {
  readonly clock: ClockState;
  readonly assumptions: AssumptionValues;
  readonly epoch: number;
  /** 0 by default. */
  readonly ordinals_from?: number;
}

/** What worlds have met: how often each fact, in all of them together. */
export interface CoverageOfWorlds {
  /** The worlds that were added up, those that have gone included. */
  readonly worlds: readonly string[];
  /** How many worlds that have gone are no longer remembered. */
  readonly forgotten: number;
  readonly counts: ReadonlyMap<string, number>;
}

/** Names and their counts in turn, which takes a quarter of the memory of a map. */
export type PackedCounts = readonly (string | number)[];

/** A world as plain data: what `--state` writes, and `restore` in this folder reads. */
export interface WorldDump {
  /** When it was dumped, in system time. */
  readonly systemTime: number;
  readonly facts: WorldFacts;
  readonly state: WorldState;
  /** In no order. */
  readonly rows: { readonly [Table in TableName]?: readonly Row<Table>[] };
  /** Ids of fixture records that the world deleted. */
  readonly deleted: { readonly [Table in TableName]?: readonly string[] };
  readonly counters: Readonly<Record<string, number>>;
  /** The latest ordinal under each name. */
  readonly ordinals: Readonly<Record<string, number>>;
  /** How often it has met each fact; absent in files of earlier versions. */
  readonly coverage?: Readonly<Record<string, number>>;
  /** In no order. */
  readonly schedule: readonly ScheduledTask[];
  readonly journals: { readonly [Name in JournalName]: Journal<Name> };
}

/** What has changed in a world since its last dump or delta. */
export interface WorldDelta extends Pick<WorldDump, 'systemTime' | 'state' | 'rows' | 'deleted'> {
  /** Ids of records that are gone and that the fixture does not have. */
  readonly removed: { readonly [Table in TableName]?: readonly string[] };
  /** Those that have changed; 0 for one that is gone. */
  readonly counters: Readonly<Record<string, number>>;
  readonly ordinals: Readonly<Record<string, number>>;
  readonly coverage?: Readonly<Record<string, number>>;
  readonly scheduled: readonly ScheduledTask[];
  /** The `order` of tasks that have run or were canceled. */
  readonly unscheduled: readonly number[];
  readonly journals: { readonly [Name in JournalName]?: JournalDelta<Name> };
}

/** Entries that are new or amended, in the order of the journal, and the ids of those that were dropped. */
export interface JournalDelta<Name extends JournalName> extends Journal<Name> {
  readonly removed: readonly string[];
}

/** A change of a world: all of it if it was created or reset, else the delta; null if it was deleted. */
export type WorldChange = { readonly dump: WorldDump } | { readonly delta: WorldDelta } | null;

export interface Store {
  /** The time by which the clocks of its worlds run, in milliseconds; it never goes back. */
  systemTime(): number;
  /**
   * Runs a body alone in a world, and commits. `cause` is the journal entry that causes what it does. Rejects with
   * NoSuchWorld, or with what the body throws. The body must not return a promise.
   */
  transaction<T>(world: string, body: (tx: Tx) => T, cause?: string | null): Promise<T>;
  /** The facts about a world; undefined if it does not exist. */
  world(name: string): Awaitable<WorldFacts | undefined>;
  worlds(): Awaitable<readonly WorldFacts[]>;
  worldCount(): Awaitable<number>;
  /** Whether records fill their share of the memory budget, so that no world can be added. */
  isFull(): Awaitable<boolean>;
  /** The error of a world that is not added for that reason; counts it. */
  refusal(): ApiError;
  /** Creates a world; does nothing and returns false if the name is taken. */
  addWorld(world: NewWorld, fill?: (tx: Tx) => void): Promise<boolean>;
  dropWorld(name: string): Promise<boolean>;
  /**
   * Makes ready, outside of any transaction, records, tasks and journal entries that `Tx.wipe` then puts in the place of
   * the world's, once: `fill` writes them to an empty world, in pieces of work of a fraction of a millisecond.
   */
  prepare(world: string, fill: (tx: Tx) => Iterator<void>): Iterator<void, Prepared>;
  /**
   * Adds up what the worlds have met whose names match, together with those that have gone, in pieces of work of a
   * fraction of a millisecond.
   */
  coverage(matches: (world: string) => boolean): Awaitable<Iterator<void, CoverageOfWorlds>>;
  /** Everything that a world holds beyond its fixture, as plain data. */
  dump(world: string, systemTime: number): Promise<WorldDump>;
  /** The record that carries this unique value (such as the hash of an API key), and its world. */
  locate(table: TableName, unique: string): Awaitable<{ readonly world: string; readonly id: string } | undefined>;
  /** Calls a listener after each commit; it must neither throw nor wait. Returns a function that stops listening. */
  onCommit(listener: (commit: Commit) => void): () => void;
  /**
   * Calls a listener after each commit in a world, and with null when the world is deleted. Where several processes share
   * a store, it learns of the commits of all, several of them as one; `onCommit` has only what this process has appended.
   */
  watch(world: string, listener: WorldListener): () => void;
}

/** Thrown by a transaction on a world that does not exist. */
export class NoSuchWorld extends Error {
  constructor(name: string) {
    super(`There is no world "${name}".`);
  }
}
