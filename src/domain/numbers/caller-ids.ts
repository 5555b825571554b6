// How a caller ID is created, verified and revoked: by a verification call, or together with a phone number of the
// platform, which needs no such call (assumption provisioned_caller_id).
import { timestamp } from '../../clock/clock.ts';
import { allocateId, create } from '../../engine/create.ts';
import { findAll, type Owner } from '../../engine/records.ts';
import { transition } from '../../engine/transition.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Secrets } from '../../identity/secrets.ts';
import { callerIdLifecycle } from '../../lifecycles/caller-id.ts';
import type { Row } from '../../model.ts';
import type { Tx, WorldFacts } from '../../store/store.ts';
import { anyHeldNumber } from './held-numbers.ts';

/** The organization's caller ID for a number, in any state. */
export function callerIdOf(tx: Tx, owner: Owner, phoneNumber: string): Row<'caller_ids'> | undefined {
  return findAll(tx, 'caller_ids', 'phone_number', phoneNumber, owner)[0];
}

/**
 * Throws `conflict` for a number that another organization of the world holds: neither an umbrella nor its child can
 * verify the other's numbers. `field` is the field of the body that names it.
 */
export function checkHolder(tx: Tx, owner: Owner, phoneNumber: string, field?: string): void {
  const number = anyHeldNumber(tx, phoneNumber);
  if (!number || number.private.organization_id === owner.organization_id) return;
  throw new ApiError('conflict', {
    message: `${phoneNumber} is a phone number of another organization; only a key of that organization can verify it.`,
    ...(field === undefined ? {} : { fields: { [field]: 'is a phone number of another organization' } }),
    hint: 'Verify a number of your own organization, or use a key of the organization that holds this one.',
    assumption: 'create_caller_id',
  });
}

/** A caller ID that is not verified; `calls` counts the verification calls in progress. */
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

/** Makes the organization's caller ID for a number of the platform VERIFIED; creates it if needed. */
export function certifyCallerId(tx: Tx, owner: Owner, phoneNumber: string): void {
  let callerId = callerIdOf(tx, owner, phoneNumber);
  if (!callerId) {
    callerId = newCallerId(tx, owner.organization_id, phoneNumber, 0);
    create(tx, callerIdLifecycle, callerId);
  }
  transition(tx, callerIdLifecycle, callerId, 'certify', {});
}

/** Revokes the caller IDs that other organizations of the world have for a number that this one now holds. */
export function revokeOthers(tx: Tx, { organization_id }: Owner, phoneNumber: string): void {
  for (const callerId of tx.page('caller_ids', 'phone_number', phoneNumber)) {
    if (callerId.private.organization_id !== organization_id) transition(tx, callerIdLifecycle, callerId, 'revoke', {});
  }
}

/** Revokes the organization's caller ID for a number that it releases. */
export function revokeCallerId(tx: Tx, { phone_number, private: owner, ...number }: Row<'phone_numbers'>): void {
  const callerId = callerIdOf(tx, owner, phone_number);
  if (!callerId || transition(tx, callerIdLifecycle, callerId, 'revoke', {})) return;
  // One that was revoked before shows the number's display name no longer.
  if (number.cnam_status !== null) touchCallerId(tx, owner, phone_number);
}

/** Marks the organization's caller ID for a number as changed now: what it shows of the number has changed. */
export function touchCallerId(tx: Tx, owner: Owner, phoneNumber: string): void {
  const callerId = callerIdOf(tx, owner, phoneNumber);
  if (callerId) tx.put('caller_ids', { ...callerId, updated_at: timestamp(tx.at) });
}

/** The six digits that the latest verification call speaks. */
export function verificationCode(secrets: Secrets, { name }: WorldFacts, callerId: Row<'caller_ids'>): string {
  const {
    caller_id_id,
    private: { calls },
  } = callerId;
  return secrets.digits('verification codes', 6, name, caller_id_id, calls);
}
