// Caller IDs: `spec.md` "Caller IDs" and "Caller ID" under "States and transitions".
import { timestamp } from '../clock/clock.ts';
import type { Schemas } from '../contract/document.ts';
import { newCallerId } from '../domain/numbers/caller-ids.ts';
import { create, scheduleTimeline } from '../engine/create.ts';
import { type Caller, created, findAll, findRecord, type Operation, ok, pageOf } from '../engine/operation.ts';
import { transition } from '../engine/transition.ts';
import { ApiError } from '../errors/api-error.ts';
import { integer } from '../identity/seeded.ts';
import { CODE_ATTEMPTS, CODE_LIFE_MS, callerIdLifecycle } from '../lifecycles/caller-id.ts';
import { type Row, wireOf } from '../model.ts';
import type { ScenarioSelection } from '../scenarios/select.ts';
import type { Tx, WorldFacts } from '../store/store.ts';

export const listCallerIds: Operation<'listCallerIds'> = {
  handle(request, tx) {
    const { rows, meta } = pageOf(tx, 'caller_ids', request, false);
    const identity = identityOnCallerIds(tx, request.caller);
    return { status: 200, body: { data: rows.map((callerId) => serializeCallerId(tx, callerId, identity)), meta } };
  },
};

/** The newest display identity that was not rejected; the newest at all where every one was. */
function identityOnCallerIds(tx: Tx, { organization_id }: Caller): Row<'display_identities'> | undefined {
  const newest = { limit: 1, newestFirst: true };
  const [standing] = tx.page('display_identities', 'standing', organization_id, newest);
  return standing ?? tx.page('display_identities', 'organization', organization_id, newest)[0];
}

/**
 * What a number shows by CNAM follows from the number, where the organization has it; what a verified one shows by
 * branded calling follows from a display identity of the organization.
 */
function serializeCallerId(
  tx: Tx,
  callerId: Row<'caller_ids'>,
  identity?: Row<'display_identities'>,
): Schemas['CallerId'] {
  const shown = wireOf(callerId) as Schemas['CallerId'];
  const [number] = tx.page('phone_numbers', 'phone_number', callerId.phone_number, { limit: 1 });
  const held = number?.private.organization_id === callerId.private.organization_id ? number : undefined;
  const cnam = held && { cnam_display_name: held.cnam_display_name, cnam_status: held.cnam_status };
  const rcd = callerId.status === 'VERIFIED' &&
    identity && { rcd_display_name: identity.display_name, rcd_status: identity.status };
  return { ...shown, ...cnam, ...rcd };
}

export const createCallerId: Operation<'createCallerId'> = {
  plays: { kind: 'caller_id' },
  handle(request, tx) {
    const { phone_number } = request.body;
    const chosen = request.selection as ScenarioSelection;
    const [known] = findAll(tx, 'caller_ids', 'phone_number', phone_number, request.caller);
    if (!known) return created(serializeCallerId(tx, addCallerId(tx, request.caller, phone_number, chosen)));
    if (known.status === 'VERIFIED') {
      throw new ApiError('conflict', {
        message: `The caller ID for ${phone_number} is VERIFIED already; a pending or revoked one can start anew.`,
        fields: { phone_number: 'is a verified caller ID of this account' },
        hint: 'Use it as it is, or DELETE it first.',
        assumption: 'caller_id_states',
      });
    }
    return created(serializeCallerId(tx, callAgain(tx, known, chosen)));
  },
};

function addCallerId(tx: Tx, caller: Caller, number: string, chosen: ScenarioSelection): Row<'caller_ids'> {
  const callerId = newCallerId(tx, caller.organization_id, number, 1);
  create(tx, callerIdLifecycle, callerId, chosen);
  return callerId;
}

/** A new verification call with a new code, under the same id. */
function callAgain(tx: Tx, known: Row<'caller_ids'>, chosen: ScenarioSelection): Row<'caller_ids'> {
  const subject = { table: 'caller_ids', id: known.caller_id_id } as const;
  const pending = transition(tx, callerIdLifecycle, known, 'restart', {}) ?? known;
  const again: Row<'caller_ids'> = {
    ...pending,
    updated_at: timestamp(tx.at),
    private: { ...pending.private, spoken_at: null, attempts: 0, calls: pending.private.calls + 1 },
  };
  tx.put('caller_ids', again);
  tx.unschedule(subject);
  scheduleTimeline(tx, callerIdLifecycle, known.caller_id_id, chosen);
  return again;
}

export const verifyCallerId: Operation<'verifyCallerId'> = {
  handle(request, tx) {
    const callerId = findRecord(tx, 'caller_ids', request.params.id, request.caller, 'caller ID');
    const answer = (verified: boolean, message: string) =>
      ok({ verified, message } satisfies Schemas['VerificationResult']);
    switch (callerId.status) {
      case 'VERIFIED':
        return answer(true, 'The caller ID is verified.');
      case 'REVOKED':
        throw new ApiError('conflict', {
          message: 'The caller ID is REVOKED; only one that is PENDING_VERIFICATION can be verified.',
          hint: 'Start a new verification call with POST /v1/caller-ids.',
          assumption: 'caller_id_states',
        });
      case 'PENDING_VERIFICATION': {
        const stale = codeProblem(tx, callerId);
        if (stale) return answer(false, stale);
        if (request.body.verification_code.trim() !== verificationCode(tx.world, callerId)) {
          const { private: hidden } = callerId;
          tx.put('caller_ids', { ...callerId, private: { ...hidden, attempts: hidden.attempts + 1 } });
          return answer(false, 'The code is not the one that was spoken.');
        }
        transition(tx, callerIdLifecycle, callerId, 'verify', {});
        return answer(true, 'The caller ID is verified.');
      }
    }
  },
};

/** Why no code would verify now; undefined where one can be tried. */
function codeProblem(tx: Tx, callerId: Row<'caller_ids'>): string | undefined {
  const { spoken_at, attempts } = callerId.private;
  if (spoken_at === null) return 'The verification call has not been made yet.';
  if (attempts >= CODE_ATTEMPTS) return 'Too many attempts; start a new verification call.';
  if (tx.at >= Date.parse(spoken_at) + CODE_LIFE_MS) return 'The code has expired; start a new verification call.';
  return undefined;
}

/** The six digits of the latest verification call; they follow from the seed. */
export function verificationCode(world: WorldFacts, callerId: Row<'caller_ids'>): string {
  const { caller_id_id, private: hidden } = callerId;
  return String(integer(0, 999_999, world.seed, world.name, 'code', caller_id_id, hidden.calls)).padStart(6, '0');
}

export const deleteCallerId: Operation<'deleteCallerId'> = {
  handle(request, tx) {
    const callerId = findRecord(tx, 'caller_ids', request.params.id, request.caller, 'caller ID');
    return ok(serializeCallerId(tx, transition(tx, callerIdLifecycle, callerId, 'revoke', {}) ?? callerId));
  },
};
