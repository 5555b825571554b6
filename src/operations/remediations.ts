// Remediation requests: `spec.md` "Remediation request". Spam labels are disputed under the customer's own brand.
import { assumed } from '../assumptions/catalogue.ts';
import { timestamp } from '../clock/clock.ts';
import type { Schemas } from '../contract/document.ts';
import { approvedEnterprise } from '../domain/caller-trust/enterprises.ts';
import { heldNumbers } from '../domain/numbers/held-numbers.ts';
import { allocateId, create } from '../engine/create.ts';
import { accepted, type Caller, type Operation, ok, type ScenarioOperation } from '../engine/operation.ts';
import { pageOf } from '../engine/paging.ts';
import { findAll, findRecord } from '../engine/records.ts';
import { ApiError, quote } from '../errors/api-error.ts';
import { remediationLifecycle } from '../lifecycles/remediation.ts';
import { type Row, wireOf } from '../model.ts';
import type { Tx } from '../store/store.ts';

export const listRemediations: Operation<'listRemediations'> = {
  handle({ caller, query }, tx) {
    const options = { ...query, newestFirst: true };
    const { rows, counted } = pageOf(tx, 'remediations', 'organization', caller.organization_id, options);
    return ok(rows.map(wireOf), counted);
  },
};

export const getRemediation: Operation<'getRemediation'> = {
  handle({ params, caller }, tx) {
    return ok(wireOf(findRecord(tx, 'remediations', params.id, caller)));
  },
};

export const createRemediation: ScenarioOperation<'createRemediation'> = {
  plays: { kind: 'remediation' },
  handle({ body, caller, selection }, tx) {
    approvedEnterprise(tx, caller, 'a remediation', 'create_remediation');
    heldNumbers(tx, caller, body.phone_numbers, 'create_remediation');
    checkNotInProgress(tx, caller, body.phone_numbers);
    const { id, rank } = allocateId(tx, 'remediations');
    const remediation: Row<'remediations'> = {
      request_id: id,
      status: 'pending',
      source: 'api',
      submitted_at: timestamp(tx.at),
      completed_at: null,
      numbers: body.phone_numbers.map(newEntry),
      private: { organization_id: caller.organization_id, rank },
    };
    create(tx, remediationLifecycle, remediation, selection);
    return accepted(wireOf(remediation));
  },
};

const newEntry = (phone_number: string): Schemas['RemediationNumber'] => ({
  phone_number,
  outcome: null,
  billed_amount_dc: 0,
});

/** Throws `conflict` if one of the numbers is in another open request. */
function checkNotInProgress(tx: Tx, caller: Caller, numbers: readonly string[]): void {
  if (assumed(tx.state('assumptions'), 'remediation_overlap') === 'accepted') return;
  for (const other of findAll(tx, 'remediations', 'open', caller.organization_id, caller)) {
    const shared = other.numbers.find(({ phone_number }) => numbers.includes(phone_number));
    if (!shared) continue;
    throw new ApiError('conflict', {
      message: `${shared.phone_number} is already in the remediation request ${quote(other.request_id)}, which is ${other.status}.`,
      fields: {
        [`phone_numbers.${numbers.indexOf(shared.phone_number)}`]: 'is already in an open remediation request',
      },
      hint: 'Wait until that request has completed.',
      assumption: 'remediation_overlap',
    });
  }
}
