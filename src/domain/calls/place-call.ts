// What every way to a call shares, be it dialled, placed by an agent or by a job: which number it comes from, the caps,
// and the record itself.
import { timestamp } from '../../clock/clock.ts';
import type { Schemas } from '../../contract/document.ts';
import { create, type PlayedScenario } from '../../engine/create.ts';
import { findAll, type Owner } from '../../engine/operation.ts';
import type { PlatformSettings } from '../../engine/settings.ts';
import { ApiError } from '../../errors/api-error.ts';
import { uuid } from '../../identity/seeded.ts';
import { callLifecycle } from '../../lifecycles/call.ts';
import type { AgentOnCall, Row } from '../../model.ts';
import { scriptToKeep } from '../../scenarios/transcript.ts';
import type { Tx } from '../../store/store.ts';

/**
 * The number that a call would come from: its caller ID must be verified, and where the account holds the number here,
 * it must be active. Answers the held number, or null for one that was verified from outside.
 */
export function usableNumber(tx: Tx, caller: Owner, from: string): Row<'phone_numbers'> | null {
  const [callerId] = findAll(tx, 'caller_ids', 'phone_number', from, caller);
  if (callerId?.status !== 'VERIFIED') {
    const usable = usableNumbers(tx, caller);
    throw new ApiError('call_id_not_verified', {
      fields: { from_number: `${from} is not a verified caller ID of this account` },
      hint: usable.length > 0 ? `Call from ${usable.join(' or ')}.` : 'Verify a caller ID first.',
    });
  }
  const [number] = findAll(tx, 'phone_numbers', 'phone_number', from, caller);
  if (!number) return null;
  if (!number.is_active) {
    throw new ApiError('no_active_number', {
      message: `${from} is not active (${number.private.status.toLowerCase()}).`,
    });
  }
  return number;
}

/** Every number that the organization can call from, the oldest caller ID first. */
function usableNumbers(tx: Tx, caller: Owner): string[] {
  const callerIds = findAll(tx, 'caller_ids', 'organization', caller.organization_id, caller);
  const numbers = findAll(tx, 'phone_numbers', 'organization', caller.organization_id, caller);
  const inactive = numbers.filter((number) => !number.is_active).map((number) => number.phone_number);
  return callerIds
    .filter((callerId) => callerId.status === 'VERIFIED' && !inactive.includes(callerId.phone_number))
    .map((callerId) => callerId.phone_number);
}

/**
 * The number that an agent calls from: the one that is asked for, else its own where that is usable, else the first
 * usable one; `no_active_number` where there is none.
 */
export function numberToCallFrom(tx: Tx, caller: Owner, from: string | null | undefined, agent: Row<'agents'>): string {
  if (typeof from === 'string') {
    usableNumber(tx, caller, from);
    return from;
  }
  const usable = usableNumbers(tx, caller);
  const own = agent.phone_number?.phone_number;
  const number = usable.find((each) => each === own) ?? usable[0];
  if (number !== undefined) return number;
  throw new ApiError('no_active_number', {
    message: 'The account has no number to call from: none is both active and a verified caller ID.',
    hint: 'Provision a number and verify it as a caller ID.',
  });
}

/** The world's capacity, and the number's own where its fixture sets one. */
export function checkCaps(tx: Tx, settings: PlatformSettings, from: string, number: Row<'phone_numbers'> | null): void {
  const own = tx.state('assumptions').concurrent_calls;
  const capacity = own === undefined ? settings.concurrentCalls : Number(own);
  if (capacity !== null && tx.count('calls', 'live', 'all') >= capacity) {
    throw new ApiError('rate_limited', {
      message: `The account has a capacity of ${capacity} calls in progress, and it is used up.`,
      hint: 'Wait until a call ends.',
      assumption: 'concurrent_calls',
    });
  }
  const { max_calls } = number?.private ?? { max_calls: null };
  if (max_calls !== null && tx.count('calls', 'live_number', from) >= max_calls) {
    throw new ApiError('no_number_available');
  }
}

/** Between which numbers a call is, and which of the organization's numbers and agents have to do with it. */
export interface CallParties {
  readonly direction: Schemas['CallDirection'];
  readonly from_number: string;
  readonly to_number: string;
  readonly number: Row<'phone_numbers'> | null;
  readonly agent: Row<'agents'> | null;
  /** Whose place on the list of a job it takes. */
  readonly listed?: Row<'job_contacts'>;
}

/** A new call of that organization, which lives by the scenario that was chosen; emits `new_call`. */
export function placeCall(tx: Tx, organization: string, chosen: PlayedScenario, ends: CallParties): Row<'calls'> {
  const ordinal = tx.ordinal('calls');
  const { parameters } = chosen.choice;
  const { direction, from_number, to_number, number, agent, listed } = ends;
  const call: Row<'calls'> = {
    id: uuid(tx.world.seed, tx.world.name, 'calls', ordinal),
    status: 'QUEUED',
    direction,
    from_number,
    to_number,
    started_at: timestamp(tx.at),
    ended_at: null,
    duration_seconds: null,
    phone_number_id: number === null ? null : String(number.id),
    has_recording: false,
    recording_url: null,
    has_transcript: false,
    failure_code: null,
    failure_category: null,
    call_outcome: null,
    disconnection_reason: null,
    private: {
      organization_id: organization,
      rank: tx.ordinal('records'),
      answered_at: null,
      agent: agent && onCall(agent),
      job_id: listed?.private.job_id ?? null,
      job_contact_id: listed?.id ?? null,
      scenario: { name: chosen.scenario.name, parameters },
      script: scriptToKeep(chosen.scenario),
    },
  };
  create(tx, callLifecycle, call, chosen);
  return call;
}

/** What the agent says on this call, whatever it is changed to while the call lasts or later. */
function onCall({ id, greeting, business_name, language }: Row<'agents'>): AgentOnCall {
  return { id, greeting, business_name, language };
}
