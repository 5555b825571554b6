// Caller IDs: `spec.md` "Caller IDs", and "Caller ID" under "States and transitions".
import { assumed } from '../assumptions/catalogue.ts';
import type { Schemas } from '../contract/document.ts';
import { checkSubscriber } from '../domain/calls/destination.ts';
import { callerIdOf, checkHolder, newCallerId, verificationCode } from '../domain/numbers/caller-ids.ts';
import { heldNumber } from '../domain/numbers/held-numbers.ts';
import { create, scheduleTimeline } from '../engine/create.ts';
import { type Caller, created, type Operation, ok, type ScenarioOperation } from '../engine/operation.ts';
import { inAssumedOrder, pageOf } from '../engine/paging.ts';
import { findRecord, refuseSecondDelete } from '../engine/records.ts';
import { transition } from '../engine/transition.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Secrets } from '../identity/secrets.ts';
import { callerIdLifecycle } from '../lifecycles/caller-id.ts';
import { type Row, wireOf } from '../model.ts';
import type { ScenarioSelection } from '../scenarios/select.ts';
import type { Tx } from '../store/store.ts';

const MINUTE_MS = 60_000;

export const listCallerIds: Operation<'listCallerIds'> = {
  handle({ caller, query }, tx) {
    const { rows, meta } = pageOf(tx, 'caller_ids', 'organization', caller.organization_id, inAssumedOrder(tx, query));
    const branding = brandingOf(tx, caller);
    return ok(
      rows.map((callerId) => serializeCallerId(tx, callerId, branding)),
      meta,
    );
  },
};

/** What verified caller IDs show of branded calling, and the timestamp of when that last changed. */
interface Branding {
  readonly shown: Row<'display_identities'>;
  readonly changed_at: string;
}

/** The newest display identity that is not rejected; if all are rejected, the newest. */
function brandingOf(tx: Tx, { organization_id }: Caller): Branding | undefined {
  const newest = { limit: 1, newestFirst: true };
  const [open] = tx.page('display_identities', 'not_rejected', organization_id, newest);
  const [shown = open] = open ? [open] : tx.page('display_identities', 'organization', organization_id, newest);
  if (!shown) return undefined;
  // A newer identity that was rejected made an older one show again; if all are rejected, any may have been the last.
  const after = open ? { after: open.private.rank } : {};
  const others = tx.page('display_identities', 'organization', organization_id, after);
  return { shown, changed_at: others.map(({ updated_at }) => updated_at).reduce(later, shown.updated_at) };
}

const later = (one: string, other: string): string => (Date.parse(other) > Date.parse(one) ? other : one);

/**
 * The CNAM fields come from the organization's phone number with these digits; those of branded calling come from a
 * display identity of the organization, if the caller ID is verified.
 */
function serializeCallerId(tx: Tx, callerId: Row<'caller_ids'>, branding?: Branding): Schemas['CallerId'] {
  const number = heldNumber(tx, callerId.private, callerId.phone_number);
  const cnam = number && { cnam_display_name: number.cnam_display_name, cnam_status: number.cnam_status };
  const rcd = callerId.status === 'VERIFIED' &&
    branding && {
      rcd_display_name: branding.shown.display_name,
      rcd_status: branding.shown.status,
      updated_at: later(callerId.updated_at, branding.changed_at),
    };
  return { ...wireOf(callerId), ...cnam, ...rcd };
}

export const createCallerId: ScenarioOperation<'createCallerId'> = {
  plays: { kind: 'caller_id' },
  precheck: { fields: [], check: (body) => checkSubscriber(body, 'phone_number', 'shown as a caller ID') },
  handle({ body: { phone_number }, caller, selection }, tx) {
    checkHolder(tx, caller, phone_number, 'phone_number');
    const existing = callerIdOf(tx, caller, phone_number);
    if (!existing) {
      const callerId = newCallerId(tx, caller.organization_id, phone_number, 1);
      create(tx, callerIdLifecycle, callerId, selection);
      return created(serializeCallerId(tx, callerId));
    }
    if (existing.status === 'VERIFIED') {
      if (assumed(tx.state('assumptions'), 'repeated_caller_id') === 200) return ok(serializeCallerId(tx, existing));
      throw new ApiError('conflict', {
        message: `The caller ID for ${phone_number} is already VERIFIED; only a pending or revoked one can be verified again.`,
        fields: { phone_number: 'is already a verified caller ID of this account' },
        hint: 'Use it as it is, or DELETE it first.',
        assumption: 'repeated_caller_id',
      });
    }
    return created(serializeCallerId(tx, callAgain(tx, existing, selection)));
  },
};

/** Starts a new verification call with a new code, under the same id. */
function callAgain(tx: Tx, existing: Row<'caller_ids'>, selection: ScenarioSelection): Row<'caller_ids'> {
  const pending = transition(tx, callerIdLifecycle, existing, 'restart', {}) ?? existing;
  const again: Row<'caller_ids'> = {
    ...pending,
    private: { ...pending.private, spoken_at: null, attempts: 0, calls: pending.private.calls + 1 },
  };
  tx.put('caller_ids', again);
  tx.unschedule({ table: 'caller_ids', id: existing.caller_id_id });
  scheduleTimeline(tx, callerIdLifecycle, existing.caller_id_id, selection);
  return again;
}

export const verifyCallerId: Operation<'verifyCallerId'> = {
  handle({ params, caller, body, secrets }, tx) {
    const callerId = findRecord(tx, 'caller_ids', params.id, caller);
    if (callerId.status === 'REVOKED') {
      throw new ApiError('conflict', {
        message: 'The caller ID is REVOKED; only a PENDING_VERIFICATION one can be verified.',
        hint: 'Start a new verification call with POST /v1/caller-ids.',
        assumption: 'caller_id_states',
      });
    }
    const problem = callerId.status === 'VERIFIED' ? undefined : tryCode(tx, secrets, callerId, body.verification_code);
    if (problem !== undefined && assumed(tx.state('assumptions'), 'wrong_verification_code') === 400) {
      throw new ApiError('validation_error', {
        fields: { verification_code: problem },
        assumption: 'wrong_verification_code',
        keepsEffects: true,
      });
    }
    return ok({ verified: problem === undefined, message: problem ?? 'The caller ID is verified.' });
  },
};

/** Verifies the caller ID if the code is correct; otherwise returns what is wrong. */
function tryCode(tx: Tx, secrets: Secrets, callerId: Row<'caller_ids'>, code: string): string | undefined {
  const { spoken_at, attempts } = callerId.private;
  if (spoken_at === null) return 'The verification call has not been made yet.';
  const assumptions = tx.state('assumptions');
  if (attempts >= assumed(assumptions, 'verification_attempts'))
    return 'Too many attempts; start a new verification call.';
  const expires = Date.parse(spoken_at) + assumed(assumptions, 'verification_minutes') * MINUTE_MS;
  if (tx.at >= expires) return 'The code has expired; start a new verification call.';
  if (code !== verificationCode(secrets, tx.world, callerId)) {
    tx.put('caller_ids', { ...callerId, private: { ...callerId.private, attempts: attempts + 1 } });
    return 'The code does not match the one that was spoken.';
  }
  transition(tx, callerIdLifecycle, callerId, 'verify', {});
  return undefined;
}

export const deleteCallerId: Operation<'deleteCallerId'> = {
  handle({ params, caller }, tx) {
    const callerId = findRecord(tx, 'caller_ids', params.id, caller);
    const revoked = transition(tx, callerIdLifecycle, callerId, 'revoke', {});
    if (!revoked) refuseSecondDelete(tx, 'caller ID', params.id);
    return ok(serializeCallerId(tx, revoked ?? callerId));
  },
};
