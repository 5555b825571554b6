// What this page knows of one world: its calls, requests, deliveries and clock, read once and then kept up to date by the
// stream. A page that shows one record learns from `touched` when to read it again.
import { batch, signal } from '@preact/signals';
import type { components } from '../../../src/client/control-api.d.ts';
import { SandboxError } from '../../../src/client/sandbox-error.ts';
import type { StreamMessage } from '../../../src/client/stream.ts';
import { type ControlClient, controlClient } from '../api/access.ts';
import { followStream, type StreamState } from '../api/stream.ts';
import { Journal } from './journal.ts';

type Schemas = components['schemas'];
export type WatchedCall = Schemas['WatchedCall'];
export type Call = WatchedCall['call'];
export type RecordedRequest = Schemas['RecordedRequest'];
export type Delivery = Schemas['Delivery'];
export type Clock = Schemas['Clock'];

/** A row of the list of calls. */
export interface CallRow extends WatchedCall {
  readonly id: string;
}

/** A clock, and when this page learned of it. */
export interface KnownClock {
  readonly clock: Pick<Clock, 'mode' | 'speed' | 'now'>;
  readonly readAt: number;
}

const FIRST_PAGE = 100;
const MORE = 1000;
const MOST_CALLS = 20_000;
const MOST_ENTRIES = 2000;
/** How many calls one request names. */
const MOST_IDS = 100;
const SETTLE_MS = 80;

const rowOf = (watched: WatchedCall): CallRow => ({ id: watched.call.id, ...watched });

export class Feed {
  readonly world: string;
  /** The control token that it uses. */
  readonly token: string | null;
  readonly control: ControlClient;
  readonly calls = new Journal<CallRow>(MOST_CALLS);
  readonly requests = new Journal<RecordedRequest>(MOST_ENTRIES);
  readonly deliveries = new Journal<Delivery>(MOST_ENTRIES);
  readonly clock = signal<KnownClock | null>(null);
  readonly pending = signal(0);
  /** When something happens next; null if nothing is scheduled. */
  readonly nextAt = signal<string | null>(null);
  readonly state = signal<StreamState>('connecting');
  readonly refused = signal<SandboxError | null>(null);
  /** Why the lists could not be read. */
  readonly failure = signal<SandboxError | null>(null);
  /** The ids of what the latest messages were about. */
  readonly touched = signal<ReadonlySet<string>>(new Set());

  /** Calls that have changed and are to be read. */
  readonly #changed = new Set<string>();
  #settling: ReturnType<typeof setTimeout> | undefined;
  #generation = 0;
  readonly #stop: () => void;

  constructor(world: string, token: string | null) {
    this.world = world;
    this.token = token;
    this.control = controlClient(world);
    this.#stop = followStream(world, {
      onMessages: (messages) => this.#take(messages),
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
    clearTimeout(this.#settling);
    this.#stop();
  }

  /** Reads the newest of everything, and then the older calls. */
  async read(): Promise<void> {
    this.#generation += 1;
    const generation = this.#generation;
    batch(() => {
      for (const list of [this.calls, this.requests, this.deliveries]) list.clear();
      this.failure.value = null;
    });
    try {
      const query = { page_size: FIRST_PAGE };
      const [calls, requests, deliveries] = await Promise.all([
        this.control.page('listWatchedCalls', { query }),
        this.control.page('listRequests', { query }),
        this.control.page('listDeliveries', { query }),
        this.readClock(),
      ]);
      if (generation !== this.#generation) return;
      batch(() => {
        this.calls.begin(calls.data.map(rowOf), calls.meta.total_results, calls.meta.cursor);
        this.requests.begin(requests.data, requests.meta.total_results, requests.meta.cursor);
        this.deliveries.begin(deliveries.data, deliveries.meta.total_results, deliveries.meta.cursor);
      });
      await this.#readOlderCalls(generation);
    } catch (error) {
      if (generation === this.#generation && error instanceof SandboxError) this.failure.value = error;
    }
  }

  async #readOlderCalls(generation: number): Promise<void> {
    while (this.calls.cursor !== null) {
      const query = { page_size: MORE, cursor: this.calls.cursor };
      const { data, meta } = await this.control.page('listWatchedCalls', { query });
      if (generation !== this.#generation) return;
      this.calls.append(data.map(rowOf), meta.cursor);
    }
  }

  /** Reads the next older entries of a journal. */
  async more(list: 'requests' | 'deliveries'): Promise<void> {
    const { cursor } = this[list];
    if (cursor === null) return;
    const generation = this.#generation;
    const query = { page_size: FIRST_PAGE, cursor };
    if (list === 'requests') {
      const { data, meta } = await this.control.page('listRequests', { query });
      if (generation === this.#generation) this.requests.append(data, meta.cursor);
    } else {
      const { data, meta } = await this.control.page('listDeliveries', { query });
      if (generation === this.#generation) this.deliveries.append(data, meta.cursor);
    }
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
    const requests: RecordedRequest[] = [];
    const deliveries: Delivery[] = [];
    batch(() => {
      for (const message of messages) {
        for (const id of idsIn(message)) touched.add(id);
        if (message.type === 'request') requests.push(message.data);
        if (message.type === 'delivery') deliveries.push(message.data);
        if (message.type === 'step' && message.data.subject.table === 'calls')
          this.#changed.add(message.data.subject.id);
        if (message.type === 'clock' || message.type === 'open') {
          const clock = message.type === 'open' ? message.data.clock : message.data;
          this.clock.value = { clock, readAt: performance.now() };
        }
      }
      this.requests.put(requests);
      this.deliveries.put(deliveries);
      this.touched.value = touched;
    });
    this.#settling ??= setTimeout(() => void this.#settle(), SETTLE_MS);
  }

  /** Reads what messages only hint at: the calls that have changed, and what is pending. */
  async #settle(): Promise<void> {
    const generation = this.#generation;
    const ids = [...this.#changed].slice(-MOST_IDS);
    this.#changed.clear();
    try {
      const [changed] = await Promise.all([
        ids.length === 0
          ? { data: [] }
          : this.control.page('listWatchedCalls', { query: { ids: ids.join(','), page_size: MOST_IDS } }),
        this.readClock(),
      ]);
      if (generation === this.#generation) this.calls.put(changed.data.map(rowOf));
    } catch {
      // The stream tells whether the server is gone; what could not be read is read with the next message.
      for (const id of ids) this.#changed.add(id);
    } finally {
      this.#settling = undefined;
      if (generation === this.#generation && this.#changed.size > 0 && this.state.value === 'live') {
        this.#settling = setTimeout(() => void this.#settle(), SETTLE_MS);
      }
    }
  }
}

/** What a message is about: the entry, its cause and its record. */
function idsIn({ type, data }: StreamMessage): string[] {
  if (type === 'request') return [data.id];
  if (type === 'step') return [data.id, data.subject.id, ...(data.cause === null ? [] : [data.cause])];
  if (type === 'event') return [data.id, ...(data.subject ? [data.subject.id] : [])];
  if (type === 'delivery') return [data.id, data.event_id];
  return [];
}
