// The call that an event fired by hand is about.
import { timestamp } from '../../clock/clock.ts';
import { allocateId } from '../../engine/create.ts';
import { type EventType, isAbout } from '../../events/catalogue.ts';
import { applyTriggers, type CallEnding, callEndings, callTriggers } from '../../fixtures/past-triggers.ts';
import { callLifecycle, newCall } from '../../lifecycles/call.ts';
import type { Row } from '../../model.ts';
import { fictionalNumber } from '../simulate/fictional-number.ts';
import { type Firing, newestContact, type RecordSource, textIn } from './firing.ts';

type Call = Row<'calls'>;

export const calls: RecordSource<'calls'> = {
  index: () => 'organization',
  asOf(firing, call) {
    if (firing.type === 'new_call') return placed(call);
    const status = textIn(firing, 'status') ?? call.status;
    return isAbout(firing.type, call) && status === call.status ? call : ended(call, endingOf(firing), firing.tx.at);
  },
  make(firing) {
    const call = endedCall(firing, endingOf(firing));
    firing.tx.put('calls', call);
    return call;
  },
};

/** A call as it was when it was placed. */
function placed(call: Call): Call {
  return newCall({ ...call, private: { ...call.private, answered_at: null } });
}

/** How the event types end a call that say so. */
const endingsByType: { readonly [Type in EventType]?: CallEnding } = {
  call_busy: 'busy',
  call_no_answer: 'no_answer',
  call_voicemail: 'voicemail',
};
const endingsByStatus: Readonly<Record<string, CallEnding>> = {
  COMPLETED: 'answered',
  BUSY: 'busy',
  NO_ANSWER: 'no_answer',
  VOICEMAIL: 'voicemail',
  FAILED: 'call_declined',
  CANCELED: 'canceled',
};
const failures: readonly CallEnding[] = ['call_declined', 'number_unreachable', 'carrier_rejected'];

/** By the event type, else by the failure code or the status that was given. */
function endingOf(firing: Firing): CallEnding {
  const code = textIn(firing, 'failure_code');
  const byCode = code === 'voicemail_reached' ? 'voicemail' : callEndings.find((ending) => ending === code);
  if (firing.type === 'call_failed') return byCode && failures.includes(byCode) ? byCode : 'call_declined';
  return endingsByType[firing.type] ?? byCode ?? endingsByStatus[textIn(firing, 'status') ?? ''] ?? 'answered';
}

/** Milliseconds of ringing and talking, for calls that do not say. */
const RINGS: { readonly [Ending in CallEnding]?: number } = { busy: 2000, no_answer: 30_000, voicemail: 20_000 };
const RING = 4000;
const TALKS: { readonly [Ending in CallEnding]?: number } = { answered: 30_000, voicemail: 4000 };

/** A call as if it had ended like that: when it did end, or now. */
export function ended(call: Call, ending: CallEnding, now: number): Call {
  const start = Date.parse(call.started_at);
  const length = (call.ended_at === null ? now : Date.parse(call.ended_at)) - start;
  const { answered_at } = call.private;
  const ring = answered_at === null ? Math.min(length, RINGS[ending] ?? RING) : Date.parse(answered_at) - start;
  const triggers = callTriggers({ outcome: ending, placed: start, ring, talk: length - ring });
  return applyTriggers(callLifecycle, placed(call), triggers);
}

/** A call of the organization that has just ended; not stored yet. */
export function endedCall(firing: Firing, ending: CallEnding, other = textIn(firing, 'to_number')): Call {
  const { tx, owner, data } = firing;
  const inbound = data.direction === 'inbound';
  const seconds = Number.isInteger(data.duration_seconds) ? Number(data.duration_seconds) : undefined;
  const talk = seconds === undefined ? (TALKS[ending] ?? 0) : Math.max(0, seconds * 1000);
  const ring = RINGS[ending] ?? RING;
  const number = ownNumber(firing, inbound);
  const own = number?.phone_number ?? fictionalNumber(tx);
  const person = (inbound ? textIn(firing, 'from_number') : other) ?? newestContact(firing)?.phone_number;
  const theirs = person ?? fictionalNumber(tx);
  const start = tx.at - ring - talk;
  const { id, rank } = allocateId(tx, 'calls');
  const call = newCall({
    id,
    direction: inbound ? 'inbound' : 'outbound',
    from_number: inbound ? theirs : own,
    to_number: inbound ? own : theirs,
    started_at: timestamp(start),
    phone_number_id: number === undefined ? null : String(number.id),
    private: {
      ...owner,
      rank,
      answered_at: null,
      agent: null,
      job_id: null,
      job_contact_id: null,
      scenario: { name: ending === 'canceled' ? 'answered' : ending, parameters: {} },
      script: null,
    },
  });
  return applyTriggers(callLifecycle, call, callTriggers({ outcome: ending, placed: start, ring, talk }));
}

/** The organization's number that takes part: the given one, else the first active one. */
function ownNumber(firing: Firing, inbound: boolean): Row<'phone_numbers'> | undefined {
  const { tx, owner } = firing;
  const given = textIn(firing, inbound ? 'to_number' : 'from_number');
  const numbers = tx.page('phone_numbers', 'organization', owner.organization_id);
  return numbers.find(({ phone_number }) => phone_number === given) ?? numbers.find(({ is_active }) => is_active);
}
