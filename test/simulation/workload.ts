// What clients do to the worlds of a simulation, and what they can tell of it afterwards: which transactions have been
// acknowledged, in which order, and which a failover was allowed to lose.
import { isOpen } from '../../src/model.ts';
import { NoSuchWorld, type Store, type Tx } from '../../src/store/store.ts';
import { StoreAway } from '../../src/store/store-away.ts';
import { apiKey, appendStep, fail, ring, START } from '../store/setup.ts';
import type { Dice } from './timeline.ts';

/** So few that most commands are about worlds, not about empty shards. */
export const SHARDS = 4;
/** The world whose every transaction is accounted for. */
export const STEADY = 'steady';
/** A world that is reset, deleted and created again meanwhile. */
export const CHANGING = 'changing';

const kinds = ['add', 'add', 'add', 'read', 'throw', 'key', 'unkey', 'capped', 'task', 'task'] as const;
/** The counter of how many transactions have added. */
const ADDED = 'added';
export const CAP = 5;
/** The counter of how many deliveries tasks have asked for. */
export const DELIVERIES = 'deliveries';
const mark = (id: number): string => `done:${id}`;
/** The counter of how often the task of a record has run. */
export const ranMark = (record: string): string => `ran:${record}`;

interface Operation {
  readonly id: number;
  readonly kind: (typeof kinds)[number];
  outcome: 'pending' | 'done' | 'refused' | 'unknown';
  /** The client of a replica that was killed does not learn what has become of its requests. */
  readonly isAlive: () => boolean;
}

interface Result {
  readonly added: number;
  readonly ordinal: number | null;
}

export class Workload {
  readonly problems: string[] = [];
  readonly #dice: Dice;
  readonly #operations: Operation[] = [];
  /** What acknowledged transactions have read and written last. */
  #latest = 0;
  #failovers = 0;
  readonly #addedBy = new Map<number, number>();
  readonly #ordinals = new Map<number, number>();
  /** What a failover has lost. */
  readonly #lost = new Set<number>();

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  get pending(): number {
    return this.#operations.filter(({ outcome, isAlive }) => outcome === 'pending' && isAlive()).length;
  }

  /** Starts one transaction in the world that is accounted for; `isAlive` is false once the replica has been killed. */
  start(store: Store, isAlive: () => boolean): void {
    const id = this.#operations.length + 1;
    const operation: Operation = { id, kind: this.#dice.pick(kinds), outcome: 'pending', isAlive };
    this.#operations.push(operation);
    const least = this.#latest;
    const failovers = this.#failovers;
    store
      .transaction(STEADY, (tx) => bodyOf(operation, tx))
      .then(
        (result) => {
          if (!isAlive()) return;
          operation.outcome = 'done';
          if (failovers === this.#failovers) this.#check(operation, result, least);
        },
        (error) => {
          if (!isAlive()) return;
          operation.outcome = error === fail ? 'refused' : 'unknown';
          if (error !== fail && !(error instanceof StoreAway)) this.problems.push(`#${operation.id} failed: ${error}`);
        },
      );
  }

  #check({ id, kind }: Operation, { added, ordinal }: Result, least: number): void {
    const isNew = ordinal !== null;
    if (added < (isNew ? least + 1 : least))
      this.problems.push(`#${id} (${kind}) saw ${added}, though ${least} was acknowledged before it began`);
    this.#latest = Math.max(this.#latest, added);
    if (!isNew) return;
    const others = [this.#addedBy.get(added), this.#ordinals.get(ordinal)];
    for (const other of others) {
      if (other !== undefined) this.problems.push(`#${id} and #${other} have both been given ${added} or ${ordinal}`);
    }
    this.#addedBy.set(added, id);
    this.#ordinals.set(ordinal, id);
  }

  /** A failover has lost what happened between these two states of the world's fields. */
  failedOver(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): void {
    this.#failovers += 1;
    for (const { id } of this.#operations) {
      const field = `c:${mark(id)}`;
      if (before.has(field) && !after.has(field)) this.#lost.add(id);
    }
    this.#latest = Math.min(this.#latest, Number(after.get(`c:${ADDED}`) ?? 0));
    // What was added in vain is added again; ordinals that were given out stay so.
    this.#addedBy.clear();
  }

  /** Holds the world as it is at the end to what clients know. */
  verify(tx: Tx): void {
    for (const { id, kind, outcome } of this.#operations) {
      const count = tx.counter(mark(id));
      if (count > 1) this.problems.push(`#${id} (${kind}) happened ${count} times`);
      if (outcome === 'refused' && count > 0) this.problems.push(`#${id} (${kind}) was refused, and happened`);
      const isLost = outcome === 'done' && writes(kind) && count === 0 && !this.#lost.has(id);
      if (isLost) this.problems.push(`#${id} (${kind}) was acknowledged, and has not happened`);
    }
    const steps = tx.journal('steps').entries.map(({ trigger }) => Number(trigger));
    if (steps.some((each, index) => each !== index + 1)) this.problems.push(`the journal has ${steps.join(' ')}`);
    if (steps.length !== tx.counter(ADDED))
      this.problems.push(`${tx.counter(ADDED)} were added, and the journal has ${steps.length}`);
    this.#verifyTasks(tx);
    if (tx.counter('capped') > CAP) this.problems.push(`${tx.counter('capped')} passed a cap of ${CAP}`);
  }

  /** Every task has run once, and what it asked for has been delivered. */
  #verifyTasks(tx: Tx): void {
    let ran = 0;
    for (const { id, kind } of this.#operations) {
      if (kind !== 'task' || tx.counter(mark(id)) === 0) continue;
      const count = tx.counter(ranMark(String(id)));
      if (count !== 1) this.problems.push(`the task of #${id} has run ${count} times`);
      ran += count;
    }
    if (ran !== tx.counter(DELIVERIES))
      this.problems.push(`${ran} tasks asked for ${tx.counter(DELIVERIES)} deliveries`);
    for (const { id, status } of tx.journal('deliveries').entries)
      if (isOpen(status)) this.problems.push(`delivery ${id} is still ${status}`);
  }
}

const writes = (kind: Operation['kind']): boolean => kind === 'add' || kind === 'key' || kind === 'task';

function bodyOf({ id, kind }: Operation, tx: Tx): Result {
  const read = (): Result => ({ added: tx.counter(ADDED), ordinal: null });
  switch (kind) {
    case 'read':
      return read();
    case 'key':
      tx.put('keys', apiKey(`key-${id}`, `hash-${id}`));
      tx.setCounter(mark(id), tx.counter(mark(id)) + 1);
      return read();
    case 'task':
      tx.schedule(ring(String(id)), START + id);
      tx.setCounter(mark(id), tx.counter(mark(id)) + 1);
      return read();
    case 'unkey': {
      const [key] = tx.page('keys', 'organization', apiKey('', '').private.organization_id);
      if (key) tx.remove('keys', key.id);
      return read();
    }
    case 'capped':
      if (tx.counter('capped') < CAP) tx.setCounter('capped', tx.counter('capped') + 1);
      return read();
    default: {
      const added = tx.counter(ADDED) + 1;
      tx.setCounter(ADDED, added);
      tx.setCounter(mark(id), tx.counter(mark(id)) + 1);
      appendStep(tx, `step-${id}`, String(added));
      const ordinal = tx.ordinal('call');
      if (kind === 'throw') throw fail;
      return { added, ordinal };
    }
  }
}

/** Does something to the world that is not accounted for. */
export async function disturb(store: Store, dice: Dice, create: (store: Store) => Promise<unknown>): Promise<void> {
  const id = dice.below(1000);
  const doing = dice.pick(['drop', 'create', 'wipe', 'wipe', 'write', 'write', 'write', 'write', 'write'] as const);
  try {
    if (doing === 'drop') await store.dropWorld(CHANGING);
    else if (doing === 'create') await create(store);
    else if (doing === 'wipe') await store.transaction(CHANGING, (tx) => tx.wipe([]));
    else
      await store.transaction(CHANGING, (tx) => {
        tx.put('keys', apiKey(`key-${id % 3}`, `other-${id}`));
        appendStep(tx, `step-${tx.ordinal('step')}`);
        tx.setCounter('n', tx.counter('n') + 1);
      });
  } catch (error) {
    if (!(error instanceof NoSuchWorld) && !(error instanceof StoreAway)) throw error;
  }
}
