// A replica's copy of one world: it is loaded from Redis, transactions run on it, and what they changed is committed under
// the condition that it was up to date. If it was not, they are undone, it takes over what it has missed, and they run again.
import type { Accounts } from '../memory/accounts.ts';
import type { EntryName } from '../memory/journals.ts';
import { runOrWait } from '../memory/patient-fixture.ts';
import { MemoryTransaction } from '../memory/transaction.ts';
import type { MemoryWorld } from '../memory/world.ts';
import type { Tx } from '../store.ts';
import { ApartContents } from './apart.ts';
import { applyField, recordOf } from './apply-fields.ts';
import { ADVANCER, CarriedName, RUNNER } from './carried-name.ts';
import { isEntryField, type Received, readEntry, receiveContents, receiveEntries } from './entries.ts';
import type { RecordName } from './field-parts.ts';
import { allFieldsOf, type Fields, fieldsOf, noChanges, type Told, toldOf } from './fields.ts';
import { type GroupChanges, nothingStaged } from './group-changes.ts';
import { raiseOrdinals } from './lost-ordinals.ts';
import type { NotedUniques } from './noted-uniques.ts';
import { hasUnique, type UniqueValue, uniqueValueIn, uniqueValuesIn } from './unique-values.ts';

/** How far the commits of a world have come. */
export interface Place {
  readonly version: number;
  /** The id of the commit that made it: after a failover has lost some, another may have the same version. */
  readonly tip: string;
}

/** A transaction that waits for its turn. */
export interface Waiting {
  readonly body: (tx: Tx) => unknown;
  readonly cause: string | null;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A transaction of the store's own. */
export const unawaited = (body: Waiting['body']): Waiting => ({ body, cause: null, resolve() {}, reject() {} });

/** How a transaction has ended, which counts once the commit has succeeded. */
export interface Ended {
  readonly waiting: Waiting;
  readonly tx: MemoryTransaction;
  readonly outcome: { readonly value: unknown } | { readonly error: unknown };
}

/** To look takes about a third of what it takes to run a transaction in vain. */
const LOOK_FIRST = 0.3;
/** The weight of the latest commit in what is expected of the next. */
const LATEST_WEIGHT = 0.25;

/** The field that has the system time of the latest transaction. */
const TIME = 'time';
export interface CopyParts {
  readonly uniques: NotedUniques;
  readonly accounts: Accounts;
  readonly journalLimit: number;
  /** A name for something in Redis, that nothing else has. */
  readonly newRef: () => string;
}

interface RunOptions {
  /** Whether a transaction may end for want of records of the fixture, which `needsFixture` tells. */
  readonly canWait?: boolean;
  readonly isOver?: () => boolean;
}

export class Copy {
  readonly world: MemoryWorld;
  readonly incarnation: string;
  at: Place;
  readonly waiting: Waiting[] = [];
  isRunning = false;
  /** How likely others have written to the world since it was last looked at: 0 to 1. */
  #shared = 0;
  /** The server of Redis for which its next transactions raise ordinals; empty for none. */
  movedTo = '';
  /** In system time. */
  lastUsed = 0;
  /** The system time of its latest transaction, on whichever replica; later ones have no earlier time. */
  #time = 0;
  readonly #runner = new CarriedName(RUNNER);
  readonly #advancer = new CarriedName(ADVANCER);
  readonly #names: readonly CarriedName[] = [this.#runner, this.#advancer];
  readonly #parts: CopyParts;
  #told: Told;
  /** What it knows of the contents of records that are apart. */
  readonly contents: ApartContents;

  constructor(world: MemoryWorld, incarnation: string, at: Place, parts: CopyParts) {
    this.world = world;
    this.incarnation = incarnation;
    this.at = at;
    this.#parts = parts;
    this.#told = toldOf(world);
    this.contents = new ApartContents(world, parts.newRef);
  }

  /** Runs transactions one after the other, each on what the one before has written, until `isOver` says so. */
  run(group: readonly Waiting[], systemTime: number, { canWait = false, isOver }: RunOptions = {}): Ended[] {
    this.#time = Math.max(this.#time, systemTime);
    this.lastUsed = this.#time;
    const { world, movedTo } = this;
    const all = movedTo === '' ? group : [unawaited((tx) => raiseOrdinals(tx, world, movedTo)), ...group];
    const ended: Ended[] = [];
    for (const waiting of all) {
      ended.push(this.#runOne(waiting, canWait));
      // A reset that followed would forget what is to be fetched first.
      if (isOver?.() || world.journals.isWanting) break;
    }
    return ended;
  }

  /** Whether to look for what others have committed first, before work that may be in vain. */
  get isShared(): boolean {
    return this.#shared > LOOK_FIRST;
  }

  /** To be called when Redis has said whether others have written to the world. */
  noteOthers(haveWritten: boolean): void {
    this.#shared += (Number(haveWritten) - this.#shared) * LATEST_WEIGHT;
  }

  get isIdle(): boolean {
    return !this.isRunning && this.waiting.length === 0;
  }

  /** The replica that does the work of the world; empty for none. */
  get runner(): string {
    return this.#runner.now;
  }

  /** To be set by a transaction, with which it is committed or undone. */
  set runner(replica: string) {
    this.#runner.now = replica;
  }

  /** Who advances the clock of the world; empty for nobody. */
  get advancer(): string {
    return this.#advancer.now;
  }

  /** As `runner`. */
  set advancer(holder: string) {
    this.#advancer.now = holder;
  }

  /** Takes over fields as Redis has them, now that it has come that far; a value of null is gone. */
  takeOver(fields: Fields, at: Place): void {
    for (const pieces = this.takeOverInPieces(fields, at); !pieces.next().done; );
  }

  /** The same in pieces, between which no transaction may run on the copy. */
  *takeOverInPieces(fields: Fields, at: Place): Generator<void, void> {
    const entries: Received[] = [];
    const records: RecordName[] = [];
    for (const [field, value] of fields) {
      const name = this.#names.find((each) => each.field === field);
      if (name) name.settle(value ?? '');
      else if (field === TIME) this.#time = Math.max(this.#time, Number(value));
      else if (isEntryField(field)) {
        const entry = readEntry(field, value);
        if (entry) entries.push(entry);
      } else {
        applyField(this.world, field, value);
        const record = recordOf(field);
        if (record && hasUnique(record.table)) records.push(record);
      }
      yield;
    }
    yield* receiveEntries(this.world.journals, entries);
    // At once: another copy of the world may have been made meanwhile, whose claims must not be mixed with these.
    for (const record of records) this.#claimUnique(record);
    // All of it is in Redis already.
    this.world.forgetChanges();
    this.#parts.uniques.settle(this.world.facts.name);
    this.settle(at);
  }

  /** What is put without a transaction carries its unique value too. */
  #claimUnique(record: RecordName): void {
    const claimed = uniqueValueIn(this.world, record.table, record.id);
    if (!claimed) return;
    const { table, value, id } = claimed;
    this.#parts.uniques.claim(table, value, { world: this.world.facts.name, id }, []);
  }

  /** Whether they need records of the fixture that are still to be made. */
  needsFixture(ended: readonly Ended[]): boolean {
    return ended.some(({ tx }) => tx.fixture.isAwaited);
  }

  /** The entries whose contents transactions needed that this copy does not have. */
  takeWanted(): EntryName[] {
    return this.world.journals.takeWanted();
  }

  /** Takes over the contents of entries. */
  receiveContents(fields: Fields): void {
    for (const [field, value] of fields) {
      const received = readEntry(field, value);
      if (received) receiveContents(this.world.journals, received);
    }
  }

  #runOne(waiting: Waiting, canWait: boolean): Ended {
    const { body, cause } = waiting;
    const { uniques, accounts, journalLimit } = this.#parts;
    const tx = new MemoryTransaction(this.world, uniques, accounts, this.#time, cause);
    try {
      const value = canWait ? runOrWait(tx, body) : tx.run(body);
      if (value instanceof Promise) throw new Error('A transaction body must be synchronous.');
      if (tx.appended.length > 0) this.world.journals.trim(journalLimit, tx.undo);
      return { waiting, tx, outcome: { value } };
    } catch (error) {
      const refused = [...tx.refused];
      tx.rollBack();
      tx.refused.push(...refused);
      return { waiting, tx, outcome: { error } };
    }
  }

  /** What they changed, if it is not all. The copy counts it as told: if the commit is refused, they are undone. */
  changesOf(ended: readonly Ended[]): GroupChanges {
    const covered = coveredBy(ended);
    const renamed = this.#names.filter((name) => name.hasChanged);
    const staged = nothingStaged();
    const hasWritten = renamed.length > 0 || ended.some(({ tx }) => tx.undo.length > 0);
    const change = hasWritten ? this.world.takeChange(0) : null;
    if (change === null || 'dump' in change) return { ...noChanges(), names: [], covered, staged };
    const changes = fieldsOf(this.world, change, this.#told, this.contents);
    changes.set.push(TIME, String(this.#time));
    for (const { field, now } of renamed) changes.set.push(field, now);
    return { ...changes, names: this.#namesOf(renamed), covered, staged };
  }

  /** Whether they have changed all of the world. */
  get isReplaced(): boolean {
    return this.world.isNew;
  }

  /** The same of all that the world has, to which `pieces` add it; what they have added may be taken in between. */
  replacementBy(
    ended: readonly Ended[],
    contents: ApartContents | null = this.contents,
  ): { readonly changes: GroupChanges; readonly pieces: Iterator<void> } {
    const changes = {
      ...noChanges(true),
      names: this.#namesOf(this.#names.filter((name) => name.hasChanged)),
      covered: coveredBy(ended),
      staged: nothingStaged(),
    };
    this.world.forgetChanges();
    changes.set.push(TIME, String(this.#time));
    for (const { field, now } of this.#names) changes.set.push(field, now);
    return { changes, pieces: allFieldsOf(this.world, changes, contents) };
  }

  #namesOf(names: readonly CarriedName[]): string[] {
    return names.flatMap(({ field, now }) => [field, now]);
  }

  /** Undoes them, the latest first. */
  undo(ended: readonly Ended[]): void {
    for (const { tx } of [...ended].reverse()) tx.rollBack();
    for (const name of this.#names) name.undo();
  }

  /** The commit has succeeded, or the copy is as Redis has it. */
  settle(at: Place): void {
    this.at = at;
    this.movedTo = '';
    for (const name of this.#names) name.settle();
    this.world.schedule.compact();
    this.#told = toldOf(this.world);
    this.#parts.accounts.count(this.world);
  }

  uniqueValues(): UniqueValue[] {
    return this.world.tableNames().flatMap((table) => uniqueValuesIn(this.world, table));
  }
}

/** How often these transactions have met each fact. */
function coveredBy(ended: readonly Ended[]): Map<string, number> {
  const covered = new Map<string, number>();
  for (const { tx } of ended) for (const fact of tx.covered) covered.set(fact, (covered.get(fact) ?? 0) + 1);
  return covered;
}
