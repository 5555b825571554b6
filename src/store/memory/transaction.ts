// A transaction on a world in memory: it writes immediately, and keeps a list of reversals in case its body throws.
import { worldTime } from '../../clock/clock.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { ScheduledTask, Task } from '../../lifecycles/tasks.ts';
import type { IndexOf, JournalName, Journals, Row, Subject, TableName } from '../../model.ts';
import { boundOf, boundReached } from '../bounds.ts';
import type { Appended, Journal, JournalHistory, ReadEntries } from '../history.ts';
import type { PageQuery, Prepared, Tx, WorldDump, WorldFacts, WorldState } from '../store.ts';
import { definitionOf } from '../tables.ts';
import type { Accounts, WorldShare } from './accounts.ts';
import { dropRecord } from './make-room.ts';
import { PatientFixture } from './patient-fixture.ts';
import { PreparedWorld } from './prepared-world.ts';
import type { Undo } from './table.ts';
import type { Uniques } from './uniques.ts';
import type { MemoryWorld } from './world.ts';

/** Changes of records that grow by less are never refused: a full share does not keep a call from ending. */
const SMALL_CHANGE = 4096;
/** A request that adds many records is refused after so many of them, and not when it has written all in vain. */
const LOOK_EVERY = 64;

export class MemoryTransaction implements Tx {
  at: number;
  readonly systemTime: number;
  cause: string | null;
  readonly undo: Undo = [];
  readonly appended: Appended[] = [];
  scheduleChanged = false;
  /** What it has met; counted when it commits. */
  covered: string[] = [];
  /** The shares that had no room for what it wrote; counted when it ends, also if it is undone. */
  readonly refused: WorldShare[] = [];
  readonly fixture: PatientFixture;
  readonly #world: MemoryWorld;
  readonly #uniques: Uniques;
  readonly #accounts: Accounts;
  isBounded = false;
  /** Records that are new to the world. */
  #added = 0;
  /** Where the journals of the world stood when it began. */
  readonly #began: number;

  constructor(world: MemoryWorld, uniques: Uniques, accounts: Accounts, systemTime: number, cause: string | null) {
    this.#world = world;
    this.fixture = new PatientFixture(world);
    this.#began = world.journals.position;
    this.#uniques = uniques;
    this.#accounts = accounts;
    this.systemTime = systemTime;
    this.at = worldTime(world.state.clock, systemTime);
    this.cause = cause;
  }

  /** Runs a body: once, although it could run again after `rollBack`. */
  run<T>(body: (tx: Tx) => T): T {
    return body(this);
  }

  /** Undoes everything that was written, so that the world is as if nothing had happened. */
  rollBack(): void {
    while (this.undo.length > 0) this.undo.pop()?.();
    this.appended.length = 0;
    this.covered.length = 0;
    this.refused.length = 0;
    this.scheduleChanged = false;
    this.#added = 0;
    this.#world.journals.position = this.#began;
  }

  get world(): WorldFacts {
    return this.#world.facts;
  }

  causedBy<T>(cause: string | null, body: () => T): T {
    const before = this.cause;
    this.cause = cause;
    try {
      return body();
    } finally {
      this.cause = before;
    }
  }

  asOf<T>(at: number, body: () => T): T {
    const before = this.at;
    this.at = at;
    try {
      return body();
    } finally {
      this.at = before;
    }
  }

  attempt(body: () => void): { readonly error: unknown } | undefined {
    const [written, appended, covered] = [this.undo.length, this.appended.length, this.covered.length];
    const added = this.#added;
    try {
      body();
      return undefined;
    } catch (error) {
      while (this.undo.length > written) this.undo.pop()?.();
      this.appended.length = appended;
      this.covered.length = covered;
      this.#added = added;
      return { error };
    }
  }

  get<Table extends TableName>(table: Table, id: string): Row<Table> | undefined {
    return this.#world.table(table).get(this.fixture.view, id);
  }

  withinBounds<T>(body: () => T): T {
    const outer = this.isBounded;
    const added = this.#added;
    const before = this.#world.written();
    this.isBounded = true;
    try {
      const value = body();
      const grown = this.#world.written() - before;
      const isLarge = this.#added > added ? grown > 0 : grown > SMALL_CHANGE;
      if (isLarge && this.lacksRoom('records', 0)) throw this.refusal('records');
      return value;
    } finally {
      this.isBounded = outer;
    }
  }

  lacksRoom(share: WorldShare, bytes: number): boolean {
    return this.#accounts.lacksRoom(this.#world, share, bytes);
  }

  refusal(share: WorldShare): ApiError {
    this.refused.push(share);
    return this.#accounts.refusal(share, this.#world);
  }

  put<Table extends TableName>(table: Table, row: Row<Table>): void {
    const rows = this.#world.table(table);
    const { unique, id, whenChanged } = definitionOf(table);
    const before = whenChanged && rows.get(this.fixture.view, id(row));
    const isNew = rows.put(row, this.undo);
    if (before) whenChanged?.(this, before, row);
    if (unique) this.#uniques.claim(table, unique(row), { world: this.world.name, id: id(row) }, this.undo);
    for (let surplus = rows.surplus(); surplus !== undefined; surplus = rows.surplus()) this.#drop(table, surplus);
    // A request that only reads has a rate window too.
    if (table === 'rate_windows') return;
    // Nor is a record of the fixture that changes for the first time.
    if (!isNew || !this.isBounded || this.fixture.view.get(table, id(row))) return;
    this.#added += 1;
    if (this.#added % LOOK_EVERY === 0 && this.lacksRoom('records', 0)) throw this.refusal('records');
    const bound = rows.isOverfull ? boundOf(table) : undefined;
    if (bound) throw boundReached(bound);
  }

  /** Deletes a record that the bound of its kind leaves no place for. */
  #drop(table: TableName, id: string): void {
    dropRecord(this.#world, this.#uniques, table, id, this.undo);
    this.scheduleChanged = true;
    this.#accounts.countDropped('records', 1, this.undo);
  }

  remove<Table extends TableName>(table: Table, id: string): void {
    const { unique } = definitionOf(table);
    const row = unique && this.get(table, id);
    if (unique && row) this.#uniques.release(table, unique(row), this.undo);
    this.#world.table(table).remove(this.fixture.view, id, this.undo);
  }

  page<Table extends TableName>(
    table: Table,
    index: IndexOf<Table>,
    value: string,
    query: PageQuery = {},
  ): Row<Table>[] {
    return this.#world.table(table).page(this.fixture.view, index, value, query);
  }

  count<Table extends TableName>(table: Table, index: IndexOf<Table>, value: string): number {
    return this.#world.table(table).count(this.fixture.view, index, value);
  }

  ordinal(name: string): number {
    const next = (this.#world.ordinals.get(name) ?? this.state('ordinals_from')) + 1;
    this.setOrdinal(name, next);
    return next;
  }

  setOrdinal(name: string, latest: number): void {
    this.#world.ordinals.write(name, latest, this.undo);
  }

  counter(name: string): number {
    return this.#world.counters.get(name) ?? 0;
  }

  setCounter(name: string, value: number): void {
    this.#world.counters.write(name, value, this.undo);
  }

  state<Name extends keyof WorldState>(name: Name): WorldState[Name] {
    return this.#world.state[name];
  }

  setState<Name extends keyof WorldState>(name: Name, value: WorldState[Name]): void {
    const world = this.#world;
    const before = world.state[name];
    world.setState(name, value);
    if (name === 'clock') this.scheduleChanged = true;
    this.undo.push(() => world.setState(name, before));
  }

  schedule(task: Task, at: number): void {
    this.#world.schedule.add(task, at, this.cause, this.undo);
    this.scheduleChanged = true;
  }

  unschedule(subject: Subject): void {
    this.#world.schedule.cancelAbout(subject, this.undo);
    this.scheduleChanged = true;
  }

  nextTask(): ScheduledTask | undefined {
    return this.#world.schedule.peek();
  }

  takeTask(dueBy: number): ScheduledTask | undefined {
    const task = this.#world.schedule.take(dueBy, this.undo);
    if (task) this.scheduleChanged = true;
    return task;
  }

  taskCount(): number {
    return this.#world.schedule.size;
  }

  append<Name extends JournalName>(name: Name, entry: Journals[Name]): void {
    const { journals } = this.#world;
    journals.position += 1;
    journals.of(name).append(entry, journals.position, this.#began, this.undo);
    this.#recordAppended(name, entry, false);
  }

  bringBack<Name extends JournalName>(name: Name, entry: Journals[Name]): void {
    const { journals } = this.#world;
    journals.position += 1;
    journals.of(name).append(entry, journals.position, this.#began, this.undo, 0);
  }

  amend<Name extends JournalName>(name: Name, entry: Journals[Name]): void {
    const { journals } = this.#world;
    journals.position += 1;
    if (journals.of(name).amend(entry, journals.position, this.undo)) this.#recordAppended(name, entry, true);
  }

  entry<Name extends JournalName>(name: Name, id: string): Journals[Name] | undefined {
    return this.#world.journals.of(name).get(id);
  }

  journal<Name extends JournalName>(name: Name): Journal<Name> {
    return this.#world.journals.read(name);
  }

  cover(fact: string): void {
    this.covered.push(fact);
  }

  setDroppedCount(name: JournalName, dropped: number, upTo: string | null): void {
    const { journals } = this.#world;
    journals.of(name).setDropped(dropped, upTo, journals.position);
  }

  get history(): JournalHistory {
    return this.#world.journals;
  }

  dump(read?: ReadEntries, except?: readonly TableName[]): WorldDump {
    return this.#world.dump(this.systemTime, read, except);
  }

  wipe(keep: readonly TableName[], prepared?: Prepared, outdated?: ReadonlySet<string>): void {
    const world = this.#world;
    const emptied = (): TableName[] => world.tableNames().filter((table) => !keep.includes(table));
    for (const table of emptied()) this.#uniques.releaseAll(world.table(table), this.undo);
    this.undo.push(world.empty(keep));
    this.scheduleChanged = true;
    if (prepared instanceof PreparedWorld) {
      prepared.takePlaceOf(world, this.appended, outdated);
      this.#accounts.countDropped('journals', prepared.dropped, this.undo);
    }
    for (const table of emptied()) this.#uniques.claimAll(world.table(table), world.facts.name, this.undo);
  }

  #recordAppended<Name extends JournalName>(journal: Name, entry: Journals[Name], amended: boolean): void {
    // A union by journal; TypeScript does not see that name and entry go together while the name is generic.
    this.appended.push({ journal, entry, amended, position: this.#world.journals.position } as Appended);
  }
}
