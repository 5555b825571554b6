// THE PORT behind which all state that changes lies. Resources, engine and control API know only this file; a driver
// (memory.ts) is held to it by the conformance suite.
//
// A transaction is scoped to one world and runs alone in it. Its body reads and writes through `tx`, at once, and has
// no effect on anything else, so that a driver may run it twice: one across a network lets it run until it misses a
// row, fetches that row, and runs it anew. What it throws undoes everything it did. Listeners hear of it after the
// commit.
import type { AssumptionValues } from '../assumptions/catalogue.ts';
import type { JournalName, Journals, Row, ScheduledTask, Subject, TableName } from '../model.ts';
import type { IndexOf } from './tables.ts';

/** What comes at once or later; `await` serves both. */
export type Awaitable<T> = T | Promise<T>;

export type ClockMode = 'real' | 'scaled' | 'manual' | 'instant';

/** Where a world's clock stands: the two instants (in milliseconds) that were once the same, and how it goes on. */
export interface ClockState {
  readonly mode: ClockMode;
  /** World milliseconds per real millisecond; 0 on a standing clock. */
  readonly speed: number;
  readonly systemTime: number;
  readonly at: number;
  /** Stands still while an advance is under way, whatever the mode. */
  readonly frozen: boolean;
}

/** How a world came to be; only `auto` ones are ever let go. */
export type WorldOrigin = 'bundled' | 'posted' | 'auto';

/** What is fixed about a world for as long as it lives. */
export interface WorldFacts {
  readonly name: string;
  readonly seed: number;
  readonly origin: WorldOrigin;
  readonly organization_id: string;
  /** The name of the fixture it was made from. */
  readonly fixture: string;
}

/** The small values of a world that are no records. */
export interface WorldState {
  clock: ClockState;
  /** The instant that fixture times are offsets from. */
  starts_at: number;
  /** Grows with every reset and restore, and goes on in a world made anew; deliveries of an older one are never sent. */
  epoch: number;
  assumptions: AssumptionValues;
}

/** The frozen fixture under a world: read through, never written. */
export interface FixtureView {
  get<Table extends TableName>(table: Table, id: string): Row<Table> | undefined;
  /** Ids and ranks of the records under that index value, by rising rank. */
  list(table: TableName, index: string, value: string): readonly { readonly id: string; readonly rank: number }[];
}

export interface PageQuery {
  /** Only records beyond this rank, in the direction of the listing. */
  readonly after?: number;
  /** All of them without one. */
  readonly limit?: number;
  readonly newestFirst?: boolean;
}

export interface Journal<Name extends JournalName> {
  readonly entries: readonly Journals[Name][];
  /** How many entries were dropped, and the latest instant of one of them. */
  readonly dropped: number;
  readonly droppedUpTo: string | null;
}

export interface Tx {
  readonly world: WorldFacts;
  /** The instant at which all of this happens, in milliseconds of the world's time; the engine sets it. */
  at: number;
  /** The journal entry that causes what this transaction does. */
  cause: string | null;

  get<Table extends TableName>(table: Table, id: string): Row<Table> | undefined;
  put<Table extends TableName>(table: Table, row: Row<Table>): void;
  remove(table: TableName, id: string): void;
  page<Table extends TableName>(table: Table, index: IndexOf<Table>, value: string, query?: PageQuery): Row<Table>[];
  count<Table extends TableName>(table: Table, index: IndexOf<Table>, value: string): number;

  /** The next of 1, 2, 3, … under that name. */
  ordinal(name: string): number;
  counter(name: string): number;
  setCounter(name: string, value: number): void;
  state<Name extends keyof WorldState>(name: Name): WorldState[Name];
  setState<Name extends keyof WorldState>(name: Name, value: WorldState[Name]): void;

  schedule(row: Omit<ScheduledTask, 'order'>): void;
  /** Deletes every row about that record. */
  unschedule(subject: Subject): void;
  /** The earliest row, left where it is. */
  nextTask(): ScheduledTask | undefined;
  /** The earliest row that is due by that instant, taken off the agenda. */
  takeTask(dueBy: number): ScheduledTask | undefined;
  taskCount(): number;

  append<Name extends JournalName>(journal: Name, entry: Journals[Name]): void;
  /** Puts an entry anew, under its id; does nothing where the entry is no longer kept. */
  amend<Name extends JournalName>(journal: Name, entry: Journals[Name]): void;
  entry<Name extends JournalName>(journal: Name, id: string): Journals[Name] | undefined;
  /** All entries that are kept, oldest first, and what was dropped. */
  journal<Name extends JournalName>(name: Name): Journal<Name>;

  /** Takes up the count of what another process dropped from a journal that is put back. */
  setDroppedCount(journal: JournalName, dropped: number, upTo: string | null): void;

  /** Empties tables (all but those named), agenda, journals and ordinals, as a reset does. */
  wipe(keep: readonly TableName[]): void;
}

/**
 * What a commit changed, for those who wait, stream, deliver, pace or keep. There is one for every transaction that has
 * written anything, if only records, and one for a world that has come or gone (then with an agenda without rows).
 */
export interface Commit {
  readonly world: string;
  readonly appended: readonly Appended[];
  /** Whether rows of the agenda or the clock changed; then when the earliest row is due, and the clock it goes by. */
  readonly schedule: { readonly nextAt: number | null; readonly clock: ClockState } | null;
}

export type Appended = {
  [Name in JournalName]: { readonly journal: Name; readonly entry: Journals[Name]; readonly amended: boolean };
}[JournalName];

export interface NewWorld extends WorldFacts {
  readonly clock: ClockState;
  readonly assumptions: AssumptionValues;
  readonly epoch: number;
}

/** A world as plain data: what `--state` writes; `restore` in this folder puts it back through a transaction. */
export interface WorldDump {
  /** When it was dumped, on the machine's clock in milliseconds. */
  readonly systemTime: number;
  readonly facts: WorldFacts;
  readonly state: WorldState;
  readonly rows: { readonly [Table in TableName]?: readonly Row<Table>[] };
  /** Fixture records that are gone. */
  readonly deleted: { readonly [Table in TableName]?: readonly string[] };
  readonly counters: Readonly<Record<string, number>>;
  readonly schedule: readonly ScheduledTask[];
  readonly journals: { readonly [Name in JournalName]: Journal<Name> };
}

export interface Store {
  transaction<T>(world: string, body: (tx: Tx) => Awaitable<T>): Promise<T>;
  /** What is fixed about a world, or undefined where there is none of that name. */
  world(name: string): Awaitable<WorldFacts | undefined>;
  worlds(): Awaitable<readonly WorldFacts[]>;
  worldCount(): Awaitable<number>;
  /** Makes a world; does nothing and answers false where the name is taken. */
  addWorld(world: NewWorld, fill?: (tx: Tx) => Awaitable<void>): Promise<boolean>;
  dropWorld(name: string): Promise<boolean>;
  /** Everything that a world holds beyond its fixture, as plain data. */
  dump(world: string, systemTime: number): Promise<WorldDump>;
  /** Whose record carries this unique value (the hash of an API key). */
  locate(table: TableName, unique: string): Awaitable<{ readonly world: string; readonly id: string } | undefined>;
  /** Called after each commit; must not throw and must not wait, and is called often. Answers how to stop listening. */
  onCommit(listener: (commit: Commit) => void): () => void;
}

/** Thrown by a transaction on a world that does not exist (any more). */
export class NoSuchWorld extends Error {
  constructor(name: string) {
    super(`there is no world ${name}`);
  }
}
