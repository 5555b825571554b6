// The library: sandboxes in the same process (`interface.md` section 8), and verification for webhook receivers.
import { type Advance, type AdvanceRequest, advance, type ClockView, readClock, setClock } from './admin/clock.ts';
import { type Coverage, type CoverageQuery, readCoverage } from './admin/coverage/read-coverage.ts';
import { allDeliveries, type Delivery } from './admin/deliveries.ts';
import { allEvents, type SandboxEvent } from './admin/events.ts';
import { clearFaults, type FaultView, setFault } from './admin/faults.ts';
import { allRequests, type JournaledRequest } from './admin/requests.ts';
import { createSnapshot, deleteSnapshot, restoreSnapshot, type SnapshotView } from './admin/snapshots.ts';
import { type SubscriptionView, subscribe } from './admin/subscriptions.ts';
import { deleteTick, setTick, type TickView } from './admin/ticks.ts';
import { type EventMatch, waitForEvent } from './admin/wait.ts';
import { resetWorld } from './admin/worlds.ts';
import { clockForm, parseClockSetting, parseTimestamp, timestampForm } from './clock/clock.ts';
import { durationForm, parseDuration } from './clock/duration.ts';
import { readOptions, type SandboxOptions } from './config.ts';
import type { Schemas } from './contract/document.ts';
import type { SandboxContext } from './engine/sandbox-context.ts';
import { ApiError } from './errors/api-error.ts';
import type { EventType, events } from './events/catalogue.ts';
import { readWorldName, testKeyOf, worldNameForm } from './identity/test-keys.ts';
import type { DeliveryPlan, FaultSpec } from './model.ts';
import { createLog, terminalOfProcess } from './pino-log.ts';
import { keyOfDefault, openSandbox } from './sandbox.ts';

export type { Advance, ClockView } from './admin/clock.ts';
export type { Coverage } from './admin/coverage/read-coverage.ts';
export type { Delivery } from './admin/deliveries.ts';
export type { SandboxEvent } from './admin/events.ts';
export type { FaultView as Fault } from './admin/faults.ts';
export type { JournaledRequest } from './admin/requests.ts';
export type { SubscriptionView as Subscription } from './admin/subscriptions.ts';
export type { TickView as Tick } from './admin/ticks.ts';
export type { SandboxOptions } from './config.ts';
export type { Schemas } from './contract/document.ts';
export type { EventType } from './events/catalogue.ts';
export type { DeliveryPlan, FaultSpec } from './model.ts';
export { destinationFor } from './scenarios/destination-for.ts';
export { magicNumbers } from './scenarios/numbers.ts';
export { verifySignature } from './webhooks/sign.ts';

/** The platform's resources, by the names of the contract's components. A list has shorter items for some. */
export type Account = Schemas['Account'];
export type Agent = Schemas['Agent'];
export type AgentListItem = Schemas['AgentListItem'];
export type Appointment = Schemas['Appointment'];
export type AvailablePhoneNumber = Schemas['AvailablePhoneNumber'];
export type BrowserCallSession = Schemas['BrowserCallSession'];
export type Call = Schemas['Call'];
export type CallListItem = Schemas['CallListItem'];
export type CallerId = Schemas['CallerId'];
export type ClientToken = Schemas['ClientToken'];
export type Contact = Schemas['Contact'];
export type DialAccepted = Schemas['DialAccepted'];
export type DisplayIdentity = Schemas['DisplayIdentity'];
export type Document = Schemas['Document'];
export type Enterprise = Schemas['Enterprise'];
export type HangupResult = Schemas['HangupResult'];
export type Job = Schemas['Job'];
export type Me = Schemas['Me'];
export type Message = Schemas['Message'];
export type PhoneNumber = Schemas['PhoneNumber'];
export type Remediation = Schemas['Remediation'];
export type ReputationNumber = Schemas['ReputationNumber'];
export type SubEntity = Schemas['SubEntity'];
export type TextingBrand = Schemas['TextingBrand'];
export type TextingCampaign = Schemas['TextingCampaign'];
export type CallTranscript = Schemas['CallTranscript'];
export type Usage = Schemas['Usage'];
export type VerificationResult = Schemas['VerificationResult'];
export type WebhookSubscription = Schemas['WebhookSubscription'];
export type WebrtcToken = Schemas['WebrtcToken'];
/** The `meta` of a list, without and with a total. */
export type PageMeta = Schemas['PageMeta'];
export type CountedPageMeta = Schemas['CountedPageMeta'];
export type ErrorEnvelope = Schemas['ErrorEnvelope'];

/** Webhook payloads by shape and by event type; some payloads are a resource, such as `Contact`. */
export type CallEvent = Schemas['CallEvent'];
/** The form of some events if a world assumes `enveloped` for `event_payloads`. */
export type EnvelopedEvent = Schemas['EnvelopedEvent'];
export type MessageEvent = Schemas['MessageEvent'];
export type NumberLifecycleEvent = Schemas['NumberLifecycleEvent'];
export type TextingRegistrationEvent = Schemas['TextingRegistrationEvent'];
export type WorkflowContactEvent = Schemas['WorkflowContactEvent'];
export type EventPayload<Type extends EventType = EventType> = Schemas[(typeof events)[Type]['schema']];

/** Which event to wait for; every field that is given must match. */
export interface WaitMatch extends Pick<EventMatch, 'event_type' | 'subject_id' | 'call_id' | 'delivered'> {
  /** Real time, such as `10s` (the default). */
  readonly timeout?: string;
}

/** The clock of a world. A `timeout` is real time, `30s` by default; past it an advance stops with `complete: false`. */
export interface SandboxClock {
  /** An ISO 8601 timestamp. */
  now(): Promise<string>;
  /**
   * Runs everything up to an instant, and what it causes, deliveries included. Takes a duration such as `30s`, or a
   * timestamp as `{ to }`. Throws an error with the code `conflict` while another advance is in progress.
   */
  advance(by: string | { readonly to: string }, timeout?: string): Promise<Advance>;
  /** Runs until no step is scheduled and no delivery is pending. */
  untilIdle(timeout?: string): Promise<Advance>;
  /** Sets `real`, `manual`, `instant`, or a speed such as `20x`; the time continues from where it is. */
  set(mode: string): Promise<ClockView>;
  /**
   * POSTs `{ now }` to an address at regular instants of the world's time, until a reset: `tick('1m', url)`. An advance waits for
   * each answer. `null` ends it.
   */
  tick(
    ...tick: [every: string, url: string] | [{ readonly every: string; readonly url: string }] | [null]
  ): Promise<TickView | null>;
}

/** A world as it stood. It stays until it is deleted, also over a reset. */
export interface Snapshot extends SnapshotView {
  /** Brings the world back: records, journals, schedule, clock. Deliveries that were not sent never are. */
  restore(): Promise<void>;
  delete(): Promise<void>;
}

/** One world of a sandbox. Lists are in chronological order. */
export interface SandboxWorld {
  readonly name: string;
  readonly apiKey: string;
  readonly clock: SandboxClock;
  deliveries(): Promise<Delivery[]>;
  events(): Promise<SandboxEvent[]>;
  requests(): Promise<JournaledRequest[]>;
  /** The first event that matches; throws an error with the code `timeout` when none happens in time. */
  waitFor(match: WaitMatch): Promise<SandboxEvent>;
  /**
   * Makes something go wrong with requests to the platform, until a reset: `{ operation: 'dialCall', respond: { status: 502 },
   * times: 2 }`. Throws an error with the code `validation_error` for a fault that cannot happen.
   */
  fault(fault: FaultSpec): Promise<FaultView>;
  /** Deletes all faults. */
  clearFaults(): Promise<void>;
  /**
   * Keeps the world as it stands, to come back to it with `restore()`; without a name, under the first free one of
   * `snapshot-1`, … Throws an error with the code `conflict` if the name is taken.
   */
  snapshot(name?: string): Promise<Snapshot>;
  /**
   * What the requests and deliveries of this world have met, and what not; of all worlds whose names match `worlds`, a glob
   * such as `ci-*`. Neither a reset nor the end of a world takes anything away from it.
   */
  coverage(query?: CoverageQuery): Promise<Coverage>;
  /**
   * Subscribes an address to one or more event types, and sets how their deliveries are sent:
   * `subscribe(url, ['call_busy'], { retries: 'short' })`. Returns the subscriptions in the order of the types.
   */
  subscribe(
    url: string,
    types: EventType | readonly EventType[],
    plan?: DeliveryPlan,
  ): Promise<readonly SubscriptionView[]>;
  /** Resets the world to its fixture. */
  reset(): Promise<void>;
}

/** A sandbox in this process, and the handle of its `default` world. */
export interface Sandbox extends SandboxWorld {
  /** Its base address, such as `http://127.0.0.1:4747`. */
  readonly url: string;
  /**
   * The world of that name, in which case does not count; created on first use, as with its `svc_test_` key. Throws a
   * TypeError for a name that no world can have.
   */
  world(name: string): SandboxWorld;
  /** Stops the sandbox; requests and deliveries in progress have half a second to finish. */
  close(): Promise<void>;
}

/** Short, because test processes should end quickly. */
const CLOSE_GRACE_MS = 500;

/**
 * Starts a sandbox on a free port. Options are the settings of the command line in camel case. Throws an error with a
 * one-line message if an option is unknown or malformed, or a file is broken.
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = readOptions(options);
  const log = await createLog(settings.log, terminalOfProcess());
  const { context, url, close } = await openSandbox(settings, log);
  return {
    ...worldHandle(context, 'default', keyOfDefault(context)),
    url,
    world(text) {
      const name = parsed(text, `a world's name: ${worldNameForm}`, readWorldName);
      return worldHandle(context, name, testKeyOf(name));
    },
    close: () => close(CLOSE_GRACE_MS).finally(() => log.flush()),
  };
}

function worldHandle(sandbox: SandboxContext, name: string, apiKey: string): SandboxWorld {
  const inWorld = <Result>(useCase: () => Promise<Result>): Promise<Result> => callInWorld(sandbox, name, useCase);
  const run = (goal: AdvanceRequest): Promise<Advance> => inWorld(() => advance(sandbox, name, goal));
  return {
    name,
    apiKey,
    clock: {
      now: async () => (await inWorld(() => readClock(sandbox, name))).now,
      async advance(by, timeout = '30s') {
        const goal = typeof by === 'string' ? { by: milliseconds(by) } : { to: instant(by.to) };
        return run({ ...goal, timeoutMs: milliseconds(timeout) });
      },
      untilIdle: async (timeout = '30s') => run({ until: 'idle', timeoutMs: milliseconds(timeout) }),
      async set(text) {
        const mode = parsed(text, clockForm, parseClockSetting);
        return inWorld(() => setClock(sandbox, name, { mode }));
      },
      async tick(...[first, address = '']) {
        if (first === null) return inWorld(() => deleteTick(sandbox, name)).then(() => null);
        const tick = typeof first === 'string' ? { every: first, url: address } : first;
        return inWorld(() => setTick(sandbox, name, tick));
      },
    },
    deliveries: () => inWorld(() => allDeliveries(sandbox, name)),
    events: () => inWorld(() => allEvents(sandbox, name)),
    requests: () => inWorld(() => allRequests(sandbox, name)),
    async waitFor({ timeout = '10s', ...match }) {
      const timeoutMs = milliseconds(timeout);
      return inWorld(() => waitForEvent(sandbox, name, match, timeoutMs));
    },
    subscribe: (url, types, plan) => inWorld(() => subscribe(sandbox, name, url, [types].flat(), plan)),
    fault: (fault) => inWorld(() => setFault(sandbox, name, fault)),
    clearFaults: () => inWorld(() => clearFaults(sandbox, name)),
    async snapshot(requested) {
      const kept = await inWorld(() => createSnapshot(sandbox, name, requested));
      return {
        ...kept,
        async restore() {
          await inWorld(() => restoreSnapshot(sandbox, name, kept.name));
        },
        delete: () => inWorld(() => deleteSnapshot(sandbox, name, kept.name)),
      };
    },
    coverage: (query) => inWorld(() => readCoverage(sandbox, { world: name, authority: 'api_key' }, query)),
    reset: () => inWorld(() => resetWorld(sandbox, name)),
  };
}

/** Enters a world, created on first use, and calls a use case in it; the world does not expire meanwhile. */
async function callInWorld<Result>(
  { worlds }: Pick<SandboxContext, 'worlds'>,
  name: string,
  useCase: () => Promise<Result>,
): Promise<Result> {
  if (!(await worlds.enterTestWorld(name))) {
    throw new Error(`No world named "${name}" exists, and autoWorlds is off: create it with POST /_sandbox/worlds.`);
  }
  const release = worlds.acquire(name);
  try {
    return await useCase();
  } catch (error) {
    if (error instanceof ApiError) error.message = messageWithFields(error);
    throw error;
  } finally {
    release?.();
  }
}

/** The library has no error envelope, so the message includes its `fields`, or else its hint. */
function messageWithFields({ message, hint, detail }: ApiError): string {
  const fields = Object.entries(detail.fields ?? {}).map(([name, reason]) => `${name} ${reason}`);
  return fields.length > 0 ? fields.join('; ') : `${message} ${hint}`;
}

const milliseconds = (text: string): number => parsed(text, durationForm, parseDuration);
const instant = (text: string): number => parsed(text, timestampForm, parseTimestamp);

/** Parses an argument; throws a TypeError that says what is allowed. */
function parsed<Value>(text: string, form: string, parse: (text: string) => Value | undefined): Value {
  const value = parse(text);
  if (value === undefined) throw new TypeError(`"${text}" is not valid; must be ${form}`);
  return value;
}
