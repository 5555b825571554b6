// What `check-receiver` sends and which answers it expects: everything that the platform may send must be accepted, and
// everything else refused.
import type { ControlClient } from '../client/control-client.ts';
import type { EventType } from '../events/catalogue.ts';
import { tamperedBody } from '../webhooks/plans.ts';
import { NO_SECRET, SIGNATURE_HEADER, signatureOf } from '../webhooks/sign.ts';
import { type Forwarded, post } from './post.ts';

export interface ReceiverCheck {
  readonly name: string;
  readonly sends: string;
  readonly expected: 'accept' | 'refuse';
}

export interface CheckResult extends ReceiverCheck {
  readonly verdict: 'passed' | 'failed' | 'skipped';
  readonly answers: readonly Forwarded[];
  /** Why it failed or was skipped, and what to do. */
  readonly note: string | null;
}

interface Message {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly pauseMs?: number;
}

interface Skipped {
  readonly skipped: string;
}

interface Definition extends ReceiverCheck {
  /** The messages, in the order in which they are sent, or why there are none. */
  make(source: Source): Promise<readonly Message[] | Skipped>;
  readonly remedy: string;
}

export interface Source {
  readonly control: ControlClient;
  readonly type: EventType;
  readonly secret: string;
  /** What tells the record of this check from those of others: a receiver may leave out what it has had. */
  readonly data: Readonly<Record<string, unknown>>;
}

const SLOW_MS = 1000;
const UNKNOWN_TYPE = 'number.teleported';

/** An event that follows one of a type, about the same record. */
const followers: { readonly [Type in EventType]?: EventType } = {
  number_purchased: 'number_released',
  new_call: 'call_completed',
  sms_sent: 'sms_delivered',
};

/** Fields of an event's body that only the events of one check have. */
export function fieldsOf(type: EventType, check: number): Readonly<Record<string, unknown>> {
  const number = `+1415555015${check}`;
  if (type.startsWith('number_')) return { phone_number: number };
  return /call/.test(type) ? { to_number: number } : {};
}

async function emit(source: Source, event_type: EventType = source.type, data = source.data) {
  const { control, secret } = source;
  const { payload, body, headers } = await control.call('emitEvent', { body: { event_type, data: { ...data } } });
  return { payload, ...signed({ body, headers }, secret) };
}

const isSigned = ({ headers }: Message): boolean => SIGNATURE_HEADER in headers;

function signed({ body, headers }: Message, secret: string): Message {
  return {
    body,
    headers: SIGNATURE_HEADER in headers ? { ...headers, [SIGNATURE_HEADER]: signatureOf(body, secret) } : headers,
  };
}

/** What only makes sense of a message that carries a signature. */
function ofSigned(message: Message, change: (message: Message) => Message): readonly Message[] | Skipped {
  return isSigned(message) ? [change(message)] : { skipped: 'events of this type carry no signature' };
}

export const definitions: readonly Definition[] = [
  {
    name: 'good',
    sends: 'an event as the platform sends it',
    expected: 'accept',
    make: async (source) => [await emit(source)],
    remedy: 'answer 2xx; verify the signature over the raw bytes of the body',
  },
  {
    name: 'tampered',
    sends: 'an event of which one digit was changed',
    expected: 'refuse',
    make: async (source) =>
      ofSigned(await emit(source), ({ body, headers }) => ({ body: tamperedBody(body, () => 0), headers })),
    remedy: `verify ${SIGNATURE_HEADER} over the raw bytes, and answer 401`,
  },
  {
    name: 'unsigned',
    sends: 'an event without a signature',
    expected: 'refuse',
    make: async (source) =>
      ofSigned(await emit(source), ({ body, headers }) => ({
        body,
        headers: { ...headers, [SIGNATURE_HEADER]: NO_SECRET },
      })),
    remedy: `refuse events whose ${SIGNATURE_HEADER} is absent or "${NO_SECRET}"`,
  },
  {
    name: 'duplicate',
    sends: 'the same event twice',
    expected: 'accept',
    async make(source) {
      const event = await emit(source);
      return [event, event];
    },
    remedy: 'answer 2xx to an event that you have had, and do nothing more',
  },
  {
    name: 'reordered',
    sends: 'two events about one record, the later one first',
    expected: 'accept',
    async make(source) {
      const later = followers[source.type];
      if (!later) return { skipped: 'no event follows one of this type' };
      const first = await emit(source);
      return [await emit(source, later, { id: idOf(first.payload) }), first];
    },
    remedy: 'take events in any order; the time within tells which is later',
  },
  {
    name: 'slow',
    sends: `an event whose bytes take ${SLOW_MS / 1000} s to arrive`,
    expected: 'accept',
    make: async (source) => [{ ...(await emit(source)), pauseMs: SLOW_MS }],
    remedy: 'wait for the whole body before you read it',
  },
  {
    name: 'unknown_type',
    sends: 'an event of a type that does not exist yet',
    expected: 'accept',
    async make(source) {
      const { body, headers } = await emit(source);
      const unknown = body.replace(/("triggerEvent":")[^"]*/, `$1${UNKNOWN_TYPE}`);
      if (unknown === body) return { skipped: 'bodies of this type name no event type' };
      return [signed({ body: unknown, headers }, source.secret)];
    },
    remedy: 'answer 2xx to event types that you do not know, and ignore them',
  },
];

export const checkNames = definitions.map(({ name }) => name);

/** The id of the record that an event is about, within its envelope if it has one. */
function idOf(payload: Readonly<Record<string, unknown>>): unknown {
  const { payload: inner } = payload;
  return typeof inner === 'object' && inner !== null && 'id' in inner ? inner.id : payload.id;
}

export async function runCheck(
  { make, remedy, ...check }: Definition,
  url: string,
  source: Source,
): Promise<CheckResult> {
  const messages = await make(source);
  if ('skipped' in messages) return { ...check, verdict: 'skipped', answers: [], note: messages.skipped };
  const answers: Forwarded[] = [];
  for (const { body, headers, pauseMs } of messages) answers.push(await post(url, headers, body, undefined, pauseMs));
  return { ...check, ...judged(check.expected, answers, remedy), answers };
}

function judged(
  expected: 'accept' | 'refuse',
  answers: readonly Forwarded[],
  remedy: string,
): Pick<CheckResult, 'verdict' | 'note'> {
  const silent = answers.find(({ status }) => status === null);
  if (silent) return { verdict: 'failed', note: silent.error };
  const accepted = answers.filter(({ status }) => status !== null && status >= 200 && status < 300).length;
  if (expected === 'accept') return accepted === answers.length ? passed : { verdict: 'failed', note: remedy };
  if (accepted > 0) return { verdict: 'failed', note: remedy };
  const broken = answers.some(({ status }) => status !== null && status >= 500);
  return broken ? { verdict: 'passed', note: 'refused by an error of its own; answer 401 instead of 5xx' } : passed;
}

const passed = { verdict: 'passed', note: null } as const;
