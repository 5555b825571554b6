// Requests and checks that the tests of the enterprise share.
import { createHash } from 'node:crypto';
import { extractText, getDocumentProxy, getMeta } from 'unpdf';
import { expect } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { contentOf, dataOf, draft, ENTERPRISE, enterpriseOf, sign } from '../support/caller-trust.ts';
import { type Answer, type Client, playing } from '../support/client.ts';

export const update = (client: Client, body: object): Promise<Answer> => client.patch(ENTERPRISE, body);
export const generateLoa = (client: Client): Promise<Answer> => client.post(`${ENTERPRISE}/generate-loa`, {});
export const hashOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

interface Pdf {
  readonly text: string;
  readonly info: Readonly<Record<string, string>>;
  readonly pages: number;
  readonly raw: Buffer;
}

/** Reads a PDF document with another library than the one that writes it. */
export async function readPdf(sandbox: Sandbox, client: Client, id: string): Promise<Pdf> {
  const { bytes, headers } = await contentOf(sandbox.url, client, id);
  expect(headers['content-type']).toBe('application/pdf');
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  const { text, totalPages } = await extractText(pdf, { mergePages: true });
  return { text, info: (await getMeta(pdf)).info, pages: totalPages, raw: bytes };
}

type Status = 'DRAFT' | 'PENDING_VETTING' | 'APPROVED' | 'REJECTED';

/** Drafts an enterprise and brings it to that state. */
export async function reach(client: Client, sandbox: Sandbox, status: Status): Promise<void> {
  dataOf(await draft(client), 201);
  if (status === 'DRAFT') return;
  dataOf(await sign(client, {}, playing(status === 'REJECTED' ? 'vetting_rejected' : 'vetting_approved')));
  if (status !== 'PENDING_VETTING') await sandbox.clock.advance('40s');
  expect((await enterpriseOf(client)).status).toBe(status);
}
