// The enterprise of an organization: `spec.md` "Enterprise" under "States and transitions" and "Caller trust" under
// "Endpoints". It is drafted, corrected and submitted with its LOA; the carrier decides on the world's clock.
import { assumed } from '../assumptions/catalogue.ts';
import { timestamp } from '../clock/clock.ts';
import { type Frequency, isFrequency } from '../clock/recurring-days.ts';
import { fieldsOf } from '../contract/document.ts';
import { isJsonObject } from '../contract/json.ts';
import { verifiedDocument } from '../domain/caller-trust/documents.ts';
import { carrierIdOf, enterpriseOf, newEnterprise } from '../domain/caller-trust/enterprises.ts';
import { type LetterWriter, letterWriter, type Signer } from '../domain/caller-trust/letter-of-authorization.ts';
import { writeLetter } from '../domain/caller-trust/letters.ts';
import { vettingFindings } from '../domain/caller-trust/vetting.ts';
import { create, scheduleTimeline } from '../engine/create.ts';
import { type Caller, created, type Operation, ok, type ScenarioOperation } from '../engine/operation.ts';
import { transition } from '../engine/transition.ts';
import { ApiError } from '../errors/api-error.ts';
import { enterpriseIsOpen, enterpriseLifecycle } from '../lifecycles/enterprise.ts';
import { type Row, wireOf } from '../model.ts';
import type { ScenarioSelection } from '../scenarios/select.ts';
import type { Tx } from '../store/store.ts';

type Enterprise = Row<'enterprises'>;

export const getEnterprise: Operation<'getEnterprise'> = {
  handle({ caller }, tx) {
    const enterprise = enterpriseOf(tx, caller);
    if (!enterprise && assumed(tx.state('assumptions'), 'enterprise_absent') === 200) return ok(null);
    return ok(wireOf(enterprise ?? ownEnterprise(tx, caller)));
  },
};

export const createEnterprise: Operation<'createEnterprise'> = {
  handle({ body, caller }, tx) {
    const existing = enterpriseOf(tx, caller);
    if (existing) {
      throw new ApiError('conflict', {
        message: `This organization already has an enterprise; it is ${existing.status}.`,
        hint: enterpriseIsOpen(existing)
          ? 'Change it with PATCH /v1/caller-trust/enterprise, then submit it.'
          : 'Read it with GET /v1/caller-trust/enterprise.',
        assumption: 'enterprise_absent',
      });
    }
    const { legal_name = null, dba = null } = body;
    const details = detailsIn(body);
    const check_frequency = frequencyIn(body, null);
    const enterprise = newEnterprise(tx, caller, legal_name, dba, { details, check_frequency });
    create(tx, enterpriseLifecycle, enterprise);
    return created(wireOf(enterprise));
  },
};

export const updateEnterprise: Operation<'updateEnterprise'> = {
  handle({ body, caller }, tx) {
    const enterprise = openEnterprise(tx, caller, 'changed');
    const { legal_name = enterprise.legal_name, dba = enterprise.dba } = body;
    const check_frequency = frequencyIn(body, enterprise.private.check_frequency ?? null);
    const details = { ...enterprise.private.details, ...detailsIn(body) };
    const changed: Enterprise = {
      ...enterprise,
      legal_name,
      dba,
      // An earlier letter states the company's old details.
      loa_document_id: null,
      private: { ...enterprise.private, details, check_frequency },
    };
    tx.put('enterprises', changed);
    return ok(wireOf(changed));
  },
};

/** The check_frequency that a body asks for; `usual` if it names none. */
function frequencyIn({ check_frequency: asked }: { check_frequency?: string | null }, usual: Frequency | null) {
  if (asked === undefined) return usual;
  // The contract allows no other text.
  return asked !== null && isFrequency(asked) ? asked : null;
}

/** The business details in a body that no response shows, in the contract's order. */
function detailsIn(body: object): Record<string, string | null> {
  const details: Record<string, string | null> = {};
  if (!isJsonObject(body)) return details;
  for (const name of fieldsOf('EnterpriseRequest')) {
    const value = body[name];
    if (name === 'legal_name' || name === 'dba' || name === 'check_frequency') continue;
    if (typeof value === 'string' || value === null) details[name] = value;
  }
  return details;
}

export const generateLoa: Operation<'generateLoa', LetterWriter> = {
  prepare: letterWriter,
  handle({ caller, prepared }, tx) {
    const enterprise = openEnterprise(tx, caller, 'given an LOA');
    const document = writeLetter(tx, caller, enterprise, null, prepared);
    tx.put('enterprises', { ...enterprise, loa_document_id: document.document_id });
    return created(wireOf(document));
  },
};

export const submitEnterprise: ScenarioOperation<'submitEnterprise', LetterWriter> = {
  plays: { kind: 'enterprise' },
  prepare: letterWriter,
  handle({ caller, body, prepared, selection }, tx) {
    const enterprise = openEnterprise(tx, caller, 'submitted');
    const named = body?.loa_document_id;
    if (named) verifiedDocument(tx, caller, 'loa_document_id', named, 'submit_enterprise');
    const generated = named ?? enterprise.loa_document_id;
    if (generated === null && assumed(tx.state('assumptions'), 'submission_without_loa') === 'conflict') {
      throw new ApiError('conflict', {
        message: 'The enterprise has no LOA: none has been generated since its details last changed.',
        hint: 'Generate one with POST /v1/caller-trust/enterprise/generate-loa, or name a document in loa_document_id.',
        assumption: 'submission_without_loa',
      });
    }
    const letter = generated ?? writeLetter(tx, caller, enterprise, null, prepared).document_id;
    return ok(wireOf(submit(tx, selection, enterprise, letter)));
  },
};

export const signAndSubmitEnterprise: ScenarioOperation<'signAndSubmitEnterprise', LetterWriter> = {
  plays: { kind: 'enterprise' },
  prepare: letterWriter,
  handle({ caller, body, prepared, selection }, tx) {
    checkConsent(tx, body.consent_acknowledged_at);
    const enterprise = openEnterprise(tx, caller, 'submitted');
    const signer: Signer = {
      full_name: body.signer_full_name,
      title: body.signer_title,
      email: body.signer_email,
      consent_acknowledged_at: body.consent_acknowledged_at,
    };
    const letter = writeLetter(tx, caller, enterprise, signer, prepared);
    return ok(wireOf(submit(tx, selection, enterprise, letter.document_id)));
  },
};

/** Throws `validation_error` for a consent in the future, if the world assumes that it must lie in the past. */
function checkConsent(tx: Tx, consent: string): void {
  if (Date.parse(consent) <= tx.at || assumed(tx.state('assumptions'), 'consent_time') === 'any') return;
  throw new ApiError('validation_error', {
    fields: { consent_acknowledged_at: `must not be in the future; it is ${timestamp(tx.at)}` },
    assumption: 'consent_time',
  });
}

/** Submits to the carrier: the first submission creates the carrier's record, later ones keep it. */
function submit(tx: Tx, selection: ScenarioSelection, enterprise: Enterprise, loa_document_id: string): Enterprise {
  const input = {
    loa_document_id,
    carrier_enterprise_id: carrierIdOf(tx, enterprise),
    findings: vettingFindings(tx, enterprise, loa_document_id),
  };
  const submitted = transition(tx, enterpriseLifecycle, enterprise, 'submit', input);
  scheduleTimeline(tx, enterpriseLifecycle, enterprise.id, selection);
  return submitted ?? enterprise;
}

function ownEnterprise(tx: Tx, caller: Caller): Enterprise {
  const enterprise = enterpriseOf(tx, caller);
  if (enterprise) return enterprise;
  throw new ApiError('not_found', {
    message: 'This organization has no enterprise.',
    hint: 'Draft one with POST /v1/caller-trust/enterprise.',
    assumption: 'enterprise_absent',
  });
}

/** The enterprise while it is a draft or rejected; `conflict` in any other state. `participle` completes the message. */
function openEnterprise(tx: Tx, caller: Caller, participle: string): Enterprise {
  const enterprise = ownEnterprise(tx, caller);
  if (enterpriseIsOpen(enterprise)) return enterprise;
  const { status } = enterprise;
  throw new ApiError('conflict', {
    message: `The enterprise is ${status}; only a DRAFT or REJECTED enterprise can be ${participle}.`,
    hint: status === 'APPROVED' ? 'Nothing is left to do.' : 'Wait until the vetting has ended.',
    assumption: 'resubmission',
  });
}
