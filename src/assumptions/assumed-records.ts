// Changes records as the assumptions of a world require, for responses and events; the stored record stays as it is.
import type { Row } from '../model.ts';
import { type AssumptionValues, assumed } from './catalogue.ts';

type Call = Row<'calls'>;
type PhoneNumber = Row<'phone_numbers'>;

/** The same call, unless the world assumes another status or other fields for calls that ended in its way. */
export function assumedCall(assumptions: AssumptionValues, call: Call): Call {
  let shown = call;
  const { ended_at, status, private: own } = call;
  if (status === 'CANCELED' && assumed(assumptions, 'hangup_status') === 'completed') {
    shown = { ...shown, status: 'COMPLETED' };
  }
  if (ended_at !== null && own.answered_at === null && assumed(assumptions, 'unanswered_duration') === 'null') {
    shown = { ...shown, duration_seconds: null };
  }
  if (call.disconnection_reason !== null && assumed(assumptions, 'disconnection_reason') === 'null') {
    shown = { ...shown, disconnection_reason: null };
  }
  return shown;
}

/** When a call started: when it was placed, or when it was answered. */
export function assumedStart(assumptions: AssumptionValues, { started_at, private: own }: Call): string | null {
  return assumed(assumptions, 'call_started_at') === 'placed' ? started_at : own.answered_at;
}

/** A texting status; a world can assume that a number without a registration has none. */
export function assumedTextingStatus(
  assumptions: AssumptionValues,
  { texting_status }: PhoneNumber,
): PhoneNumber['texting_status'] | null {
  return texting_status === 'none' && assumed(assumptions, 'texting_status') === 'null' ? null : texting_status;
}
