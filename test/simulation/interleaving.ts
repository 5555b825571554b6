// One interleaving of three replicas, their clients and what befalls them, which follows from a seed: replicas are killed
// and stand still, connections break with what is on them, the server restarts, forgets its scripts, or fails over.
import stringify from 'safe-stable-stringify';
import { createBudget } from '../../src/budget/budget.ts';
import type { ClockState } from '../../src/clock/clock.ts';
import { Connection } from '../../src/store/redis/connection.ts';
import { createKeys } from '../../src/store/redis/keys.ts';
import { Runs } from '../../src/store/redis/runs.ts';
import { RedisStore } from '../../src/store/redis/store.ts';
import { NoSuchWorld, type Store, type WorldDump } from '../../src/store/store.ts';
import { StoreAway } from '../../src/store/store-away.ts';
import { base, newWorld, START } from '../store/setup.ts';
import { Network } from './network.ts';
import { Receiver, SimulatedRunner } from './runner.ts';
import { type Dice, diceOf, SimulatedProcess, Timeline } from './timeline.ts';
import { CHANGING, disturb, SHARDS, STEADY, Workload } from './workload.ts';

export interface InterleavingOptions {
  /** Scripts that are broken on purpose. */
  readonly broken?: ReadonlyMap<string, string>;
}

interface Replica {
  readonly process: SimulatedProcess;
  readonly store: Store;
  readonly work: Runs;
  /** What it has told who watches the world, by the order in which it was added. */
  readonly heard: number[];
}

const REPLICAS = 3;
/** How long clients are busy, and how long it takes at most until all is settled after that. */
const BUSY_MS = 1500;
const QUIET_MS = 30_000;
const STOP_MS = 7000;
/** How long it takes at most until others have done what was left. */
const TAKEN_OVER_MS = 12_000;
/** So short that worlds change hands while clients are busy. */
const LET_GO_MS = 300;
/** When the server's time begins. */
const BEGAN = 1_700_000_000_000;
const PREFIX = 'rb';
const runningClock: ClockState = { mode: 'real', speed: 1, systemTime: BEGAN, at: START, frozen: false, waited: 0 };

/** Explores one interleaving; returns what is wrong with how it ended. */
export async function explore(seed: number, options: InterleavingOptions = {}): Promise<readonly string[]> {
  return new Interleaving(seed, options).run();
}

class Interleaving {
  readonly #dice: Dice;
  readonly #timeline = new Timeline();
  readonly #network: Network;
  readonly #workload: Workload;
  readonly #receiver = new Receiver();
  readonly #errors: string[] = [];
  #replicas: Replica[] = [];
  #started = 0;
  #skew = 0;
  #hasFailedOver = false;
  /** Who watches a world looks at it, and so finds who does its work; a world that nobody watches must be found too. */
  readonly #isWatched: boolean;

  constructor(seed: number, { broken }: InterleavingOptions) {
    this.#dice = diceOf(seed);
    this.#isWatched = this.#dice.chance(0.7);
    this.#workload = new Workload(this.#dice);
    const time = () => BEGAN + this.#timeline.now + this.#skew;
    this.#network = new Network(this.#timeline, this.#dice, { time, ...(broken && { broken }) });
  }

  async run(): Promise<readonly string[]> {
    for (let n = 0; n < REPLICAS; n += 1) this.#start();
    await this.#timeline.runUntil(1000, () => this.#replicas.length === REPLICAS);
    await this.#finish(this.#create(STEADY)(this.#any().store));
    for (const replica of this.#replicas) this.#watch(replica);
    const end = this.#timeline.now + BUSY_MS;
    const faults = this.#faults();
    while (this.#timeline.now < end) {
      if (this.#replicas.length > 0) {
        if (this.#dice.chance(0.12)) this.#dice.pick(faults)();
        else this.#act();
      }
      await this.#timeline.runUntil(this.#timeline.now + this.#dice.below(70));
    }
    await this.#settle().catch((error) => this.#errors.push(`${error}`));
    return [...this.#errors, ...this.#workload.problems, ...this.#receiver.problems];
  }

  /** A new replica, which serves once it has a connection. */
  #start(): void {
    const process = new SimulatedProcess(this.#timeline, this.#dice.below(1_000_000));
    const name = `r${this.#started}`;
    this.#started += 1;
    Connection.over(this.#network.connect(process).clients, { patience: 2000, time: process })
      .then((connection) => this.#serve(name, process, connection))
      .catch(() => {
        // A process that cannot start ends, and is started again.
        this.#end(process);
        this.#start();
      });
  }

  async #serve(replica: string, process: SimulatedProcess, connection: Connection): Promise<void> {
    const store = new RedisStore({
      connection,
      prefix: PREFIX,
      shards: SHARDS,
      replica,
      fixtureView: () => base,
      journalLimit: 1000,
      budget: createBudget(1e9),
      onListenerError: (error, world) => this.#errors.push(`a listener of ${world} failed: ${error}`),
    });
    const onError = (error: unknown): void => {
      if (!(error instanceof StoreAway)) this.#errors.push(`the work of ${replica} failed: ${error}`);
    };
    const work = new Runs({ store, connection, prefix: PREFIX, replica, onError, letGoAfter: LET_GO_MS });
    await work.start();
    const parts = { world: STEADY, process, dice: this.#dice, receiver: this.#receiver };
    new SimulatedRunner({ ...parts, store, work, onError });
    const serving = { process, store, work, heard: [] };
    this.#replicas.push(serving);
    if (this.#started > REPLICAS) this.#watch(serving);
  }

  #end(process: SimulatedProcess): void {
    this.#replicas = this.#replicas.filter((each) => each.process !== process);
    for (const client of this.#network.clients(process)) {
      client.break();
      client.disconnect();
    }
    process.isDead = true;
  }

  #watch({ store, heard }: Replica): void {
    if (!this.#isWatched) return;
    store.watch(STEADY, (commit) => {
      for (const each of commit?.appended ?? []) if (each.journal === 'steps') heard.push(Number(each.entry.trigger));
    });
  }

  #any(): Replica {
    return this.#dice.pick(this.#replicas);
  }

  /** Its clock runs, so that somebody has to run its tasks. */
  readonly #create = (name: string) => (store: Store) => store.addWorld({ ...newWorld, name, clock: runningClock });

  #act(): void {
    const { store, process } = this.#any();
    // Bursts, so that some wait for one another.
    for (let n = this.#dice.chance(0.1) ? 5 : 1; n > 0; n -= 1) this.#workload.start(store, () => !process.isDead);
    if (this.#dice.chance(0.3))
      disturb(store, this.#dice, this.#create(CHANGING)).catch((error) => this.#errors.push(`${error.stack}`));
  }

  #faults(): (() => void)[] {
    const dice = this.#dice;
    const network = this.#network;
    const harmless = [
      () => dice.pick(network.clients()).break(),
      () => dice.pick(network.clients()).break(),
      () => void network.server.run(['SCRIPT', 'FLUSH']),
      () => this.#stall(),
      () => this.#kill(),
      () => this.#stop(),
      () => {
        this.#skew += dice.below(200) - 100;
      },
      () => this.#takeServerDown(),
    ];
    return dice.chance(0.3) ? [...harmless, () => this.#failOver()] : harmless;
  }

  #stall(): void {
    this.#any().process.pausedUntil = this.#timeline.now + this.#dice.below(5000);
  }

  #kill(): void {
    this.#end(this.#any().process);
    this.#start();
  }

  /** A replica that is stopped hands over its worlds first. */
  #stop(): void {
    const { process, work } = this.#any();
    this.#replicas = this.#replicas.filter((each) => each.process !== process);
    const end = (): void => {
      if (process.isDead) return;
      this.#end(process);
      this.#start();
    };
    work.shared.handOver().then(end, end);
    // Whatever is pending, it does not take longer.
    process.after(STOP_MS, end);
  }

  #takeServerDown(): void {
    this.#network.downUntil = this.#timeline.now + this.#dice.below(3000);
    this.#network.server.restart();
    for (const client of this.#network.clients()) client.break({ mayArrive: false });
  }

  #failOver(): void {
    const key = createKeys(PREFIX, SHARDS).of(STEADY).world;
    const fields = (): ReadonlyMap<string, string> => {
      const value = this.#network.server.data.get(key);
      return value instanceof Map ? value : new Map();
    };
    const before = fields();
    this.#takeServerDown();
    // The world itself stays: what is lost is not how it began.
    const begun = 1;
    for (let n = this.#dice.below(6); n > 0 && Number(fields().get('version')) > begun; n -= 1)
      this.#network.server.loseLatest(1);
    this.#workload.failedOver(before, fields());
    this.#receiver.failOver();
    this.#hasFailedOver = true;
  }

  /** Lets everything come to an end, and compares. */
  async #settle(): Promise<void> {
    const isSettled = () => this.#workload.pending === 0 && this.#replicas.length === REPLICAS;
    await this.#timeline.runUntil(this.#timeline.now + QUIET_MS, isSettled);
    if (this.#replicas.length < REPLICAS) this.#errors.push('a replica has not come back');
    // What is still on its way, and what a replica that does not live any more has left.
    await this.#timeline.runUntil(this.#timeline.now + TAKEN_OVER_MS);
    const pending = this.#workload.pending;
    if (pending > 0) this.#errors.push(`${pending} transactions have not ended`);
    this.#start();
    await this.#timeline.runUntil(this.#timeline.now + 5000, () => this.#replicas.length > REPLICAS);
    for (const world of [STEADY, CHANGING]) await this.#compare(world);
    const { store } = this.#any();
    await this.#finish(store.transaction(STEADY, (tx) => this.#workload.verify(tx)));
    await this.#compareUniques();
    if (!this.#hasFailedOver) this.#compareHeard();
  }

  async #compare(world: string): Promise<void> {
    const dumps: (readonly string[])[] = [];
    for (const { store } of this.#replicas) {
      const dump = await this.#finish(store.dump(world, 0).catch(nullIfGone));
      dumps.push(dump ? linesOf(dump) : ['gone']);
    }
    const [first = []] = dumps;
    for (const dump of dumps) {
      const own = dump.find((line) => !first.includes(line)) ?? '';
      const others = first.find((line) => !dump.includes(line)) ?? '';
      if (own || others) this.#errors.push(`replicas differ in ${world}:\n  ${own}\n  ${others}`);
    }
  }

  /** Every key of either world is found by every replica. */
  async #compareUniques(): Promise<void> {
    for (const world of [STEADY, CHANGING]) {
      const dump = await this.#finish(this.#any().store.dump(world, 0).catch(nullIfGone));
      for (const { id, hash } of dump?.rows.keys ?? []) {
        for (const { store } of this.#replicas) {
          const owner = await this.#finish(Promise.resolve(store.locate('keys', hash)));
          if (owner?.world !== world || owner.id !== id)
            this.#errors.push(`${hash} is that of ${owner?.id} in ${owner?.world}, not of ${id} in ${world}`);
        }
      }
    }
  }

  #compareHeard(): void {
    for (const { heard } of this.#replicas) {
      const first = heard[0] ?? 0;
      if (heard.some((each, index) => each !== first + index))
        this.#errors.push(`who watches was told of ${heard.join(' ')}`);
    }
  }

  /** Lets time pass until a promise has settled. */
  async #finish<T>(promise: Promise<T>): Promise<T> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    promise.then(over, over);
    await this.#timeline.runUntil(this.#timeline.now + QUIET_MS, () => isOver);
    if (!isOver) throw new Error('a transaction does not end');
    return promise;
  }
}

/** What is in a dump, line by line, in an order of its own; a table without rows is as none. */
function linesOf({ rows, deleted, schedule, ...rest }: WorldDump): string[] {
  const inRows = Object.entries({ ...rows, schedule, deleted: Object.entries(deleted) }).flatMap(([table, list]) =>
    list.filter((row) => !Array.isArray(row) || row[1].length > 0).map((row) => `${table} ${stringify(row)}`),
  );
  return [...inRows.sort(), ...Object.entries(rest).map(([name, value]) => `${name} ${stringify(value)}`)];
}

function nullIfGone(error: unknown): null {
  if (!(error instanceof NoSuchWorld)) throw error;
  return null;
}
