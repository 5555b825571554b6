// The call that an event emitted by hand is about.
import { timestamp } from '../../clock/clock.ts';
import { anyHeldNumber } from '../../domain/numbers/held-numbers.ts';
import { allocateId } from '../../engine/create.ts';
import type { Owner } from '../../engine/records.ts';
import { isAbout } from '../../events/catalogue.ts';
import { applyTriggers, type CallEnding, callEndings, callTriggers } from '../../fixtures/past-triggers.ts';
import type { AllocatedId } from '../../identity/seeded.ts';
import { callLifecycle, newCall } from '../../lifecycles/call.ts';
import type { Row } from '../../model.ts';
import { fictionalNumber } from '../simulate/fictional-number.ts';
import { draftOf, type Firing, newestContact, type RecordSource } from './firing.ts';
import { given, phoneNumber, seconds } from './forms.ts';
import { byId } from './naming.ts';

type Call = Row<'calls'>;

export const calls: RecordSource<'calls'> = {
  forms: ({ type }) => ({
    from_number: phoneNumber,
    to_number: phoneNumber,
    // Nobody talks on the calls of the other events.
    ...(talks.has(type) ? { duration_seconds: seconds } : {}),
  }),
  named: (firing) => byId(firing, 'calls'),
  among: ({ owner }) => ['organization', owner.organization_id],
  asOf: ({ type }, call) => (type === 'new_call' ? placed(call) : call),
  drafts(firing, base) {
    const { tx, type, owner } = firing;
    const talked = given(firing, 'duration_seconds', seconds);
    const talk = talked === undefined ? undefined : talked * 1000;
    const ended = base ? endingsOf(tx.at, base, talk) : newCalls(firing, owner, talk);
    return ended
      .filter((call) => isAbout(type, call, tx.state('assumptions')))
      .map((call) => draftOf(firing, 'calls', call, base));
  },
};

function newCalls(firing: Firing, owner: Owner, talk: number | undefined): Call[] {
  const parties = partiesOf(firing);
  const allocated = allocateId(firing.tx, 'calls');
  const placings = (['outbound', 'inbound'] as const).map((direction) => ({ direction, ...parties[direction] }));
  return placings.flatMap((placing) =>
    callEndings.map((ending) => endedCall(firing, owner, allocated, placing, ending, talk)),
  );
}

/** Every way in which an existing call can end. Talking takes `talk` milliseconds, by default as long as it has so far. */
export function endingsOf(at: number, call: Call, talk?: number): Call[] {
  const answered = call.private.answered_at;
  const ended = call.ended_at === null ? at : Date.parse(call.ended_at);
  const soFar = answered === null ? undefined : ended - Date.parse(answered);
  return callEndings.map((ending) => endedNow(at, placed(call), ending, timesOf(ending, talk ?? soFar)));
}

const talks: ReadonlySet<string> = new Set(['call_completed', 'phone_call.ended', 'call_voicemail']);

/** A call as it was when it was placed. */
function placed(call: Call): Call {
  return newCall({ ...call, private: { ...call.private, answered_at: null } });
}

export type Placing = Pick<Call, 'direction' | 'from_number' | 'to_number'>;

/** Who calls whom, by direction: the numbers that were given, else one of the organization's and that of a person. */
function partiesOf(firing: Firing): Record<Call['direction'], Pick<Placing, 'from_number' | 'to_number'>> {
  const from = given(firing, 'from_number', phoneNumber);
  const to = given(firing, 'to_number', phoneNumber);
  const own = from !== undefined && to !== undefined ? '' : ownNumber(firing);
  const person = from !== undefined && to !== undefined ? '' : personsNumber(firing);
  return {
    outbound: { from_number: from ?? own, to_number: to ?? person },
    inbound: { from_number: from ?? person, to_number: to ?? own },
  };
}

/** The first active number of the organization. */
export function ownNumber({ tx, owner }: Firing): string {
  const numbers = tx.page('phone_numbers', 'organization', owner.organization_id);
  return numbers.find(({ is_active }) => is_active)?.phone_number ?? fictionalNumber(tx);
}

/** The number of the newest contact. */
export function personsNumber(firing: Firing): string {
  return newestContact(firing)?.phone_number ?? fictionalNumber(firing.tx);
}

/** Milliseconds of ringing and talking, for calls that do not say. */
const RINGS: { readonly [Ending in CallEnding]?: number } = { busy: 2000, no_answer: 30_000, voicemail: 20_000 };
const RING = 4000;
const TALKS: { readonly [Ending in CallEnding]?: number } = { answered: 30_000, voicemail: 4000 };

interface Times {
  readonly ring: number;
  readonly talk: number;
}

function timesOf(ending: CallEnding, talk: number | undefined): Times {
  const usual = TALKS[ending] ?? 0;
  return { ring: RINGS[ending] ?? RING, talk: usual > 0 && talk !== undefined ? talk : usual };
}

function endedNow(at: number, call: Call, ending: CallEnding, { ring, talk }: Times): Call {
  const triggers = callTriggers({ outcome: ending, placed: at - ring - talk, ring, talk });
  return applyTriggers(callLifecycle, call, triggers);
}

/** A call of the organization that has just ended; not stored yet. `talk` is in milliseconds. */
export function endedCall(
  { tx }: Pick<Firing, 'tx'>,
  { organization_id }: Owner,
  { id, rank }: AllocatedId,
  placing: Placing,
  ending: CallEnding,
  talk?: number,
): Call {
  const times = timesOf(ending, talk);
  const number = anyHeldNumber(tx, placing.direction === 'inbound' ? placing.to_number : placing.from_number);
  const call = newCall({
    ...placing,
    id,
    started_at: timestamp(tx.at - times.ring - times.talk),
    phone_number_id: number?.private.organization_id === organization_id ? String(number.id) : null,
    private: {
      organization_id,
      rank,
      answered_at: null,
      agent: null,
      job_id: null,
      job_contact_id: null,
      scenario: { name: ending === 'canceled' ? 'answered' : ending, parameters: {} },
      script: null,
    },
  });
  return endedNow(tx.at, call, ending, times);
}
