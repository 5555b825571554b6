// The store in this process's memory. A transaction runs at once and alone in its world, writes directly, and keeps a
// list of how to undo each write for the case that its body throws.
import type { JournalName, Journals, Row, ScheduledTask, Subject, TableName } from '../../model.ts';
import {
  type Appended,
  type Awaitable,
  type Commit,
  type FixtureView,
  type Journal,
  type NewWorld,
  NoSuchWorld,
  type PageQuery,
  type Store,
  type Tx,
  type WorldDump,
  type WorldFacts,
  type WorldState,
} from '../store.ts';
import { definitionOf, type IndexOf } from '../tables.ts';
import { MemoryJournal } from './journal.ts';
import { MemorySchedule } from './schedule.ts';
import { MemoryTable, type Undo } from './table.ts';

export interface MemoryStoreOptions {
  /** The fixture under a world that begins at that instant. */
  readonly fixtureView: (world: WorldFacts, startsAt: number) => FixtureView;
  /** Entries kept per world and journal. */
  readonly journalLimit: number;
  /** Bytes that the journals of all worlds may take together. */
  readonly journalBytes: number;
}

const journalNames: readonly JournalName[] = ['requests', 'steps', 'events', 'deliveries'];

type MemoryJournals = { [Name in JournalName]?: MemoryJournal<Name> };

class MemoryWorld {
  readonly facts: WorldFacts;
  readonly state: WorldState;
  readonly counters = new Map<string, number>();
  tables = new Map<TableName, MemoryTable<TableName>>();
  schedule = new MemorySchedule();
  journals: MemoryJournals = {};
  base: FixtureView;
  /** What its journals were counted at in the store's sum. */
  countedBytes = 0;
  locked = false;
  readonly waiting: (() => void)[] = [];
  readonly #baseOf: (startsAt: number) => FixtureView;

  constructor(world: NewWorld, baseOf: MemoryStoreOptions['fixtureView']) {
    const { clock, assumptions, epoch, ...facts } = world;
    this.facts = facts;
    this.state = { clock, assumptions, starts_at: clock.at, epoch };
    this.#baseOf = (startsAt) => baseOf(facts, startsAt);
    this.base = this.#baseOf(clock.at);
  }

  table<Table extends TableName>(name: Table): MemoryTable<Table> {
    let table = this.tables.get(name);
    if (!table) {
      table = new MemoryTable<TableName>(name);
      this.tables.set(name, table);
    }
    return table as unknown as MemoryTable<Table>;
  }

  journal<Name extends JournalName>(name: Name): MemoryJournal<Name> {
    const journals = this.journals as { [Each in Name]?: MemoryJournal<Each> };
    journals[name] ??= new MemoryJournal<Name>(name);
    return journals[name];
  }

  rebase(startsAt: number): void {
    this.state.starts_at = startsAt;
    this.base = this.#baseOf(startsAt);
  }

  journalBytes(): number {
    let bytes = 0;
    for (const name of journalNames) bytes += this.journals[name]?.bytes ?? 0;
    return bytes;
  }
}

class MemoryTx implements Tx {
  at = 0;
  cause: string | null = null;
  readonly undo: Undo = [];
  readonly appended: Appended[] = [];
  scheduleChanged = false;
  readonly #world: MemoryWorld;
  readonly #uniques: Map<string, { world: string; id: string }>;

  constructor(world: MemoryWorld, uniques: Map<string, { world: string; id: string }>) {
    this.#world = world;
    this.#uniques = uniques;
  }

  get world(): WorldFacts {
    return this.#world.facts;
  }

  get<Table extends TableName>(table: Table, id: string): Row<Table> | undefined {
    return this.#world.table(table).get(this.#world.base, id);
  }

  put<Table extends TableName>(table: Table, row: Row<Table>): void {
    this.#world.table(table).put(row, this.undo);
    const { unique, id } = definitionOf(table);
    if (unique) this.#claim(uniqueKey(table, unique(row)), id(row));
  }

  remove(table: TableName, id: string): void {
    const { unique } = definitionOf(table);
    const row = unique && this.get(table, id);
    if (unique && row) this.#release(uniqueKey(table, unique(row)));
    this.#world.table(table).remove(this.#world.base, id, this.undo);
  }

  page<Table extends TableName>(
    table: Table,
    index: IndexOf<Table>,
    value: string,
    query: PageQuery = {},
  ): Row<Table>[] {
    return this.#world.table(table).page(this.#world.base, index, value, query);
  }

  count<Table extends TableName>(table: Table, index: IndexOf<Table>, value: string): number {
    return this.#world.table(table).count(this.#world.base, index, value);
  }

  ordinal(name: string): number {
    const next = this.counter(name) + 1;
    this.setCounter(name, next);
    return next;
  }

  counter(name: string): number {
    return this.#world.counters.get(name) ?? 0;
  }

  setCounter(name: string, value: number): void {
    const { counters } = this.#world;
    const before = counters.get(name);
    if (value === 0) counters.delete(name);
    else counters.set(name, value);
    this.undo.push(() => (before === undefined ? counters.delete(name) : counters.set(name, before)));
  }

  state<Name extends keyof WorldState>(name: Name): WorldState[Name] {
    return this.#world.state[name];
  }

  setState<Name extends keyof WorldState>(name: Name, value: WorldState[Name]): void {
    const world = this.#world;
    const before = world.state[name];
    const set = (to: WorldState[Name]): void => {
      if (name === 'starts_at') world.rebase(to as number);
      else world.state[name] = to;
    };
    set(value);
    if (name === 'clock') this.scheduleChanged = true;
    this.undo.push(() => set(before));
  }

  schedule(row: Omit<ScheduledTask, 'order'>): void {
    this.#world.schedule.add(row, this.undo);
    this.scheduleChanged = true;
  }

  unschedule(subject: Subject): void {
    this.#world.schedule.strikeSubject(subject, this.undo);
    this.scheduleChanged = true;
  }

  nextTask(): ScheduledTask | undefined {
    return this.#world.schedule.peek();
  }

  takeTask(dueBy: number): ScheduledTask | undefined {
    const row = this.#world.schedule.take(dueBy, this.undo);
    if (row) this.scheduleChanged = true;
    return row;
  }

  taskCount(): number {
    return this.#world.schedule.size;
  }

  append<Name extends JournalName>(name: Name, entry: Journals[Name]): void {
    this.#world.journal(name).append(entry, this.undo);
    this.appended.push({ journal: name, entry, amended: false } as Appended);
  }

  amend<Name extends JournalName>(name: Name, entry: Journals[Name]): void {
    if (!this.#world.journal(name).amend(entry, this.undo)) return;
    this.appended.push({ journal: name, entry, amended: true } as Appended);
  }

  entry<Name extends JournalName>(name: Name, id: string): Journals[Name] | undefined {
    return this.#world.journal(name).get(id);
  }

  journal<Name extends JournalName>(name: Name): Journal<Name> {
    return readJournal(this.#world, name);
  }

  setDroppedCount(name: JournalName, dropped: number, upTo: string | null): void {
    const journal = this.#world.journal(name);
    journal.dropped = dropped;
    journal.droppedUpTo = upTo;
  }

  wipe(keep: readonly TableName[]): void {
    const world = this.#world;
    const { tables, schedule, journals } = world;
    for (const [name, table] of tables) {
      const { unique } = definitionOf(name);
      if (unique && !keep.includes(name))
        for (const row of table.rows.values()) this.#release(uniqueKey(name, unique(row)));
    }
    const counters = [...world.counters];
    world.tables = new Map([...tables].filter(([name]) => keep.includes(name)));
    world.schedule = new MemorySchedule();
    world.journals = {};
    world.counters.clear();
    this.scheduleChanged = true;
    this.undo.push(() => {
      world.tables = tables;
      world.schedule = schedule;
      world.journals = journals;
      for (const [name, value] of counters) world.counters.set(name, value);
    });
  }

  #claim(key: string, id: string): void {
    const before = this.#uniques.get(key);
    this.#uniques.set(key, { world: this.#world.facts.name, id });
    this.undo.push(() => (before ? this.#uniques.set(key, before) : this.#uniques.delete(key)));
  }

  #release(key: string): void {
    const before = this.#uniques.get(key);
    this.#uniques.delete(key);
    this.undo.push(() => before && this.#uniques.set(key, before));
  }
}

function readJournal<Name extends JournalName>(world: MemoryWorld, name: Name): Journal<Name> {
  const journal = world.journal(name);
  return { entries: journal.entries(), dropped: journal.dropped, droppedUpTo: journal.droppedUpTo };
}

function uniqueKey(table: TableName, value: string): string {
  return `${table} ${value}`;
}

export class MemoryStore implements Store {
  readonly #options: MemoryStoreOptions;
  readonly #worlds = new Map<string, MemoryWorld>();
  readonly #uniques = new Map<string, { world: string; id: string }>();
  readonly #listeners = new Set<(commit: Commit) => void>();
  #journalBytes = 0;

  constructor(options: MemoryStoreOptions) {
    this.#options = options;
  }

  async transaction<T>(name: string, body: (tx: Tx) => Awaitable<T>): Promise<T> {
    const world = this.#worlds.get(name);
    if (!world) throw new NoSuchWorld(name);
    // Whoever wakes one that waits leaves the world locked for it.
    if (world.locked) await new Promise<void>((resolve) => world.waiting.push(resolve));
    world.locked = true;
    const tx = new MemoryTx(world, this.#uniques);
    try {
      const result = body(tx);
      // Most bodies are done at once, and need not wait for their turn again.
      const value = result instanceof Promise ? await result : (result as T);
      this.#commit(world, tx);
      return value;
    } catch (error) {
      for (const undo of tx.undo.reverse()) undo();
      throw error;
    } finally {
      const next = world.waiting.shift();
      if (next) next();
      else world.locked = false;
    }
  }

  world(name: string): WorldFacts | undefined {
    return this.#worlds.get(name)?.facts;
  }

  worlds(): WorldFacts[] {
    return [...this.#worlds.values()].map(({ facts }) => facts);
  }

  worldCount(): number {
    return this.#worlds.size;
  }

  async addWorld(world: NewWorld, fill?: (tx: Tx) => Awaitable<void>): Promise<boolean> {
    if (this.#worlds.has(world.name)) return false;
    const added = new MemoryWorld(world, this.#options.fixtureView);
    this.#worlds.set(world.name, added);
    try {
      if (fill) await this.transaction(world.name, fill);
    } catch (error) {
      this.#worlds.delete(world.name);
      throw error;
    }
    this.#tell(added, [], true);
    return true;
  }

  async dropWorld(name: string): Promise<boolean> {
    const world = this.#worlds.get(name);
    if (!world) return false;
    this.#worlds.delete(name);
    for (const [key, owner] of this.#uniques) if (owner.world === name) this.#uniques.delete(key);
    this.#journalBytes -= world.countedBytes;
    world.schedule = new MemorySchedule();
    this.#tell(world, [], true);
    return true;
  }

  locate(table: TableName, unique: string): { world: string; id: string } | undefined {
    return this.#uniques.get(uniqueKey(table, unique));
  }

  onCommit(listener: (commit: Commit) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  dump(name: string, systemTime: number): Promise<WorldDump> {
    return this.transaction(name, () => {
      const world = this.#worlds.get(name) as MemoryWorld;
      const tables = [...world.tables];
      const journals = journalNames.map((journal) => [journal, readJournal(world, journal)]);
      return structuredClone({
        systemTime,
        facts: world.facts,
        state: world.state,
        rows: Object.fromEntries(tables.map(([table, { rows }]) => [table, [...rows.values()]])),
        deleted: Object.fromEntries(tables.map(([table, { deleted }]) => [table, [...deleted]])),
        counters: Object.fromEntries(world.counters),
        schedule: world.schedule.rows(),
        journals: Object.fromEntries(journals),
      }) as WorldDump;
    });
  }

  #commit(world: MemoryWorld, tx: MemoryTx): void {
    if (tx.appended.length > 0) this.#trimJournals(world);
    if (tx.scheduleChanged) world.schedule.compact();
    // Whatever is written can be undone, so that nothing was written where there is nothing to undo.
    if (tx.undo.length === 0 && !tx.scheduleChanged) return;
    this.#tell(world, tx.appended, tx.scheduleChanged);
  }

  #tell({ facts, schedule, state }: MemoryWorld, appended: readonly Appended[], scheduleChanged: boolean): void {
    const next = scheduleChanged ? { nextAt: schedule.peek()?.at ?? null, clock: state.clock } : null;
    const commit: Commit = { world: facts.name, appended, schedule: next };
    for (const listener of this.#listeners) listener(commit);
  }

  /** Keeps a world's journals to their limit, and all worlds' together to theirs: the largest world's oldest go. */
  #trimJournals(world: MemoryWorld): void {
    for (const name of journalNames) world.journals[name]?.trim(this.#options.journalLimit);
    this.#count(world);
    if (this.#journalBytes <= this.#options.journalBytes) return;
    // A little below the limit, so that the worlds are not searched again at the next commit.
    const goal = this.#options.journalBytes * 0.95;
    while (this.#journalBytes > goal) {
      const largest = [...this.#worlds.values()].reduce((a, b) => (a.countedBytes >= b.countedBytes ? a : b));
      if (!this.#dropFrom(largest, largest.countedBytes - (this.#journalBytes - goal))) return;
    }
  }

  /** Drops a world's oldest entries, of its largest journal first, until it is down to those bytes or halved. */
  #dropFrom(world: MemoryWorld, goal: number): boolean {
    const before = world.countedBytes;
    while (world.countedBytes > Math.max(goal, before / 2)) {
      const largest = Object.values(world.journals).reduce((a, b) => (a.bytes >= b.bytes ? a : b));
      if (!largest.dropOldest()) break;
      this.#count(world);
    }
    return world.countedBytes < before;
  }

  #count(world: MemoryWorld): void {
    const bytes = world.journalBytes();
    this.#journalBytes += bytes - world.countedBytes;
    world.countedBytes = bytes;
  }
}
