// The states that forbid operations of caller trust, each with a way into that state and what its 409 must say.
import {
  approve,
  DETAILS,
  dataOf,
  draft,
  ENTERPRISE,
  IDENTITIES,
  IDENTITY,
  REMEDIATIONS,
  SIGNATURE,
  sign,
  upload,
} from '../support/caller-trust.ts';
import { type Answer, FROM, playing } from '../support/client.ts';
import type { ValidRequest } from '../support/valid-request.ts';
import { type Parts, post, type StateConflict } from './state-conflict.ts';

/** Ways into each state of the enterprise. */
const enterprise = {
  'no enterprise': async () => undefined,
  async DRAFT({ client }: Parts): Promise<undefined> {
    await draft(client);
  },
  async PENDING_VETTING({ client }: Parts): Promise<undefined> {
    await draft(client);
    dataOf(await sign(client));
  },
  async APPROVED({ client, sandbox }: Parts): Promise<undefined> {
    await approve(client, sandbox);
  },
  async REJECTED({ client, sandbox }: Parts): Promise<undefined> {
    await draft(client);
    dataOf(await sign(client, {}, playing('vetting_rejected')));
    await sandbox.clock.advance('40s');
  },
};

/** The same request in several states of the enterprise. */
const inStates = (
  operation: string,
  request: ValidRequest,
  allowed: RegExp,
  ...states: readonly (keyof typeof enterprise)[]
): StateConflict[] =>
  states.map((state) => ({
    operation,
    state: `an enterprise: ${state}`,
    prepare: enterprise[state],
    request: () => request,
    names: state,
    allowed,
  }));

async function infectedDocument({ client, sandbox }: Parts): Promise<string> {
  const { document_id } = dataOf(await upload(client, 'x', {}, playing('scan_infected')), 201);
  await sandbox.clock.advance('10s');
  return document_id;
}

const enterpriseConflicts: readonly StateConflict[] = [
  ...inStates(
    'createEnterprise',
    post(ENTERPRISE, DETAILS),
    /PATCH|GET/,
    ...(['DRAFT', 'PENDING_VETTING', 'APPROVED', 'REJECTED'] as const),
  ),
  ...inStates(
    'updateEnterprise',
    { method: 'PATCH', path: ENTERPRISE, body: { dba: 'Other' } },
    /only a DRAFT or REJECTED enterprise/,
    ...(['PENDING_VETTING', 'APPROVED'] as const),
  ),
  ...inStates('generateLoa', post(`${ENTERPRISE}/generate-loa`), /DRAFT or REJECTED/, 'PENDING_VETTING', 'APPROVED'),
  ...inStates('submitEnterprise', post(`${ENTERPRISE}/submit`, {}), /DRAFT or REJECTED/, 'PENDING_VETTING', 'APPROVED'),
  ...inStates(
    'signAndSubmitEnterprise',
    post(`${ENTERPRISE}/sign-and-submit`, SIGNATURE),
    /DRAFT or REJECTED/,
    ...(['PENDING_VETTING', 'APPROVED'] as const),
  ),
  ...inStates(
    'createRemediation',
    post(REMEDIATIONS, { phone_numbers: [FROM] }),
    /needs an APPROVED one/,
    ...(['no enterprise', 'DRAFT', 'PENDING_VETTING', 'REJECTED'] as const),
  ),
  ...inStates(
    'createDisplayIdentity',
    post(IDENTITIES, IDENTITY),
    /needs an APPROVED one/,
    ...(['no enterprise', 'DRAFT', 'PENDING_VETTING', 'REJECTED'] as const),
  ),
];

export const callerTrustConflicts: readonly StateConflict[] = [
  ...enterpriseConflicts,
  {
    operation: 'createRemediation',
    state: 'a number in a remediation that has not ended',
    async prepare({ client, sandbox }) {
      await approve(client, sandbox);
      dataOf(await client.post(REMEDIATIONS, { phone_numbers: [FROM] }), 202);
    },
    request: () => post(REMEDIATIONS, { phone_numbers: ['+14155550191', FROM] }),
    names: 'pending',
    allowed: /Wait until that request has completed/,
    fields: ['phone_numbers.1'],
  },
  {
    operation: 'submitEnterprise',
    state: 'a letter whose scan has not finished',
    async prepare({ client }) {
      await draft(client);
      return dataOf(await upload(client), 201).document_id;
    },
    request: (_, document) => post(`${ENTERPRISE}/submit`, { loa_document_id: document }),
    names: 'pending',
    allowed: /only a verified document/,
    fields: ['loa_document_id'],
  },
  {
    operation: 'submitEnterprise',
    state: 'a letter that is infected',
    async prepare(parts) {
      await draft(parts.client);
      return infectedDocument(parts);
    },
    request: (_, document) => post(`${ENTERPRISE}/submit`, { loa_document_id: document }),
    names: 'denied',
    allowed: /only a verified document/,
    fields: ['loa_document_id'],
  },
  {
    operation: 'createDisplayIdentity',
    state: 'a logo that is infected',
    async prepare(parts) {
      await approve(parts.client, parts.sandbox);
      return infectedDocument(parts);
    },
    request: (_, document) => post(IDENTITIES, { ...IDENTITY, logo_document_id: document }),
    names: 'denied',
    allowed: /only a verified document/,
    fields: ['logo_document_id'],
  },
  {
    operation: 'createCallerId',
    state: 'a caller ID that is VERIFIED',
    request: () => post('/v1/caller-ids', { phone_number: FROM }),
    names: 'VERIFIED',
    allowed: /only a pending or revoked one can be verified again/,
    fields: ['phone_number'],
  },
  {
    operation: 'verifyCallerId',
    state: 'a caller ID that is REVOKED',
    async request(client) {
      const { data } = (await client.get('/v1/caller-ids')).body;
      const { caller_id_id } = data.find(({ status }: Answer['body']) => status === 'REVOKED');
      return post(`/v1/caller-ids/${caller_id_id}/verify`, { verification_code: '1' });
    },
    names: 'REVOKED',
    allowed: /only a PENDING_VERIFICATION one/,
  },
];
