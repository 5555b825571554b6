// The interface of the handles of a sandbox and of its worlds. `interface.md` section 8.
import type { ControlClient } from '../client/control-client.ts';
import type { Schemas } from '../contract/document.ts';
import type {
  ActiveScenario,
  Advance,
  ClockView,
  Coverage,
  CoverageQuery,
  CreatedKey,
  Delivery,
  DeliveryFilter,
  DeliveryPlan,
  EventFilter,
  EventType,
  Fault,
  FaultSpec,
  InboundCall,
  InboundSms,
  JournaledRequest,
  Key,
  NewAppointment,
  NewContact,
  NewKey,
  RequestFilter,
  SandboxEvent,
  SnapshotView,
  Subscription,
  Tick,
  WaitMatch,
} from './types.ts';

/** The clock of a world. A `timeout` is real time, `30s` by default; past it an advance stops with `complete: false`. */
export interface SandboxClock {
  /** The world's time, an ISO 8601 timestamp. */
  now(): Promise<string>;
  /**
   * Runs everything up to an instant, and what it causes, deliveries included. Takes a duration such as `30s`, or a
   * timestamp as `{ to }`. Rejects with the code `conflict` while another advance is in progress.
   *
   * @example
   * const { complete, steps, deliveries } = await sandbox.clock.advance('30s');
   */
  advance(by: string | { readonly to: string }, timeout?: string): Promise<Advance>;
  /** Runs until no step is scheduled and no delivery is pending. */
  untilIdle(timeout?: string): Promise<Advance>;
  /**
   * Sets `real`, `manual`, `instant`, or a speed such as `20x`; the time continues from where it is.
   *
   * @example
   * await sandbox.clock.set('20x');
   */
  set(mode: string): Promise<ClockView>;
  /**
   * POSTs `{ now }` to an address at regular instants of the world's time, until a reset. An advance waits for each
   * answer. `null` ends it.
   *
   * @example
   * await sandbox.clock.tick('1m', 'http://127.0.0.1:3000/cron');
   */
  tick(
    ...tick: [every: string, url: string] | [{ readonly every: string; readonly url: string }] | [null]
  ): Promise<Tick | null>;
}

/** What the outside world does. Every field has a default. */
export interface SandboxSimulate {
  /**
   * Someone calls a number of the world, and its agent answers.
   *
   * @example
   * const call = await sandbox.simulate.inboundCall({ scenario: 'answered;talk=5m' });
   */
  inboundCall(call?: InboundCall): Promise<Schemas['Call']>;
  /** Someone texts a number of the world, or replies to a message. */
  inboundSms(message?: InboundSms): Promise<Schemas['Message']>;
  /** A contact is created by another system. */
  newContact(contact?: NewContact): Promise<Schemas['Contact']>;
  /** Someone books an appointment. */
  newAppointment(appointment?: NewAppointment): Promise<Schemas['Appointment']>;
}

/** The API keys of a world. */
export interface SandboxKeys {
  /**
   * Its plaintext, `api_key`, is shown this once.
   *
   * @example
   * const { api_key } = await sandbox.keys.create({ scopes: ['calls:read'] });
   */
  create(key?: NewKey): Promise<CreatedKey>;
  /** Newest first, without their plaintext. */
  list(): Promise<Key[]>;
  /** Requests with it are 401 from now on. */
  revoke(id: string): Promise<void>;
}

/** A world as it stood. It stays until it is deleted, also over a reset. */
export interface Snapshot extends SnapshotView {
  /** Brings the world back: records, journals, schedule, clock. Deliveries that were not sent never are. */
  restore(): Promise<void>;
  delete(): Promise<void>;
}

/** One world of a sandbox. Lists are in chronological order. What fails rejects with a SandboxError. */
export interface SandboxWorld {
  readonly name: string;
  /** A key for the platform's API that works in this world. */
  readonly apiKey: string;
  readonly clock: SandboxClock;
  readonly simulate: SandboxSimulate;
  readonly keys: SandboxKeys;
  /**
   * The client of the control API for this world, for everything that has no method here.
   *
   * @example
   * const drawing = await sandbox.control.text('getTimeline', { query: { subject_id: callId, format: 'mermaid' } });
   */
  readonly control: ControlClient;
  /** The webhook deliveries with their attempts, oldest first. */
  deliveries(filter?: DeliveryFilter): Promise<Delivery[]>;
  /** The events that were emitted, oldest first. */
  events(filter?: EventFilter): Promise<SandboxEvent[]>;
  /** The requests to the platform, oldest first. */
  requests(filter?: RequestFilter): Promise<JournaledRequest[]>;
  /**
   * The first event that matches, one that has happened already included; rejects with the code `timeout` when none
   * happens in time.
   *
   * @example
   * const event = await sandbox.waitFor({ event_type: 'call_busy', call_id, delivered: true, timeout: '5s' });
   */
  waitFor(match: WaitMatch): Promise<SandboxEvent>;
  /**
   * The scenarios that requests without a header of their own play: one that stays, or a list that is used up in order;
   * null ends it.
   *
   * @example
   * await sandbox.play('call', ['busy', 'busy', 'answered']);
   */
  play(kind: string, scenarios: string | readonly string[] | null): Promise<ActiveScenario>;
  /**
   * Makes something go wrong with requests to the platform, until a reset. Rejects with the code `validation_error` for a
   * fault that cannot happen.
   *
   * @example
   * await sandbox.fault({ operation: 'dialCall', respond: { status: 502 }, times: 2 });
   */
  fault(fault: FaultSpec): Promise<Fault>;
  /** Deletes all faults. */
  clearFaults(): Promise<void>;
  /**
   * Keeps the world as it stands, to come back to it with `restore()`; without a name, under the first free one of
   * `snapshot-1`, … Rejects with the code `conflict` if the name is taken.
   *
   * @example
   * const before = await sandbox.snapshot();
   * await before.restore();
   */
  snapshot(name?: string): Promise<Snapshot>;
  /**
   * What the requests and deliveries of this world have met, and what not; of all worlds whose names match `worlds`, a glob
   * such as `ci-*`. Neither a reset nor the end of a world takes anything away from it.
   */
  coverage(query?: CoverageQuery): Promise<Coverage>;
  /**
   * Subscribes an address to one or more event types, and sets how their deliveries are sent. Returns the subscriptions in
   * the order of the types.
   *
   * @example
   * await sandbox.subscribe('http://127.0.0.1:3000/webhooks', ['call_busy'], { retries: 'short' });
   */
  subscribe(
    url: string,
    types: EventType | readonly EventType[],
    plan?: DeliveryPlan,
  ): Promise<readonly Subscription[]>;
  /** Resets the world to its fixture. */
  reset(): Promise<void>;
}

/** A sandbox, and the handle of its `default` world or of the world of the key that was given. */
export interface Sandbox extends SandboxWorld {
  /** Its base address, such as `http://127.0.0.1:4747`. */
  readonly url: string;
  /**
   * The world of that name, in which case does not count; created on first use. Throws a TypeError for a name that no
   * world can have.
   *
   * @example
   * const mine = sandbox.world('checkout-42');
   */
  world(name: string): SandboxWorld;
  /**
   * Stops a sandbox of this process, whose requests and deliveries in progress have half a second to finish; of a server
   * elsewhere, closes the connections to it. `await using` calls it too.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
