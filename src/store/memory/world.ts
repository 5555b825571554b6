// One world in memory: its tables, schedule, journals and single values, above the fixture that it began with.
import type { JournalName, TableName } from '../../model.ts';
import type { Counters } from '../call-usage.ts';
import type {
  Appended,
  FixtureView,
  Journal,
  JournalHistory,
  NewWorld,
  WorldChange,
  WorldDelta,
  WorldDump,
  WorldFacts,
  WorldState,
} from '../store.ts';
import { MemoryJournal } from './journal.ts';
import { NumberMap } from './number-map.ts';
import { MemorySchedule } from './schedule.ts';
import { MemoryTable, type Undo } from './table.ts';
import { COVERED_BYTES, NUMBER_BYTES, noUsage, TASK_BYTES, type Usage, WORLD_BYTES } from './usage.ts';

export const journalNames: readonly JournalName[] = ['requests', 'steps', 'events', 'deliveries', 'inbox', 'ticks'];

/** The fixture under a world that begins at that instant. */
export type FixtureUnder = (world: WorldFacts, startsAt: number) => FixtureView;

type MemoryTables = { [Table in TableName]?: MemoryTable<Table> };
type MemoryJournals = { [Name in JournalName]?: MemoryJournal<Name> };

/** What a world takes of the shares of the memory budget, in bytes; of `records` in two parts. */
export interface Taken extends Readonly<Usage> {
  readonly deliveries: number;
  readonly journals: number;
}

const nothingTaken: Taken = { ...noUsage(), deliveries: 0, journals: 0 };

export class MemoryWorld implements JournalHistory {
  readonly facts: WorldFacts;
  readonly state: WorldState;
  readonly counters: NumberMap;
  /** The latest ordinal under each name. */
  readonly ordinals: NumberMap;
  /** How often it has met each fact; null until it meets one. */
  coverage: NumberMap | null = null;
  tables: MemoryTables = {};
  schedule: MemorySchedule;
  journals: MemoryJournals = {};
  fixture: FixtureView;
  readonly usage: Usage = noUsage();
  /** What it took when the store counted it last. */
  counted: Taken = nothingTaken;
  /** Whether it was deleted: it takes nothing then. */
  isGone = false;
  locked = false;
  /** How many entries its journals have got, and how often one was amended; a reset goes on from there. */
  position = 0;
  readonly waiting: (() => void)[] = [];
  readonly #fixtureOf: FixtureUnder;
  /** Whether it notes what changes. */
  readonly tracked: boolean;
  readonly #maxCalls: number;
  /** Whether all of it has changed, so that its parts need not be told apart. */
  #isNew = true;

  /** `tracked`: whether it notes what changes, for `takeChange`; `maxCalls`: how many finished calls it keeps. */
  constructor(world: NewWorld, fixtureOf: FixtureUnder, tracked: boolean, maxCalls: number) {
    const { clock, assumptions, epoch, ordinals_from = 0, ...facts } = world;
    this.facts = facts;
    this.state = { clock, assumptions, starts_at: clock.at, epoch, ordinals_from };
    this.tracked = tracked;
    this.#maxCalls = maxCalls;
    this.counters = new NumberMap(tracked);
    this.ordinals = new NumberMap(tracked);
    this.schedule = new MemorySchedule(tracked);
    this.#fixtureOf = fixtureOf;
    this.fixture = fixtureOf(facts, clock.at);
  }

  table<Table extends TableName>(name: Table): MemoryTable<Table> {
    const tables: { [Each in Table]?: MemoryTable<Each> } = this.tables;
    tables[name] ??= new MemoryTable(name, this.tracked, this.usage, this.#maxCalls);
    return tables[name];
  }

  /** The tables that the world has written to. */
  tableNames(): TableName[] {
    return Object.values(this.tables).map(({ name }) => name);
  }

  journal<Name extends JournalName>(name: Name): MemoryJournal<Name> {
    const journals: { [Each in Name]?: MemoryJournal<Each> } = this.journals;
    journals[name] ??= new MemoryJournal(name, this.tracked);
    return journals[name];
  }

  readJournal<Name extends JournalName>(name: Name): Journal<Name> {
    const journal = this.journal(name);
    return { entries: journal.entries(), dropped: journal.dropped, droppedUpTo: journal.droppedUpTo };
  }

  positionOf(journal: JournalName, id: string): number | undefined {
    return this.journal(journal).orderOf(id);
  }

  /** How many entries were dropped from journals that may have lost one as late as the transaction of that entry. */
  droppedSince(journal: JournalName, id: string): number {
    const began = this.journal(journal).beganOf(id) ?? 0;
    const { requests, steps, events, deliveries } = this.journals;
    return [requests, steps, events, deliveries].reduce((sum, each) => sum + (each?.droppedSince(began) ?? 0), 0);
  }

  /** What was appended or amended after a position, in that order; null if some of it is no longer kept. */
  appendedAfter(position: number, journals: readonly JournalName[] = journalNames): Appended[] | null {
    if (journals.some((name) => this.journals[name]?.hasDroppedAfter(position))) return null;
    return this.#after(position, journals);
  }

  /** Everything that is kept, in the order in which it was appended or amended last; not what was brought back. */
  kept(journals: readonly JournalName[] = journalNames): Appended[] {
    return this.#after(0, journals);
  }

  #after(position: number, journals: readonly JournalName[]): Appended[] {
    const { requests, steps, events, deliveries, inbox, ticks } = this.journals;
    const appended: Appended[] = [];
    for (const each of requests?.after(position) ?? []) appended.push({ journal: 'requests', ...each });
    for (const each of steps?.after(position) ?? []) appended.push({ journal: 'steps', ...each });
    for (const each of events?.after(position) ?? []) appended.push({ journal: 'events', ...each });
    for (const each of deliveries?.after(position) ?? []) appended.push({ journal: 'deliveries', ...each });
    for (const each of inbox?.after(position) ?? []) appended.push({ journal: 'inbox', ...each });
    for (const each of ticks?.after(position) ?? []) appended.push({ journal: 'ticks', ...each });
    return appended.filter(({ journal }) => journals.includes(journal)).sort((a, b) => a.position - b.position);
  }

  /** Its counters, as they are written where `undo` undoes it. */
  countersIn(undo: Undo): Counters {
    return {
      counter: (name) => this.counters.get(name) ?? 0,
      setCounter: (name, value) => this.counters.write(name, value, undo),
    };
  }

  setState<Name extends keyof WorldState>(name: Name, value: WorldState[Name]): void {
    this.state[name] = value;
    if (name === 'starts_at') this.fixture = this.#fixtureOf(this.facts, this.state.starts_at);
  }

  /** An empty world above the same fixture, to be filled and taken over. */
  draft(): MemoryWorld {
    const { clock, assumptions, epoch } = this.state;
    const world = { ...this.facts, clock, assumptions, epoch };
    const draft = new MemoryWorld(world, this.#fixtureOf, this.tracked, this.#maxCalls);
    draft.position = this.position;
    return draft;
  }

  /** Takes the tables, the schedule and the journals of a draft, after it was emptied. */
  takeOver({ tables, schedule, journals, position }: MemoryWorld): void {
    for (const table of Object.values(tables)) if (!this.tables[table.name]) table.countIn(this.usage);
    this.tables = { ...tables, ...this.tables };
    this.schedule = schedule;
    this.journals = journals;
    this.position = Math.max(this.position, position);
  }

  /** Empties everything that a reset does, apart from the tables that it keeps. Returns what undoes it. */
  empty(kept: readonly TableName[]): () => void {
    const { tables, schedule, journals } = this;
    const usage = { ...this.usage };
    const counters = [...this.counters];
    const ordinals = [...this.ordinals];
    this.tables = Object.fromEntries(kept.flatMap((name) => (tables[name] ? [[name, tables[name]]] : [])));
    this.schedule = new MemorySchedule(this.tracked);
    this.journals = {};
    this.counters.clear();
    this.ordinals.clear();
    this.#isNew = true;
    Object.assign(this.usage, noUsage());
    for (const table of Object.values(this.tables)) table.countIn(this.usage);
    return () => {
      Object.assign(this, { tables, schedule, journals });
      Object.assign(this.usage, usage);
      for (const [name, value] of counters) this.counters.set(name, value);
      for (const [name, value] of ordinals) this.ordinals.set(name, value);
    };
  }

  /** What it takes of the memory budget now. */
  taken(): Taken {
    if (this.isGone) return nothingTaken;
    const { kept, ended, documents } = this.usage;
    const { requests, steps, events, deliveries, inbox, ticks } = this.journals;
    return {
      kept:
        WORLD_BYTES +
        kept +
        this.schedule.size * TASK_BYTES +
        (this.counters.size + this.ordinals.size) * NUMBER_BYTES +
        (this.coverage?.size ?? 0) * COVERED_BYTES +
        this.fixture.bytes,
      ended,
      documents,
      deliveries: (deliveries?.openBytes ?? 0) + (ticks?.openBytes ?? 0),
      journals:
        (requests?.bytes ?? 0) +
        (steps?.bytes ?? 0) +
        (events?.bytes ?? 0) +
        (deliveries?.bytes ?? 0) +
        (inbox?.bytes ?? 0) +
        (ticks?.bytes ?? 0),
    };
  }

  /** What stays of it until it is deleted, beside the records of its fixture, which reading makes. */
  written(): number {
    return this.taken().kept - this.fixture.bytes;
  }

  /** Drops the oldest entry of the largest journal; false if nothing may be dropped. */
  dropOldestEntry(): boolean {
    const journals = Object.values(this.journals);
    return journals.length > 0 && journals.reduce((a, b) => (a.bytes >= b.bytes ? a : b)).dropOldest();
  }

  /** Forgets the records of the fixture that were made for this world: they are made again when they are read. */
  forgetFixtureRows(): void {
    if (this.fixture.bytes > 0) this.fixture = this.#fixtureOf(this.facts, this.state.starts_at);
  }

  dump(systemTime: number): WorldDump {
    const tables = Object.values(this.tables);
    return {
      systemTime,
      facts: this.facts,
      state: { ...this.state },
      rows: Object.fromEntries(tables.map(({ name, rows }) => [name, [...rows.values()]])),
      deleted: Object.fromEntries(tables.map(({ name, deleted }) => [name, [...deleted]])),
      counters: Object.fromEntries(this.counters),
      ordinals: Object.fromEntries(this.ordinals),
      coverage: Object.fromEntries(this.coverage ?? []),
      schedule: this.schedule.tasks(),
      journals: {
        requests: this.readJournal('requests'),
        steps: this.readJournal('steps'),
        events: this.readJournal('events'),
        deliveries: this.readJournal('deliveries'),
        inbox: this.readJournal('inbox'),
        ticks: this.readJournal('ticks'),
      },
    };
  }

  /** What has changed since the last call. */
  takeChange(systemTime: number): WorldChange {
    const delta = this.#takeDelta(systemTime);
    if (!this.#isNew) return { delta };
    this.#isNew = false;
    return { dump: this.dump(systemTime) };
  }

  #takeDelta(systemTime: number): WorldDelta {
    const changes = Object.values(this.tables).map((table) => ({ name: table.name, ...table.takeChanges() }));
    const of = (part: 'rows' | 'deleted' | 'removed') =>
      Object.fromEntries(changes.flatMap(({ name, [part]: values }) => (values.length > 0 ? [[name, values]] : [])));
    const { requests, steps, events, deliveries, inbox, ticks } = this.journals;
    return {
      systemTime,
      state: { ...this.state },
      rows: of('rows'),
      deleted: of('deleted'),
      removed: of('removed'),
      counters: this.counters.takeChanges(),
      ordinals: this.ordinals.takeChanges(),
      coverage: this.coverage?.takeChanges() ?? {},
      ...this.schedule.takeChanges(),
      journals: {
        ...named('requests', requests?.takeChanges()),
        ...named('steps', steps?.takeChanges()),
        ...named('events', events?.takeChanges()),
        ...named('deliveries', deliveries?.takeChanges()),
        ...named('inbox', inbox?.takeChanges()),
        ...named('ticks', ticks?.takeChanges()),
      },
    };
  }
}

/** An object with that property, unless its value is undefined. */
function named<Name extends JournalName, Value>(name: Name, value: Value | undefined): { [Each in Name]?: Value } {
  const found: { [Each in Name]?: Value } = {};
  if (value !== undefined) found[name] = value;
  return found;
}
