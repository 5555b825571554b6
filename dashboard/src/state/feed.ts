// What this page knows of one world: its calls, messages, requests, deliveries and clock, read once and then kept up to date by the
// stream, or sampled while more happens than can be followed. A page that shows one record learns from `touched` and `samples`
// when to read it again.
import { batch, computed, signal } from '@preact/signals';
import type { components } from '../../../src/client/control-api.d.ts';
import { SandboxError } from '../../../src/client/sandbox-error.ts';
import type { ClockView, Delivery, JournaledRequest } from '../../../src/client/shown.ts';
import type { StreamMessage } from '../../../src/client/stream.ts';
import { type ControlClient, controlClient } from '../api/access.ts';
import { followStream, type StreamState } from '../api/stream.ts';
import { Journal } from './journal.ts';
import { FloodGauge, sampleUntilCalm } from './sampling.ts';

type Schemas = components['schemas'];
export type WatchedCall = Schemas['WatchedCall'];
export type Call = WatchedCall['call'];
export type Message = Schemas['Message'];

/** A row of the list of calls. */
export interface CallRow extends WatchedCall {
  readonly id: string;
}

/** A clock, and when this page learned of it. */
export interface KnownClock {
  readonly clock: Pick<ClockView, 'mode' | 'speed' | 'now'>;
  readonly readAt: number;
}

const FIRST_PAGE = 100;
const MORE = 1000;
const MOST_CALLS = 20_000;
const MOST_ENTRIES = 2000;
/** How many calls one request names. */
const MOST_IDS = 100;
/** How long after one reading of what has changed the next begins. */
const SETTLE_MS = 80;

const rowOf = (watched: WatchedCall): CallRow => ({ id: watched.call.id, ...watched });

export class Feed {
  readonly world: string;
  /** The control token that it uses. */
  readonly token: string | null;
  readonly control: ControlClient;
  readonly calls = new Journal<CallRow>(MOST_CALLS);
  readonly messages = new Journal<Message>(MOST_CALLS);
  readonly requests = new Journal<JournaledRequest>(MOST_ENTRIES);
  readonly deliveries = new Journal<Delivery>(MOST_ENTRIES);
  readonly clock = signal<KnownClock | null>(null);
  readonly pending = signal(0);
  /** When something happens next; null if nothing is scheduled. */
  readonly nextAt = signal<string | null>(null);
  readonly state = signal<StreamState | 'sampled'>('connecting');
  /** Whether what is shown is of now. */
  readonly isConnected = computed(() => this.state.value === 'live' || this.state.value === 'sampled');
  readonly refused = signal<SandboxError | null>(null);
  /** Why the lists could not be read. */
  readonly failure = signal<SandboxError | null>(null);
  /** Calls that ring until the person who looks at this page decides, newest first. */
  readonly ringing = computed(() =>
    this.calls.items.value.filter(({ call, choices }) => call.status === 'RINGING' && choices.length > 0),
  );
  /** The ids of what the latest messages were about. */
  readonly touched = signal<ReadonlySet<string>>(new Set());
  /** Counts up when anything may have changed, because what did is not known. */
  readonly samples = signal(0);

  /** Calls and messages that have changed and are to be read. */
  readonly #changed = { calls: new Set<string>(), messages: new Set<string>() };
  #settling: ReturnType<typeof setTimeout> | undefined;
  /** Whether messages have come that the latest reading may not have taken in. */
  #isBehind = false;
  #isClosed = false;
  #generation = 0;
  #settledAt = 0;
  readonly #gauge = new FloodGauge();
  #stop: () => void;

  constructor(world: string, token: string | null) {
    this.world = world;
    this.token = token;
    this.control = controlClient(world);
    this.#stop = this.#follow();
  }

  #follow(): () => void {
    return followStream(this.world, {
      onMessages: (messages) => {
        if (this.#gauge.isFlood(messages.length)) void this.#sample();
        else this.#take(messages);
      },
      onStart: () => void this.read(),
      onState: (state) => {
        this.state.value = state;
      },
      onRefused: (error) => {
        this.refused.value = error;
      },
    });
  }

  close(): void {
    this.#generation += 1;
    this.#isClosed = true;
    clearTimeout(this.#settling);
    this.#stop();
  }

  /** Reads the newest of everything, and then the older calls. */
  async read(): Promise<void> {
    this.#generation += 1;
    const generation = this.#generation;
    batch(() => {
      for (const list of [this.calls, this.messages, this.requests, this.deliveries]) list.clear();
      this.failure.value = null;
    });
    try {
      await this.#readNewest(generation, 'begin');
      await this.#readOlderCalls(generation);
    } catch (error) {
      if (generation === this.#generation && error instanceof SandboxError) this.failure.value = error;
    }
  }

  /** Reads the newest page of each list, and what the clock says. */
  async #readNewest(generation: number, into: 'begin' | 'replace'): Promise<void> {
    const query = { page_size: FIRST_PAGE };
    const [calls, messages, requests, deliveries] = await Promise.all([
      this.control.page('listWatchedCalls', { query }),
      this.control.page('listWatchedMessages', { query }),
      this.control.page('listRequests', { query }),
      this.control.page('listDeliveries', { query }),
      this.readClock(),
    ]);
    if (generation !== this.#generation) return;
    batch(() => {
      this.calls[into](calls.data.map(rowOf), calls.meta.total_results, calls.meta.cursor);
      this.messages[into](messages.data, messages.meta.total_results, messages.meta.cursor);
      this.requests[into](requests.data, requests.meta.total_results, requests.meta.cursor);
      this.deliveries[into](deliveries.data, deliveries.meta.total_results, deliveries.meta.cursor);
    });
  }

  /** Leaves the stream until less happens. */
  async #sample(): Promise<void> {
    this.#stop();
    this.#generation += 1;
    const generation = this.#generation;
    const lists = [this.calls, this.messages, this.requests, this.deliveries];
    this.state.value = 'sampled';
    await sampleUntilCalm(async () => {
      if (generation !== this.#generation) return null;
      try {
        await this.#readNewest(generation, 'replace');
        this.samples.value += 1;
      } catch {
        // The stream tells why nothing can be read.
        return null;
      }
      return lists.map((list) => list.items.value);
    });
    if (generation !== this.#generation) return;
    this.#changed.calls.clear();
    this.#changed.messages.clear();
    this.#stop = this.#follow();
  }

  async #readOlderCalls(generation: number): Promise<void> {
    while (this.calls.cursor !== null) {
      const query = { page_size: MORE, cursor: this.calls.cursor };
      const { data, meta } = await this.control.page('listWatchedCalls', { query });
      if (generation !== this.#generation) return;
      this.calls.append(data.map(rowOf), meta.cursor);
    }
  }

  /** Reads the next older entries of a list. */
  async more(list: 'messages' | 'requests' | 'deliveries'): Promise<void> {
    const { cursor } = this[list];
    if (cursor === null) return;
    const generation = this.#generation;
    const query = { page_size: FIRST_PAGE, cursor };
    const isCurrent = (): boolean => generation === this.#generation;
    if (list === 'requests') {
      const { data, meta } = await this.control.page('listRequests', { query });
      if (isCurrent()) this.requests.append(data, meta.cursor);
    } else if (list === 'messages') {
      const { data, meta } = await this.control.page('listWatchedMessages', { query });
      if (isCurrent()) this.messages.append(data, meta.cursor);
    } else {
      const { data, meta } = await this.control.page('listDeliveries', { query });
      if (isCurrent()) this.deliveries.append(data, meta.cursor);
    }
  }

  /** Shows what an answer says of a call at once, and reads it again: more can have happened since it was given. */
  show(watched: WatchedCall): void {
    this.calls.put([rowOf(watched)]);
    this.#changed.calls.add(watched.call.id);
    this.#settleSoon();
  }

  async readClock(): Promise<void> {
    const [clock, next] = await Promise.all([this.control.call('getClock'), this.control.call('getNextTask')]);
    batch(() => {
      this.clock.value = { clock, readAt: performance.now() };
      this.pending.value = clock.pending;
      this.nextAt.value = next.at;
    });
  }

  #take(messages: readonly StreamMessage[]): void {
    const touched = new Set<string>();
    const requests: JournaledRequest[] = [];
    const deliveries: Delivery[] = [];
    batch(() => {
      for (const message of messages) {
        for (const id of idsIn(message)) touched.add(id);
        if (message.type === 'request') requests.push(message.data);
        if (message.type === 'delivery') deliveries.push(message.data);
        if (message.type === 'step') this.#note(message.data.subject);
        if (message.type === 'clock' || message.type === 'open') {
          const clock = message.type === 'open' ? message.data.clock : message.data;
          this.clock.value = { clock, readAt: performance.now() };
        }
      }
      this.requests.put(requests);
      this.deliveries.put(deliveries);
      this.touched.value = touched;
    });
    this.#isBehind = true;
    this.#settleSoon();
  }

  #settleSoon(): void {
    const wait = Math.max(0, this.#settledAt + SETTLE_MS - performance.now());
    if (!this.#isClosed) this.#settling ??= setTimeout(() => void this.#settle(), wait);
  }

  #note({ table, id }: { readonly table: string; readonly id: string }): void {
    if (table === 'calls' || table === 'messages') this.#changed[table].add(id);
  }

  /** Reads what the stream only hints at: the records that have changed, and what is pending. */
  async #settle(): Promise<void> {
    const generation = this.#generation;
    this.#settledAt = performance.now();
    this.#isBehind = false;
    const { calls, messages } = this.#changed;
    const ids = { calls: taken(calls), messages: taken(messages) };
    try {
      const [changedCalls, changedMessages] = await Promise.all([
        ids.calls.length === 0 ? none : this.control.page('listWatchedCalls', { query: naming(ids.calls) }),
        ids.messages.length === 0 ? none : this.control.page('listWatchedMessages', { query: naming(ids.messages) }),
        this.readClock(),
      ]);
      if (generation !== this.#generation) return;
      batch(() => {
        this.calls.put(changedCalls.data.map(rowOf));
        this.messages.put(changedMessages.data);
      });
    } catch {
      // The stream tells whether the server is gone; what could not be read is read with the next message.
      for (const id of ids.calls) calls.add(id);
      for (const id of ids.messages) messages.add(id);
    } finally {
      this.#settling = undefined;
      const isBehind = this.#isBehind || calls.size + messages.size > 0;
      if (isBehind && this.state.value === 'live') this.#settleSoon();
    }
  }
}

const none = { data: [] };

const naming = (ids: readonly string[]) => ({ ids: ids.join(','), page_size: MOST_IDS });

/** The oldest of the ids, as many as one request names; the others stay. */
function taken(changed: Set<string>): string[] {
  const ids = [...changed].slice(0, MOST_IDS);
  for (const id of ids) changed.delete(id);
  return ids;
}

/** What a message is about: the entry, its cause and its record. */
function idsIn({ type, data }: StreamMessage): string[] {
  if (type === 'request') return [data.id];
  if (type === 'step') return [data.id, data.subject.id, ...(data.cause === null ? [] : [data.cause])];
  if (type === 'event') return [data.id, ...(data.subject ? [data.subject.id] : [])];
  if (type === 'delivery') return [data.id, data.event_id];
  return [];
}
