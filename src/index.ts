// The library: sandboxes within a process (`interface.md` section 8), and what receivers of webhooks need.
import { type ClockSetting, clockForm, parseClockSetting, parseTimestamp, timestampForm } from './clock/clock.ts';
import { durationForm, parseDuration } from './clock/duration.ts';
import { readOptions, type SandboxOptions } from './config.ts';
import type { Schemas } from './contract/document.ts';
import { advance, type ClockView, readClock, serializeAdvance, setClock } from './control/clock.ts';
import { serializeDelivery } from './control/deliveries.ts';
import { serializeEvent } from './control/events.ts';
import { serializeRequest } from './control/requests.ts';
import { waitForEvent } from './control/wait.ts';
import type { SandboxContext } from './engine/sandbox-context.ts';
import { ApiError } from './errors/api-error.ts';
import type { EventType, events } from './events/catalogue.ts';
import { testKeyOf, worldName } from './identity/api-keys.ts';
import { createLog } from './log.ts';
import type { JournalName, Journals } from './model.ts';
import { keyOfDefault, openSandbox } from './sandbox.ts';

export type { SandboxOptions } from './config.ts';
export type { Schemas } from './contract/document.ts';
export type { EventType } from './events/catalogue.ts';
export { destinationFor } from './scenarios/destination-for.ts';
export { magicNumbers } from './scenarios/numbers.ts';
export { verifySignature } from './webhooks/sign.ts';

/** What the platform answers, by the names of the contract's components; a call as one reads it, and as it is listed. */
export type Account = Schemas['Account'];
export type Agent = Schemas['Agent'];
export type AgentListItem = Schemas['AgentListItem'];
export type Appointment = Schemas['Appointment'];
export type AvailablePhoneNumber = Schemas['AvailablePhoneNumber'];
export type BrowserCallSession = Schemas['BrowserCallSession'];
export type Call = Schemas['CallDetail'];
export type CallListItem = Schemas['Call'];
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
export type Transcript = Schemas['Transcript'];
export type Usage = Schemas['Usage'];
export type VerificationResult = Schemas['VerificationResult'];
export type WebhookSubscription = Schemas['WebhookSubscription'];
export type WebrtcToken = Schemas['WebrtcToken'];
/** A page of a list; the lists of the specification that count have a total beside it. */
export type PageMeta = Schemas['PageMeta'];
export type CountedPageMeta = Schemas['CountedPageMeta'];
export type ErrorEnvelope = Schemas['ErrorEnvelope'];

/** What webhooks carry, by shape and by event type; some carry a resource, as `Contact`. */
export type CallEvent = Schemas['CallEvent'];
export type MessageEvent = Schemas['MessageEvent'];
export type NumberLifecycleEvent = Schemas['NumberLifecycleEvent'];
export type TextingRegistrationEvent = Schemas['TextingRegistrationEvent'];
export type WorkflowContactEvent = Schemas['WorkflowContactEvent'];
export type EventPayload<Type extends EventType = EventType> = Schemas[(typeof events)[Type]['schema']];

export type Advance = ReturnType<typeof serializeAdvance>;
export type Delivery = ReturnType<typeof serializeDelivery>;
export type SandboxEvent = ReturnType<typeof serializeEvent>;
export type JournaledRequest = ReturnType<typeof serializeRequest>;

/** What `waitFor` waits for; everything that is given must match. */
export interface WaitMatch {
  readonly event_type?: EventType;
  readonly call_id?: string;
  /** Whether every delivery of the event must have been accepted. */
  readonly delivered?: boolean;
  /** Real time, such as `10s` (the default). */
  readonly timeout?: string;
}

export interface SandboxClock {
  now(): Promise<string>;
  /** Runs everything up to then, and what it causes; a duration such as `30s`, or a timestamp as `{ to }`. */
  advance(by: string | { readonly to: string }, timeout?: string): Promise<Advance>;
  /** Runs until no step and no delivery is pending. */
  untilIdle(timeout?: string): Promise<Advance>;
  /** `real`, `manual`, `instant`, or a speed such as `20x`; the time goes on where it is. */
  set(mode: string): Promise<ClockView>;
}

/** One world of a sandbox. Lists are in the order in which things happened. */
export interface SandboxWorld {
  readonly name: string;
  readonly apiKey: string;
  readonly clock: SandboxClock;
  deliveries(): Promise<Delivery[]>;
  events(): Promise<SandboxEvent[]>;
  requests(): Promise<JournaledRequest[]>;
  /** The first event that matches; throws an error with the code `timeout` when it has not happened in time. */
  waitFor(match: WaitMatch): Promise<SandboxEvent>;
  reset(): Promise<void>;
}

/** A sandbox in this process; itself the handle of its `default` world. */
export interface Sandbox extends SandboxWorld {
  readonly url: string;
  /** The world of that name; made on first use, as its `svc_test_` key would. */
  world(name: string): SandboxWorld;
  close(): Promise<void>;
}

/** Within a process nobody waits for a supervisor; what is under way has this long to finish. */
const CLOSE_GRACE_MS = 500;

/**
 * Starts a sandbox on a free port. Options are the settings of the command line in camel case; throws an error with
 * one line where one of them is unknown or malformed, or a file is broken.
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = readOptions(options);
  const { context, url, close } = await openSandbox(settings, await createLog(settings.log));
  return {
    ...worldHandle(context, 'default', keyOfDefault(context)),
    url,
    world: (name) => worldHandle(context, name, testKeyOf(name)),
    close: () => close(CLOSE_GRACE_MS),
  };
}

function worldHandle(sandbox: SandboxContext, name: string, apiKey: string): SandboxWorld {
  const inside = async <T>(body: () => Promise<T>): Promise<T> => {
    if (!worldName.test(name)) throw new TypeError(`"${name}" is no name of a world: ${worldName.source}`);
    if (!(await sandbox.worlds.enterTestWorld(name)))
      throw new Error(`there is no world "${name}" (autoWorlds is off)`);
    const leave = sandbox.worlds.acquire(name);
    return inWords(body()).finally(leave);
  };
  const entries = async <Name extends JournalName>(journal: Name): Promise<readonly Journals[Name][]> => {
    const { entries: found } = await inside(() => sandbox.store.transaction(name, (tx) => tx.journal(journal)));
    return found;
  };
  const run = async (goal: Parameters<typeof advance>[2]): Promise<Advance> =>
    serializeAdvance(await inside(() => advance(sandbox, name, goal)));
  return {
    name,
    apiKey,
    clock: {
      now: async () => (await inside(() => readClock(sandbox, name))).now,
      async advance(by, timeout = '30s') {
        const goal = typeof by === 'string' ? { by: milliseconds(by) } : { to: instant(by.to) };
        return run({ ...goal, timeoutMs: milliseconds(timeout) });
      },
      untilIdle: async (timeout = '30s') => run({ until: 'idle', timeoutMs: milliseconds(timeout) }),
      async set(text) {
        const mode = clockSetting(text);
        return inside(() => setClock(sandbox, name, { mode }));
      },
    },
    deliveries: async () => (await entries('deliveries')).map(serializeDelivery),
    events: async () => (await entries('events')).map(serializeEvent),
    requests: async () => (await entries('requests')).map(serializeRequest),
    async waitFor({ timeout = '10s', ...match }) {
      const timeoutMs = milliseconds(timeout);
      return serializeEvent(await inside(() => waitForEvent(sandbox, name, match, timeoutMs)));
    },
    reset: () => inside(() => sandbox.worlds.reset(name)),
  };
}

/** Within a process there is no envelope: what one would say beside the message stands in the message. */
async function inWords<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ApiError) {
      const fields = Object.entries(error.detail.fields ?? {}).map(([name, reason]) => `${name} ${reason}`);
      error.message = fields.length > 0 ? fields.join('; ') : `${error.message} ${error.hint}`;
    }
    throw error;
  }
}

function milliseconds(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) throw new TypeError(`"${text}" is not ${durationForm}`);
  return ms;
}

function instant(text: string): number {
  const ms = parseTimestamp(text);
  if (ms === undefined) throw new TypeError(`"${text}" is not ${timestampForm}`);
  return ms;
}

function clockSetting(text: string): ClockSetting {
  const setting = parseClockSetting(text);
  if (!setting) throw new TypeError(`"${text}" is not ${clockForm}`);
  return setting;
}
