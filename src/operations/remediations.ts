// Remediation requests: `spec.md` "Remediation request". Disputing spam labels is done under the customer's own brand.

import { timestamp } from '../clock/clock.ts';
import type { Schemas } from '../contract/document.ts';
import { approvedEnterprise } from '../domain/caller-trust/approved-enterprise.ts';
import { create } from '../engine/create.ts';
import { type Caller, findAll, findRecord, type Operation, ok, ownedBy, pageOf } from '../engine/operation.ts';
import { ApiError, quote } from '../errors/api-error.ts';
import { uuid } from '../identity/seeded.ts';
import { remediationLifecycle } from '../lifecycles/remediation.ts';
import { billedAmount } from '../lifecycles/remediation-outcomes.ts';
import { type Row, wireOf } from '../model.ts';
import type { ScenarioSelection } from '../scenarios/select.ts';
import type { Tx } from '../store/store.ts';

export const listRemediations: Operation<'listRemediations'> = {
  handle(request, tx) {
    const { rows, counted } = pageOf(tx, 'remediations', request, true);
    return { status: 200, body: { data: rows.map(wireOf), meta: counted } };
  },
};

export const getRemediation: Operation<'getRemediation'> = {
  handle(request, tx) {
    return ok(wireOf(findRecord(tx, 'remediations', request.params.id, request.caller, 'remediation request')));
  },
};

export const createRemediation: Operation<'createRemediation'> = {
  plays: { kind: 'remediation' },
  handle({ body, caller, selection }, tx) {
    approvedEnterprise(tx, caller, 'a remediation', 'create_remediation');
    checkNumbers(tx, caller, body.phone_numbers);
    const remediation: Row<'remediations'> = {
      request_id: uuid(tx.world.seed, tx.world.name, 'remediations', tx.ordinal('remediations')),
      status: 'pending',
      source: 'api',
      submitted_at: timestamp(tx.at),
      completed_at: null,
      numbers: body.phone_numbers.map(untouched),
      private: ownedBy(tx, caller),
    };
    create(tx, remediationLifecycle, remediation, selection as ScenarioSelection);
    return { status: 202, body: { data: wireOf(remediation) } };
  },
};

const untouched = (phone_number: string): Schemas['RemediationNumber'] => ({
  phone_number,
  outcome: null,
  billed_amount_dc: billedAmount(null),
});

/** Every number is one of the account's, and none is being worked on already. */
function checkNumbers(tx: Tx, caller: Caller, numbers: readonly string[]): void {
  const unknown: Record<string, string> = {};
  for (const [position, number] of numbers.entries()) {
    const [held] = findAll(tx, 'phone_numbers', 'phone_number', number, caller);
    if (!held) unknown[`phone_numbers.${position}`] = `${number} is no number of this organization`;
  }
  if (Object.keys(unknown).length > 0) {
    throw new ApiError('not_found', {
      message: 'Not every phone number is one of this organization.',
      fields: unknown,
      hint: 'GET /v1/phone-numbers lists them.',
      assumption: 'create_remediation',
    });
  }
  for (const other of findAll(tx, 'remediations', 'open', caller.organization_id, caller)) {
    const shared = other.numbers.find(({ phone_number }) => numbers.includes(phone_number));
    if (!shared) continue;
    throw new ApiError('conflict', {
      message: `${shared.phone_number} is in the remediation request ${quote(other.request_id)} already, which is ${other.status}.`,
      fields: { [`phone_numbers.${numbers.indexOf(shared.phone_number)}`]: 'is being worked on already' },
      hint: 'Wait until that request has completed.',
      assumption: 'create_remediation',
    });
  }
}
