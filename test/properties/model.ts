// One world of a sequence: what was done to it, as far as the test must know it to say what has to follow.
import { Agent } from 'node:http';
import type { DeliveryPlan } from '../../src/model.ts';
import { exchange } from '../support/exchange.ts';
import type { Subscribed } from './steps.ts';

const connections = new Agent({ keepAlive: true });

export interface Answered {
  /** 0 if the connection broke. */
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
  readonly body: any;
}

export interface Subscription extends Omit<Subscribed, 'plan' | 'toInbox'> {
  readonly id: string;
  /** The inbox that it goes to, if not to the receiver. */
  readonly inbox: string | null;
  readonly path: string;
  /** It hears the events from this one on, by their number in the journal, and up to but without the other. */
  readonly since: number;
  until: number;
  plan: DeliveryPlan | null;
  /** Whether its plan, or that of the world, was another one before, so that it does not say what was to happen. */
  changed: boolean;
  paused: boolean;
  /** Whether it has been paused, which says nothing of when its deliveries are sent. */
  delayed: boolean;
}

/** A tick as it was set, in milliseconds of the world's time. */
export interface Tick {
  readonly every: number;
  readonly since: number;
  /** In this segment, it is heard after this instant. */
  readonly from: number;
}

/** A job, and how many are on its list. */
export interface Job {
  readonly id: string;
  readonly listed: number;
}

/** What a snapshot brings back. */
interface Kept {
  readonly name: string;
  readonly calls: readonly string[];
  readonly subscriptions: readonly Subscription[];
  readonly statuses: ReadonlyMap<string, string>;
  readonly lost: number;
  readonly plan: DeliveryPlan | null;
  readonly jobs: readonly Job[];
  readonly tick: Tick | null;
  readonly now: number;
}

export class ModelWorld {
  readonly name: string;
  readonly url: string;
  readonly #port: string;
  calls: string[] = [];
  /** How many calls may have been made although their client got no id. */
  lost = 0;
  /** How much the receiver had got when this segment began: a reset or a restore begins one. */
  arrivedBefore = 0;
  /** Every id that this world has given out. */
  readonly ids = new Set<string>();
  /** Those that were deleted included. */
  subscriptions: Subscription[] = [];
  /** The plan of the world. */
  plan: DeliveryPlan | null = null;
  /** The latest status seen of each call. */
  statuses = new Map<string, string>();
  jobs: Job[] = [];
  tick: Tick | null = null;
  /** The instants at which the receiver must have heard a tick in this segment. */
  ticked: number[] = [];
  kept: Kept[] = [];
  /** How many attempts each delivery had when a restore has brought it back. */
  attemptsBefore: ReadonlyMap<string, number> = new Map();
  /** How many subscriptions there were, so that each has a path of its own. */
  paths = 0;

  constructor(name: string, url: string) {
    this.name = name;
    this.url = url;
    this.#port = new URL(url).port;
  }

  async ask(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Answered> {
    const text = body && JSON.stringify(body);
    const all = {
      Authorization: `Bearer svc_test_${this.name}`,
      ...(text === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
      ...headers,
    };
    const target = {
      agent: connections,
      hostname: '127.0.0.1',
      port: this.#port,
      method,
      path,
      headers: all,
      body: text,
    };
    try {
      const { status, bytes } = await exchange(target);
      const shown = bytes.toString();
      return { status, body: shown.startsWith('{') ? JSON.parse(shown) : shown };
    } catch {
      return { status: 0, body: null };
    }
  }

  /** Asks, and throws unless it succeeds. */
  async must(method: string, path: string, body?: object): Promise<Answered['body']> {
    const answer = await this.ask(method, path, body);
    if (answer.status >= 200 && answer.status < 300) return answer.body;
    throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }

  /** How many events the journal has. */
  async eventCount(): Promise<number> {
    return (await this.must('GET', '/_sandbox/events?page_size=1')).meta.total_results;
  }

  /** Waits for deliveries: whether one is in flight while something else happens depends on the machine. */
  settle(): Promise<Answered['body']> {
    return this.must('POST', '/_sandbox/clock/advance', { by: '0s' });
  }

  async now(): Promise<number> {
    return Date.parse((await this.must('GET', '/_sandbox/clock')).data.now);
  }

  /** Notes the instants of the tick up to now; it goes on from there. */
  async noteTicks(): Promise<void> {
    const { tick } = this;
    if (!tick) return;
    const now = await this.now();
    for (let at = tick.since + tick.every; at <= now; at += tick.every) if (at > tick.from) this.ticked.push(at);
    this.tick = { ...tick, from: now };
  }

  get live(): Subscription[] {
    return this.subscriptions.filter(({ until }) => until === Number.POSITIVE_INFINITY);
  }

  keep(now: number): Kept {
    const { calls, subscriptions, statuses, lost, plan, jobs, tick } = this;
    const kept: Kept = {
      name: `kept-${this.kept.length}`,
      calls: [...calls],
      subscriptions: subscriptions.map((each) => ({ ...each })),
      statuses: new Map(statuses),
      lost,
      plan,
      jobs: [...jobs],
      tick,
      now,
    };
    this.kept.push(kept);
    return kept;
  }

  restore({ calls, subscriptions, statuses, lost, plan, jobs, tick, now }: Kept): void {
    this.calls = [...calls];
    this.subscriptions = subscriptions.map((each) => ({ ...each }));
    this.statuses = new Map(statuses);
    this.lost = lost;
    this.plan = plan;
    this.jobs = [...jobs];
    this.tick = tick && { ...tick, from: now };
    this.ticked = [];
  }

  reset(): void {
    const nothing = { calls: [], subscriptions: [], statuses: new Map(), lost: 0, jobs: [], now: 0 };
    this.restore({ name: '', ...nothing, plan: null, tick: null });
  }
}
