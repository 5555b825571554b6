// One world in memory: its tables, schedule, journals and single values, above the fixture that it began with.
import type { JournalName, TableName } from '../../model.ts';
import type { FixtureView, Journal, NewWorld, WorldFacts, WorldState } from '../store.ts';
import { MemoryJournal } from './journal.ts';
import { MemorySchedule } from './schedule.ts';
import { MemoryTable } from './table.ts';

export const journalNames: readonly JournalName[] = ['requests', 'steps', 'events', 'deliveries'];

/** The fixture under a world that begins at that instant. */
export type FixtureUnder = (world: WorldFacts, startsAt: number) => FixtureView;

type MemoryTables = { [Table in TableName]?: MemoryTable<Table> };
type MemoryJournals = { [Name in JournalName]?: MemoryJournal<Name> };

export class MemoryWorld {
  readonly facts: WorldFacts;
  readonly state: WorldState;
  readonly counters = new Map<string, number>();
  tables: MemoryTables = {};
  schedule = new MemorySchedule();
  journals: MemoryJournals = {};
  fixture: FixtureView;
  /** How many bytes of its journals the store has counted. */
  countedBytes = 0;
  locked = false;
  readonly waiting: (() => void)[] = [];
  readonly #fixtureOf: FixtureUnder;

  constructor(world: NewWorld, fixtureOf: FixtureUnder) {
    const { clock, assumptions, epoch, ...facts } = world;
    this.facts = facts;
    this.state = { clock, assumptions, starts_at: clock.at, epoch };
    this.#fixtureOf = fixtureOf;
    this.fixture = fixtureOf(facts, clock.at);
  }

  table<Table extends TableName>(name: Table): MemoryTable<Table> {
    const tables: { [Each in Table]?: MemoryTable<Each> } = this.tables;
    tables[name] ??= new MemoryTable(name);
    return tables[name];
  }

  /** The tables that the world has written to. */
  tableNames(): TableName[] {
    return Object.values(this.tables).map(({ name }) => name);
  }

  journal<Name extends JournalName>(name: Name): MemoryJournal<Name> {
    const journals: { [Each in Name]?: MemoryJournal<Each> } = this.journals;
    journals[name] ??= new MemoryJournal();
    return journals[name];
  }

  readJournal<Name extends JournalName>(name: Name): Journal<Name> {
    const journal = this.journal(name);
    return { entries: journal.entries(), dropped: journal.dropped, droppedUpTo: journal.droppedUpTo };
  }

  setState<Name extends keyof WorldState>(name: Name, value: WorldState[Name]): void {
    this.state[name] = value;
    if (name === 'starts_at') this.fixture = this.#fixtureOf(this.facts, this.state.starts_at);
  }

  journalBytes(): number {
    let bytes = 0;
    for (const name of journalNames) bytes += this.journals[name]?.bytes ?? 0;
    return bytes;
  }
}
