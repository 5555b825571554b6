// The enterprise of an organization: `spec.md` "Enterprise" under "States and transitions" and "Caller trust" under
// "Endpoints". Drafted, mended, submitted with its LOA; what the carrier decides comes on the clock.
import { fieldsOf, type Schemas } from '../contract/document.ts';
import { documentId, keepDocument, verifiedDocument } from '../domain/caller-trust/documents.ts';
import {
  type LetterWriter,
  letterWriter,
  type Signer,
  warmLetters,
} from '../domain/caller-trust/letter-of-authorization.ts';
import { create, scheduleTimeline } from '../engine/create.ts';
import {
  type Caller,
  created,
  findAll,
  type Operation,
  type OperationRequest,
  type OperationResult,
  ok,
  ownedBy,
} from '../engine/operation.ts';
import { transition } from '../engine/transition.ts';
import { ApiError } from '../errors/api-error.ts';
import { sha256, uuid } from '../identity/seeded.ts';
import { documentLifecycle } from '../lifecycles/document.ts';
import { enterpriseIsOpen, enterpriseLifecycle } from '../lifecycles/enterprise.ts';
import { type Row, wireOf } from '../model.ts';
import type { ScenarioSelection } from '../scenarios/select.ts';
import type { Tx } from '../store/store.ts';

type Enterprise = Row<'enterprises'>;

export const getEnterprise: Operation<'getEnterprise'> = {
  handle({ caller }, tx) {
    return ok(wireOf(ownEnterprise(tx, caller)));
  },
};

export const createEnterprise: Operation<'createEnterprise'> = {
  handle({ body, caller }, tx) {
    const known = enterpriseOf(tx, caller);
    if (known) {
      throw new ApiError('conflict', {
        message: `There is an enterprise already; it is ${known.status}.`,
        hint: enterpriseIsOpen(known)
          ? 'Mend it with PATCH /v1/caller-trust/enterprise, then submit it.'
          : 'Read it with GET /v1/caller-trust/enterprise.',
        assumption: 'enterprise_absent',
      });
    }
    const enterprise: Enterprise = {
      id: uuid(tx.world.seed, tx.world.name, 'enterprises', tx.ordinal('enterprises')),
      carrier_enterprise_id: null,
      legal_name: body.legal_name as string,
      dba: body.dba ?? null,
      status: 'DRAFT',
      rejection_reasons: [],
      synced_at: null,
      loa_document_id: null,
      reputation: null,
      private: { ...ownedBy(tx, caller), details: detailsIn(body) },
    };
    create(tx, enterpriseLifecycle, enterprise);
    return created(wireOf(enterprise));
  },
};

export const updateEnterprise: Operation<'updateEnterprise'> = {
  handle({ body, caller }, tx) {
    const enterprise = openEnterprise(tx, caller, 'mended');
    const { legal_name = enterprise.legal_name, dba = enterprise.dba } = body;
    const details = { ...enterprise.private.details, ...detailsIn(body) };
    const mended: Enterprise = {
      ...enterprise,
      legal_name,
      dba,
      // A letter made before speaks of the company as it was then.
      loa_document_id: null,
      private: { ...enterprise.private, details },
    };
    tx.put('enterprises', mended);
    return ok(wireOf(mended));
  },
};

/** The business details in a body that no answer shows, in the contract's order. */
function detailsIn(body: object): Record<string, string | null> {
  const given = body as Record<string, string | null | undefined>;
  const hidden = fieldsOf('EnterpriseRequest').filter((name) => name !== 'legal_name' && name !== 'dba');
  return Object.fromEntries(hidden.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));
}

export const generateLoa: Operation<'generateLoa'> = {
  prepare: letterWriter,
  warm: warmLetters,
  handle({ caller, prepared }, tx) {
    const enterprise = openEnterprise(tx, caller, 'given an LOA');
    const document = makeLetter(tx, caller, enterprise, null, prepared as LetterWriter);
    tx.put('enterprises', { ...enterprise, loa_document_id: document.document_id });
    return created(wireOf(document));
  },
};

export const submitEnterprise: Operation<'submitEnterprise'> = {
  plays: { kind: 'enterprise' },
  prepare: letterWriter,
  handle(request, tx) {
    const { caller, body, prepared } = request;
    const enterprise = openEnterprise(tx, caller, 'submitted');
    const named = body?.loa_document_id;
    if (named !== undefined) verifiedDocument(tx, caller, 'loa_document_id', named, 'submit_enterprise');
    const letter =
      named ??
      enterprise.loa_document_id ??
      makeLetter(tx, caller, enterprise, null, prepared as LetterWriter).document_id;
    return submit(tx, request, enterprise, letter);
  },
};

export const signAndSubmitEnterprise: Operation<'signAndSubmitEnterprise'> = {
  plays: { kind: 'enterprise' },
  prepare: letterWriter,
  handle(request, tx) {
    const { caller, body, prepared } = request;
    const enterprise = openEnterprise(tx, caller, 'submitted');
    const signer: Signer = {
      full_name: body.signer_full_name,
      title: body.signer_title,
      email: body.signer_email,
      consent_acknowledged_at: body.consent_acknowledged_at,
    };
    const letter = makeLetter(tx, caller, enterprise, signer, prepared as LetterWriter);
    return submit(tx, request, enterprise, letter.document_id);
  },
};

/** To the carrier: the first submission makes its record there, a later one keeps it. */
function submit(
  tx: Tx,
  { selection }: Pick<OperationRequest, 'selection'>,
  enterprise: Enterprise,
  loa_document_id: string,
): OperationResult {
  const carrier_enterprise_id =
    enterprise.carrier_enterprise_id ?? uuid(tx.world.seed, tx.world.name, 'carrier enterprise', enterprise.id);
  const given = { loa_document_id, carrier_enterprise_id };
  const submitted = transition(tx, enterpriseLifecycle, enterprise, 'submit', given);
  scheduleTimeline(tx, enterpriseLifecycle, enterprise.id, selection as ScenarioSelection);
  return ok(wireOf(submitted as Enterprise));
}

/** The LOA as a document of the organization. The platform has made it, so there is nothing to scan. */
function makeLetter(
  tx: Tx,
  caller: Caller,
  { legal_name, dba, private: { details } }: Enterprise,
  signer: Signer | null,
  write: LetterWriter,
): Schemas['Document'] & Row<'documents'> {
  const document_id = documentId(tx);
  const file = write({ document_id, at: tx.at, legal_name: legal_name ?? '', details: { dba, ...details }, signer });
  const facts = {
    document_id,
    filename: signer ? 'letter-of-authorization-signed.pdf' : 'letter-of-authorization.pdf',
    content_type: 'application/pdf',
    status: 'verified',
    av_scan_status: 'not_scanned',
  } as const;
  const content = { base64: file.toString('base64'), bytes: file.length, sha256: sha256(file) };
  const document = keepDocument(tx, caller, facts, content);
  create(tx, documentLifecycle, document);
  return document;
}

function enterpriseOf(tx: Tx, caller: Caller): Enterprise | undefined {
  const [enterprise] = findAll(tx, 'enterprises', 'organization', caller.organization_id, caller);
  return enterprise;
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

/** The enterprise, where it is a draft or was rejected; `conflict` in any other state. */
function openEnterprise(tx: Tx, caller: Caller, done: string): Enterprise {
  const enterprise = ownEnterprise(tx, caller);
  if (enterpriseIsOpen(enterprise)) return enterprise;
  const { status } = enterprise;
  throw new ApiError('conflict', {
    message: `The enterprise is ${status}; only one that is DRAFT or REJECTED can be ${done}.`,
    hint: status === 'APPROVED' ? 'Nothing is left to be done.' : 'Wait for the end of the vetting.',
    assumption: 'resubmission',
  });
}
