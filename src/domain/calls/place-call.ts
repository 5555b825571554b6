// What all calls have in common, whether dialled, or placed by an agent or a job: the number that they come from, the
// caps, and the record itself.
import { timestamp } from '../../clock/clock.ts';
import type { Schemas } from '../../contract/document.ts';
import { allocateId, create } from '../../engine/create.ts';
import { findAll, type Owner } from '../../engine/records.ts';
import type { PlatformSettings } from '../../engine/settings.ts';
import { ApiError } from '../../errors/api-error.ts';
import { callLifecycle, newCall } from '../../lifecycles/call.ts';
import type { AgentOnCall, Row } from '../../model.ts';
import type { ScenarioSelection } from '../../scenarios/select.ts';
import { scriptToKeep } from '../../scenarios/transcript.ts';
import type { Tx } from '../../store/store.ts';
import { callerIdOf } from '../numbers/caller-ids.ts';
import { heldNumber } from '../numbers/held-numbers.ts';

/**
 * Throws unless a call may come from that number: its caller ID must be verified, and a number that the account holds
 * must be active. Returns the held number, or null for one of another provider.
 */
export function usableNumber(tx: Tx, owner: Owner, from: string): Row<'phone_numbers'> | null {
  if (callerIdOf(tx, owner, from)?.status !== 'VERIFIED') {
    const usable = usableNumbers(tx, owner);
    throw new ApiError('call_id_not_verified', {
      fields: { from_number: `${from} is not a verified caller ID of this account` },
      hint: usable.length > 0 ? `Call from ${usable.join(' or ')}.` : 'Verify a caller ID first.',
    });
  }
  const number = heldNumber(tx, owner, from);
  if (!number) return null;
  if (!number.is_active) {
    throw new ApiError('no_active_number', {
      message: `${from} is not active (${number.private.status.toLowerCase()}).`,
    });
  }
  return number;
}

/** Every number that the organization can call from, the oldest caller ID first. */
function usableNumbers(tx: Tx, owner: Owner): string[] {
  const callerIds = findAll(tx, 'caller_ids', 'organization', owner.organization_id, owner);
  const numbers = findAll(tx, 'phone_numbers', 'organization', owner.organization_id, owner);
  const inactive = numbers.filter((number) => !number.is_active).map((number) => number.phone_number);
  return callerIds
    .filter((callerId) => callerId.status === 'VERIFIED' && !inactive.includes(callerId.phone_number))
    .map((callerId) => callerId.phone_number);
}

/**
 * The number that an agent calls from: the requested one, else the agent's own if usable, else the first usable one;
 * `no_active_number` if none is.
 */
export function numberToCallFrom(tx: Tx, owner: Owner, from: string | null | undefined, agent: Row<'agents'>): string {
  if (typeof from === 'string') {
    usableNumber(tx, owner, from);
    return from;
  }
  const usable = usableNumbers(tx, owner);
  const own = agent.phone_number?.phone_number;
  const number = usable.find((candidate) => candidate === own) ?? usable[0];
  if (number !== undefined) return number;
  throw new ApiError('no_active_number', {
    message: 'The account has no number to call from: none is both active and a verified caller ID.',
    hint: 'Provision a number and verify it as a caller ID.',
  });
}

/** Throws if all concurrent calls of the world, or of the number (which a fixture can limit), are in progress. */
export function checkCaps(tx: Tx, settings: PlatformSettings, from: string, number: Row<'phone_numbers'> | null): void {
  const ownCapacity = tx.state('assumptions').concurrent_calls;
  const capacity = ownCapacity === undefined ? settings.concurrentCalls : Number(ownCapacity);
  if (capacity !== null && tx.count('calls', 'live', 'all') >= capacity) {
    throw new ApiError('rate_limited', {
      message: `All ${capacity} concurrent calls of the account are in progress.`,
      hint: 'Wait until a call ends.',
      assumption: 'concurrent_calls',
    });
  }
  const { max_calls } = number?.private ?? { max_calls: null };
  if (max_calls !== null && tx.count('calls', 'live_number', from) >= max_calls) {
    throw new ApiError('no_number_available');
  }
}

/** The two ends of a call, and the organization's number and agent that take part. */
export interface CallParties {
  readonly direction: Schemas['CallDirection'];
  readonly from_number: string;
  readonly to_number: string;
  readonly number: Row<'phone_numbers'> | null;
  readonly agent: Row<'agents'> | null;
  /** The contact of a job that is called. */
  readonly jobContact?: Row<'job_contacts'>;
}

/** Creates a call of that organization, which plays the selected scenario; emits `new_call`. */
export function placeCall(
  tx: Tx,
  organization_id: string,
  selection: ScenarioSelection,
  { direction, from_number, to_number, number, agent, jobContact }: CallParties,
): Row<'calls'> {
  const { scenario, parameters } = selection;
  const { id, rank } = allocateId(tx, 'calls');
  const call = newCall({
    id,
    direction,
    from_number,
    to_number,
    started_at: timestamp(tx.at),
    phone_number_id: number === null ? null : String(number.id),
    private: {
      organization_id,
      rank,
      answered_at: null,
      agent: agent && onCall(agent),
      job_id: jobContact?.private.job_id ?? null,
      job_contact_id: jobContact?.id ?? null,
      scenario: { name: scenario.name, parameters },
      script: scriptToKeep(scenario),
    },
  });
  create(tx, callLifecycle, call, selection);
  return call;
}

/** The agent's configuration when the call is placed; later changes do not affect this call. */
function onCall({ id, greeting, business_name, language }: Row<'agents'>): AgentOnCall {
  return { id, greeting, business_name, language };
}
