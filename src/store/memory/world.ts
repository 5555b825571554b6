// One world in memory: its tables, schedule, journals and single values, above the fixture that it began with.
import type { TableName } from '../../model.ts';
import type { Counters } from '../call-usage.ts';
import type { ReadEntries } from '../history.ts';
import type { FixtureView, NewWorld, WorldChange, WorldDelta, WorldDump, WorldFacts, WorldState } from '../store.ts';
import { WorldJournals } from './journals.ts';
import { NumberMap } from './number-map.ts';
import { MemorySchedule } from './schedule.ts';
import { MemoryTable, type Undo } from './table.ts';
import { COVERED_BYTES, NUMBER_BYTES, noUsage, TASK_BYTES, type Usage, WORLD_BYTES } from './usage.ts';

/** The fixture under a world that begins at that instant. */
export type FixtureUnder = (world: WorldFacts, startsAt: number) => FixtureView;

/** How far ahead of a world's journals those of its draft are: what happens to the world until then comes before. */
const AHEAD = 1_000_000;

type MemoryTables = { [Table in TableName]?: MemoryTable<Table> };

/** What a world takes of the shares of the memory budget, in bytes; of `records` in two parts. */
export interface Taken extends Readonly<Usage> {
  readonly deliveries: number;
  readonly journals: number;
}

const nothingTaken: Taken = { ...noUsage(), deliveries: 0, journals: 0 };

export class MemoryWorld {
  readonly facts: WorldFacts;
  readonly state: WorldState;
  readonly counters: NumberMap;
  /** The latest ordinal under each name. */
  readonly ordinals: NumberMap;
  /** How often it has met each fact; null until it meets one. */
  coverage: NumberMap | null = null;
  tables: MemoryTables = {};
  schedule: MemorySchedule;
  journals: WorldJournals;
  fixture: FixtureView;
  readonly usage: Usage = noUsage();
  /** What it took when the store counted it last. */
  counted: Taken = nothingTaken;
  /** Whether it was deleted: it takes nothing then. */
  isGone = false;
  locked = false;
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
    this.journals = new WorldJournals(tracked);
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
    draft.journals.position = this.journals.position + AHEAD;
    return draft;
  }

  /** Takes the tables, the schedule and the journals of a draft, after it was emptied. */
  takeOver({ tables, schedule, journals }: MemoryWorld): void {
    for (const table of Object.values(tables)) if (!this.tables[table.name]) table.countIn(this.usage);
    this.tables = { ...tables, ...this.tables };
    this.schedule = schedule;
    journals.position = Math.max(this.journals.position, journals.position);
    this.journals = journals;
  }

  /** Empties everything that a reset does, apart from the tables that it keeps. Returns what undoes it. */
  empty(kept: readonly TableName[]): () => void {
    const { tables, schedule, journals } = this;
    const isNew = this.#isNew;
    const usage = { ...this.usage };
    const counters = [...this.counters];
    const ordinals = [...this.ordinals];
    this.tables = Object.fromEntries(kept.flatMap((name) => (tables[name] ? [[name, tables[name]]] : [])));
    this.schedule = new MemorySchedule(this.tracked);
    this.journals = new WorldJournals(this.tracked, journals.position);
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
      this.#isNew = isNew;
    };
  }

  /** What it takes of the memory budget now. */
  taken(): Taken {
    if (this.isGone) return nothingTaken;
    const { kept, ended, documents } = this.usage;
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
      deliveries: this.journals.openBytes,
      journals: this.journals.bytes,
    };
  }

  /** What stays of it until it is deleted, beside the records of its fixture, which reading makes. */
  written(): number {
    return this.taken().kept - this.fixture.bytes;
  }

  /** Forgets the records of the fixture that were made for this world: they are made again when they are read. */
  forgetFixtureRows(): void {
    if (this.fixture.bytes > 0) this.fixture = this.#fixtureOf(this.facts, this.state.starts_at);
  }

  dump(systemTime: number, read?: ReadEntries, except: readonly TableName[] = []): WorldDump {
    const tables = Object.values(this.tables);
    const wanted = tables.filter(({ name }) => !except.includes(name));
    for (const table of wanted) table.needAll();
    return {
      systemTime,
      facts: this.facts,
      state: { ...this.state },
      rows: Object.fromEntries(wanted.map(({ name, rows }) => [name, [...rows.values()]])),
      deleted: Object.fromEntries(tables.map(({ name, deleted }) => [name, [...deleted]])),
      counters: Object.fromEntries(this.counters),
      ordinals: Object.fromEntries(this.ordinals),
      coverage: Object.fromEntries(this.coverage ?? []),
      schedule: this.schedule.tasks(),
      journals: {
        requests: this.journals.read('requests', read),
        steps: this.journals.read('steps', read),
        events: this.journals.read('events', read),
        deliveries: this.journals.read('deliveries', read),
        inbox: this.journals.read('inbox', read),
        ticks: this.journals.read('ticks', read),
      },
    };
  }

  /** Whether all of it has changed since that was last taken. */
  get isNew(): boolean {
    return this.#isNew;
  }

  /** Forgets what has changed: whoever takes changes knows it. */
  forgetChanges(): void {
    this.#isNew = false;
    for (const table of Object.values(this.tables)) table.forgetChanges();
    this.counters.forgetChanges();
    this.ordinals.forgetChanges();
    this.schedule.forgetChanges();
    this.journals.forgetChanges();
  }

  /** What has changed since the last call. */
  takeChange(systemTime: number): WorldChange {
    const delta = this.#takeDelta(systemTime);
    if (!this.#isNew) return { delta };
    this.#isNew = false;
    return { dump: this.dump(systemTime) };
  }

  #takeDelta(systemTime: number): WorldDelta {
    const changes = Object.values(this.tables)
      .filter((table) => table.hasChanges)
      .map((table) => ({ name: table.name, ...table.takeChanges() }));
    const of = (part: 'rows' | 'deleted' | 'removed') =>
      Object.fromEntries(changes.flatMap(({ name, [part]: values }) => (values.length > 0 ? [[name, values]] : [])));
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
      journals: this.journals.takeChanges(),
    };
  }
}
