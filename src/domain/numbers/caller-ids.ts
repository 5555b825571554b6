// A caller ID as it is made and as it goes: by a verification call, or with a phone number of the platform's own, which
// needs none (the ledger's provisioned_caller_id).
import { timestamp } from '../../clock/clock.ts';
import { allocateId, create } from '../../engine/create.ts';
import { findAll } from '../../engine/operation.ts';
import { transition } from '../../engine/transition.ts';
import { callerIdLifecycle } from '../../lifecycles/caller-id.ts';
import type { Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';

/** A caller ID that nobody has verified yet; `calls` counts the verification calls that are under way. */
export function newCallerId(tx: Tx, organization_id: string, phone_number: string, calls: number): Row<'caller_ids'> {
  const now = timestamp(tx.at);
  const { id, rank } = allocateId(tx, 'caller_ids');
  return {
    caller_id_id: id,
    phone_number,
    status: 'PENDING_VERIFICATION',
    verified_at: null,
    certification_method: null,
    cnam_display_name: null,
    cnam_status: null,
    rcd_display_name: null,
    rcd_status: null,
    active: true,
    created_at: now,
    updated_at: now,
    private: { organization_id, rank, spoken_at: null, attempts: 0, calls },
  };
}

/** The organization's caller ID for a number that the platform provides: VERIFIED, made where there is none. */
export function certifyCallerId(tx: Tx, organization: string, phoneNumber: string): void {
  let callerId = callerIdOf(tx, organization, phoneNumber);
  if (!callerId) {
    callerId = newCallerId(tx, organization, phoneNumber, 0);
    create(tx, callerIdLifecycle, callerId);
  }
  transition(tx, callerIdLifecycle, callerId, 'certify', {});
}

/** What becomes of the caller ID when the organization gives the number back. */
export function revokeCallerId(tx: Tx, organization: string, phoneNumber: string): void {
  const callerId = callerIdOf(tx, organization, phoneNumber);
  if (callerId) transition(tx, callerIdLifecycle, callerId, 'revoke', {});
}

function callerIdOf(tx: Tx, organization: string, phoneNumber: string): Row<'caller_ids'> | undefined {
  return findAll(tx, 'caller_ids', 'phone_number', phoneNumber, { organization_id: organization })[0];
}
