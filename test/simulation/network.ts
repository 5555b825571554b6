// A client of Redis, as the client library presents it, over a network that delays, loses and breaks.
import { ReplyError } from 'ioredis';
import type { RedisClient, RedisClients } from '../../src/store/redis/client.ts';
import type { Reply } from '../../src/store/redis/connection.ts';
import { Refusal } from './redis-commands.ts';
import { type Command, RedisModel, type RedisModelOptions } from './redis-model.ts';
import type { Dice, SimulatedProcess, Timeline } from './timeline.ts';

/** What is on its way, and has not been answered. */
interface Sent {
  readonly fail: (error: Error) => void;
  /** The connection was lost: its command arrives later than all others, or never. */
  fate: 'arrives' | 'late' | 'lost';
}

type Answer = { readonly reply: Reply } | { readonly error: Error };

/** The server, and all that are connected to it. */
export class Network {
  readonly server: RedisModel;
  readonly timeline: Timeline;
  readonly dice: Dice;
  /** No connection is made before. */
  downUntil = 0;
  readonly #clients = new Set<SimulatedClient>();

  constructor(timeline: Timeline, dice: Dice, options: Pick<RedisModelOptions, 'time' | 'broken'>) {
    this.timeline = timeline;
    this.dice = dice;
    this.server = new RedisModel({
      ...options,
      publish: (channel, message) => {
        for (const client of this.#clients) client.hear(channel, message);
      },
    });
  }

  connect(process: SimulatedProcess): SimulatedClient {
    const client = new SimulatedClient(this, process);
    this.#clients.add(client);
    return client;
  }

  /** What a process has connected, and all connections without one. */
  clients(process?: SimulatedProcess): SimulatedClient[] {
    return [...this.#clients].filter((client) => process === undefined || client.process === process);
  }

  forget(client: SimulatedClient): void {
    this.#clients.delete(client);
  }

  /** How long something takes to arrive. */
  latency(): number {
    return this.dice.chance(0.05) ? this.dice.below(400) : 1 + this.dice.below(20);
  }
}

export class SimulatedClient {
  status: RedisClient['status'] = 'wait';
  readonly process: SimulatedProcess;
  readonly #network: Network;
  readonly #listeners = new Map<string, Set<(...args: string[]) => void>>();
  readonly #sent = new Set<Sent>();
  readonly #channels = new Set<string>();
  /** Those that the server knows of. */
  readonly #heard = new Set<string>();
  /** Grows with each connection. */
  #connection = 0;
  /** What is sent on a connection arrives in its order, as do the answers. */
  #latestArrival = 0;
  #latestAnswer = 0;

  constructor(network: Network, process: SimulatedProcess) {
    this.#network = network;
    this.process = process;
  }

  /** As the store sees it. */
  get clients(): RedisClients {
    // It has what the store uses of the library, in a form that is simpler than the library's own types.
    const clientOf = (client: SimulatedClient): RedisClient => client as unknown as RedisClient;
    return { commands: clientOf(this), subscriber: () => clientOf(this.#duplicate()) };
  }

  on(event: string, listener: (...args: string[]) => void): this {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return this;
  }

  connect(): Promise<void> {
    return new Promise((resolve) => this.#open(resolve));
  }

  #duplicate(): SimulatedClient {
    const duplicate = this.#network.connect(this.process);
    duplicate.#open();
    return duplicate;
  }

  #open(done?: () => void): void {
    const { timeline, dice, downUntil } = this.#network;
    const wait = Math.max(0, downUntil - timeline.now) + 1 + dice.below(100);
    timeline.after(
      wait,
      () => {
        if (this.status === 'end') return;
        if (downUntil !== this.#network.downUntil && this.#network.downUntil > timeline.now) return this.#open(done);
        this.status = 'ready';
        this.#connection += 1;
        for (const channel of this.#channels) void this.#subscribeNow(channel);
        this.#tell('ready');
        done?.();
      },
      this.process,
    );
  }

  #tell(event: string, ...args: string[]): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(...args);
  }

  call(name: string, args: Command): Promise<Reply> {
    return this.#send(() => this.#network.server.run([name, ...args])) as Promise<Reply>;
  }

  subscribe(channel: string): Promise<unknown> {
    this.#channels.add(channel);
    return this.status === 'ready' ? this.#subscribeNow(channel) : Promise.resolve();
  }

  unsubscribe(channel: string): Promise<unknown> {
    this.#channels.delete(channel);
    this.#heard.delete(channel);
    return Promise.resolve();
  }

  async #subscribeNow(channel: string): Promise<void> {
    await this.#send(() => {
      if (this.#channels.has(channel)) this.#heard.add(channel);
      return null;
    }).catch(() => {});
  }

  #send(run: () => Reply): Promise<unknown> {
    const { timeline } = this.#network;
    if (this.status !== 'ready') return Promise.reject(new Error('The stream is not writeable.'));
    const connection = this.#connection;
    return new Promise((resolve, reject) => {
      const sent: Sent = { fail: reject, fate: 'arrives' };
      this.#sent.add(sent);
      this.#latestArrival = Math.max(this.#latestArrival, timeline.now + this.#network.latency());
      const arrive = (): void => {
        if (sent.fate === 'lost') return;
        if (sent.fate === 'late') {
          sent.fate = 'arrives';
          timeline.after(this.#network.dice.below(3000), arrive);
          return;
        }
        const answer = answerOf(run);
        this.#answer(connection, () => {
          this.#sent.delete(sent);
          if ('error' in answer) reject(answer.error);
          else resolve(answer.reply);
        });
      };
      timeline.after(this.#latestArrival - timeline.now, arrive);
    });
  }

  /** Lets an answer arrive after all before it, unless its connection is lost by then. */
  #answer(connection: number, arrive: () => void): void {
    const { timeline } = this.#network;
    this.#latestAnswer = Math.max(this.#latestAnswer, timeline.now + this.#network.latency());
    const arriveNow = (): void => {
      if (connection === this.#connection && this.status === 'ready') arrive();
    };
    timeline.after(this.#latestAnswer - timeline.now, arriveNow, this.process);
  }

  hear(channel: string, message: string): void {
    if (this.#heard.has(channel)) this.#answer(this.#connection, () => this.#tell('message', channel, message));
  }

  /** What was sent may arrive all the same, also after what is sent again; not at a server that has taken over. */
  break({ mayArrive = true } = {}): void {
    const { timeline, dice } = this.#network;
    if (this.status === 'end' || this.status === 'wait') return;
    for (const sent of this.#sent) sent.fate = mayArrive && dice.chance(0.5) ? 'late' : 'lost';
    this.#heard.clear();
    if (this.status !== 'ready') return;
    this.status = 'reconnecting';
    const broken = [...this.#sent];
    this.#sent.clear();
    // A process that stands still learns of it when it goes on.
    const learn = (): void => {
      for (const { fail } of broken) fail(new Error('Connection is closed.'));
    };
    timeline.after(0, learn, this.process);
    this.#open();
  }

  disconnect(): void {
    this.status = 'end';
    this.#heard.clear();
    this.#network.forget(this);
  }
}

function answerOf(run: () => Reply): Answer {
  try {
    return { reply: run() };
  } catch (error) {
    // Anything else is a fault of the model.
    if (!(error instanceof Refusal)) throw error;
    return { error: new ReplyError(error.message) };
  }
}
