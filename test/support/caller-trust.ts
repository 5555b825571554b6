// Requests of caller trust, from drafting an enterprise to its approval, as a customer makes them.
import request from 'supertest';
import { expect } from 'vitest';
import type { SandboxWorld } from '../../src/index.ts';
import { type Answer, type Client, playing } from './client.ts';

export const ENTERPRISE = '/v1/caller-trust/enterprise';
export const DOCUMENTS = '/v1/caller-trust/documents';
export const REMEDIATIONS = '/v1/caller-trust/reputation/remediations';
export const REPUTATION = '/v1/caller-trust/reputation/numbers';
export const IDENTITIES = '/v1/caller-trust/display-identities';

export const DETAILS = { legal_name: 'Harbor Street Dental, Inc.', dba: 'Harbor Dental', ein: '12-3456789' };
export const SIGNATURE = {
  signer_full_name: 'Robin Ashdown',
  signer_email: 'robin@harborstreet.example',
  signer_title: 'Owner',
  consent_acknowledged_at: '2026-01-05T14:59:00Z',
  confirm_carrier_commit: 'I understand this submits to the carrier',
};
export const IDENTITY = { display_name: 'Harbor Street Dental', call_reasons: ['Appointment reminder'] };

/** The `data` of a response, which must have that status. */
export function dataOf(answer: Answer, status = 200): Answer['body'] {
  expect(answer.status, answer.text).toBe(status);
  return answer.body.data;
}

export const draft = (client: Client, details: object = DETAILS): Promise<Answer> => client.post(ENTERPRISE, details);
export const sign = (client: Client, more: object = {}, headers = {}): Promise<Answer> =>
  client.post(`${ENTERPRISE}/sign-and-submit`, { ...SIGNATURE, ...more }, headers);
export const submit = (client: Client, body?: object, headers = {}): Promise<Answer> =>
  client.post(`${ENTERPRISE}/submit`, body, headers);
export const enterpriseOf = async (client: Client): Promise<Answer['body']> => dataOf(await client.get(ENTERPRISE));

/** Drafts, signs and submits an enterprise, and advances the clock until it is APPROVED. */
export async function approve(client: Client, world: Pick<SandboxWorld, 'clock'>): Promise<Answer['body']> {
  dataOf(await draft(client), 201);
  dataOf(await sign(client, {}, playing('vetting_approved')));
  await world.clock.advance('40s');
  const enterprise = await enterpriseOf(client);
  expect(enterprise.status).toBe('APPROVED');
  return enterprise;
}

export const bodyOfUpload = (content: string | Buffer = 'hello', more: object = {}): object => ({
  filename: 'licence.pdf',
  content_type: 'application/pdf',
  content_base64: Buffer.from(content).toString('base64'),
  ...more,
});

export const upload = (client: Client, content?: string | Buffer, more?: object, headers = {}): Promise<Answer> =>
  client.post(DOCUMENTS, bodyOfUpload(content, more), headers);

export interface Download {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** Downloads the content of a document. */
export async function contentOf(url: string, client: Client, id: string): Promise<Download> {
  const { status, headers, body } = await request(url)
    .get(`/_sandbox/documents/${id}/content`)
    .auth(client.key, { type: 'bearer' })
    .responseType('blob')
    .ok(() => true);
  return { status, headers, bytes: body };
}
