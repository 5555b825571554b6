// The connection to Redis, and the scripts that run there. What was on its way when the connection broke is sent again, so
// everything that is sent here must be able to arrive twice.
import { setImmediate } from 'node:timers';
import { ReplyError } from 'ioredis';
import { StoreAway } from '../store-away.ts';
import { createClients, type RedisClient, type RedisClients, startProblem } from './client.ts';
import { type MachineTime, machineTime } from './machine-time.ts';
import { firstWordOf, refused } from './refused.ts';
import { readScripts, type ScriptName } from './script-files.ts';
import { StoreClock } from './store-clock.ts';

/** What Redis answers: texts, numbers, null, and lists of these. */
export type Reply = string | number | null | readonly Reply[];

/** What a script answers: its second value is the time of the server. */
export interface ScriptReply {
  readonly values: readonly Reply[];
  /** Whether it was sent more than once: an earlier run may have done all of it already. */
  readonly isRepeated: boolean;
}

export interface ConnectionOptions {
  /** How long a command waits for a connection, in milliseconds. */
  readonly patience?: number;
  /** How many replicas of Redis must have a commit before it counts. */
  readonly copies?: number;
  readonly time?: MachineTime;
}

type ChannelListener = (message: string | null) => void;

export interface Subscription {
  readonly subscribed: Promise<void>;
  readonly unsubscribe: () => void;
}

const PATIENCE_MS = 2000;
/** How long the first connection may take. */
const START_MS = 5000;
/** How long it waits for the copies of a commit. */
const COPY_MS = 1000;
/** How often a command is sent at most. */
const ATTEMPTS = 3;

export class Connection {
  readonly clock: StoreClock;
  readonly time: MachineTime;
  readonly #clients: RedisClients;
  readonly #redis: RedisClient;
  readonly #patience: number;
  /** A connection for channels alone, made for the first one. */
  #subscriber: RedisClient | undefined;
  readonly #channels = new Map<string, Set<ChannelListener>>();
  /** Called once there is a connection. */
  readonly #waiting = new Set<() => void>();
  #isGathering = false;
  readonly #copies: number;
  #copying: Promise<void> | undefined;
  /** How many connections were made: what the one before has written says nothing about the next. */
  #made = 0;
  /** Why there is no connection. */
  #reason: unknown;
  readonly #scripts = readScripts();

  private constructor(
    clients: RedisClients,
    { patience = PATIENCE_MS, copies = 0, time = machineTime }: ConnectionOptions,
  ) {
    this.clock = new StoreClock(time.elapsed);
    this.time = time;
    this.#patience = patience;
    this.#copies = copies;
    this.#clients = clients;
    this.#redis = clients.commands;
    this.#redis.on('error', (error) => {
      this.#reason = error;
    });
    this.#redis.on('ready', () => {
      this.#made += 1;
      this.#reason = undefined;
      for (const ready of this.#waiting) ready();
    });
    this.#redis.on('+node', () => {
      this.#made += 1;
    });
  }

  /** To an address, or the path of a socket. Rejects with the reason if no connection can be made. */
  static async open(address: string, options: ConnectionOptions = {}): Promise<Connection> {
    const connection = new Connection(createClients(address), options);
    try {
      return await connection.#opened();
    } catch (error) {
      throw startProblem(isReply(error) ? refused(error) : error, address);
    }
  }

  /** Over clients that have not connected yet. */
  static over(clients: RedisClients, options: ConnectionOptions = {}): Promise<Connection> {
    return new Connection(clients, options).#opened();
  }

  async #opened(): Promise<this> {
    try {
      await this.#connect();
      const sent = this.clock.moment();
      const time = await this.command('TIME', []);
      const [seconds, microseconds] = Array.isArray(time) ? time : [];
      const isTime = this.clock.note(Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000), sent);
      if (!isTime) throw notRedis();
      return this;
    } catch (error) {
      const reason = this.#reason ?? error;
      this.close();
      throw reason;
    }
  }

  /** Rejects if there is no connection after a while: Sentinels are asked for ever. */
  #connect(): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = new Error(`there is no connection after ${START_MS / 1000} s`);
      const cancel = this.time.after(START_MS, () => reject(late));
      this.#redis.connect().then(resolve, reject).finally(cancel);
    });
  }

  /** Runs a script; one that the server does not know, such as after a restart, is sent along. */
  run(name: ScriptName, keys: readonly string[], args: readonly (string | number)[]): Promise<ScriptReply> {
    const { text, hash } = this.#scripts[name];
    return this.#send(async (isRepeated) => {
      const sent = this.clock.moment();
      const reply = await this.#redis.call('EVALSHA', [hash, keys.length, ...keys, ...args]).catch((error) => {
        if (firstWordOf(error) !== 'NOSCRIPT') throw error;
        return this.#redis.call('EVAL', [text, keys.length, ...keys, ...args]);
      });
      // The library does not say what a command answers.
      const values = reply as readonly Reply[];
      if (!Array.isArray(values) || !this.clock.note(Number(values[1]), sent)) throw notRedis();
      return { values, isRepeated };
    });
  }

  command(name: string, args: readonly (string | number)[]): Promise<Reply> {
    // As above.
    return this.#send(async () => (await this.#redis.call(name, [...args])) as Reply);
  }

  /** What each primary answers to a command without keys: one, except in a cluster. */
  async ofEachPrimary(name: string): Promise<readonly Reply[]> {
    const nodes = this.#redis.nodes?.('master');
    // As above.
    return nodes
      ? ((await Promise.all(nodes.map((node) => node.call(name)))) as Reply[])
      : [await this.command(name, [])];
  }

  get isCluster(): boolean {
    return this.#redis.nodes !== undefined;
  }

  /** Resolves when all that was written is on as many replicas of Redis as it must be. Rejects with StoreAway. */
  copied(): Promise<void> {
    if (this.#copies === 0) return Promise.resolve();
    const made = this.#made;
    // One wait is for all whose commits end in a round of the event loop: what is sent after it waits as long.
    this.#copying ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      this.#copying = undefined;
      return this.#waitForCopies(made);
    });
    return this.#copying;
  }

  async #waitForCopies(made: number): Promise<void> {
    const nodes = this.#redis.nodes?.('master') ?? [this.#redis];
    const waits = nodes.map((node) => node.call('WAIT', [this.#copies, COPY_MS]));
    const counts = await Promise.all(waits).catch((error) => Promise.reject(this.#away(error)));
    if (made === this.#made && counts.every((count) => Number(count) >= this.#copies)) return;
    throw new StoreAway(`Redis has not copied a commit to ${this.#copies} of its replicas within ${COPY_MS} ms`);
  }

  /** Sends, and sends again if the connection breaks before the reply. Rejects with StoreAway. */
  async #send<T>(send: (isRepeated: boolean) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      if (this.#redis.status !== 'ready') await this.#untilReady();
      this.#gather();
      try {
        return await send(attempt > 1);
      } catch (error) {
        if (isReply(error)) throw refused(error);
        if (error instanceof StoreAway) throw error;
        if (attempt === ATTEMPTS) throw this.#away(error);
      }
    }
  }

  /** Has what is sent in one round of the event loop written by one call of the system. */
  #gather(): void {
    const { stream } = this.#redis;
    if (!stream || this.#isGathering) return;
    this.#isGathering = true;
    stream.cork();
    setImmediate(() => {
      this.#isGathering = false;
      stream.uncork();
    });
  }

  #untilReady(): Promise<void> {
    if (this.#redis.status === 'end') return Promise.reject(this.#away());
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        cancel();
        this.#waiting.delete(ready);
        settle();
      };
      const ready = (): void => end(resolve);
      const cancel = this.time.after(this.#patience, () => end(() => reject(this.#away())));
      this.#waiting.add(ready);
    });
  }

  #away(error: unknown = this.#reason): StoreAway {
    const known = isReply(error) ? refused(error) : undefined;
    if (known instanceof StoreAway) return known;
    return new StoreAway('there is no connection to Redis', error);
  }

  /**
   * Listens to a channel, also after the connection has broken; what was sent in between is lost, and told as null.
   * `subscribed` resolves when nothing is missed any more.
   */
  subscribe(channel: string, listener: ChannelListener): Subscription {
    this.#subscriber ??= this.#newSubscriber();
    const subscriber = this.#subscriber;
    const listeners = this.#channels.get(channel) ?? new Set();
    this.#channels.set(channel, listeners);
    listeners.add(listener);
    return {
      subscribed: subscriber.subscribe(channel).then(ignore, ignore),
      unsubscribe: () => {
        listeners.delete(listener);
        if (listeners.size > 0 || this.#channels.get(channel) !== listeners) return;
        this.#channels.delete(channel);
        subscriber.unsubscribe(channel).then(ignore, ignore);
      },
    };
  }

  #newSubscriber(): RedisClient {
    const subscriber = this.#clients.subscriber();
    subscriber.on('error', ignore);
    subscriber.on('message', (channel, message) => {
      for (const listener of this.#channels.get(channel) ?? []) listener(message);
    });
    subscriber.on('ready', () => {
      for (const listeners of this.#channels.values()) for (const listener of listeners) listener(null);
    });
    return subscriber;
  }

  /** Whether commands can be sent now. */
  get isOpen(): boolean {
    return this.#redis.status === 'ready';
  }

  /** Connects anew: what was on its way is sent again. */
  breakOff(): void {
    // The library would wait for the server to end its side.
    for (const { stream } of this.#redis.nodes?.('master') ?? [this.#redis]) stream?.destroy();
  }

  close(): void {
    this.#subscriber?.disconnect();
    this.#redis.disconnect();
  }
}

const notRedis = (): StoreAway => new StoreAway('what answers there does not answer as Redis does');

/** Whether that is an error of Redis, and not of the connection to it. */
const isReply = (error: unknown): error is Error => error instanceof Error && error instanceof ReplyError;

function ignore(): void {}
