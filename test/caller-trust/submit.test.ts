// Submitting an enterprise with an LOA that was signed elsewhere: `spec.md` "Caller trust" under "Endpoints".
import { beforeEach, describe, expect, it } from 'vitest';
import { DETAILS, DOCUMENTS, dataOf, draft, enterpriseOf, submit, upload } from '../support/caller-trust.ts';
import { expectError } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { childOf } from '../support/world.ts';
import { generateLoa, readPdf } from './setup.ts';

const { sandbox, client } = useSandbox({ clock: 'manual', rateLimit: 'off' });
beforeEach(() => sandbox.reset());

const statusOf = async (): Promise<string> => (await enterpriseOf(client)).status;

describe('submitting an LOA that was signed elsewhere', () => {
  it('uses the LOA generated last', async () => {
    await draft(client);
    const { document_id } = dataOf(await generateLoa(client), 201);
    expect(dataOf(await submit(client, {}))).toMatchObject({
      status: 'PENDING_VETTING',
      loa_document_id: document_id,
      carrier_enterprise_id: expect.stringMatching(/./),
      reputation: { status: 'pending' },
    });
  });

  it('needs no body and no earlier LOA, and generates one', async () => {
    await draft(client);
    const { loa_document_id, status } = dataOf(await submit(client));
    expect(status).toBe('PENDING_VETTING');
    expect(dataOf(await client.get(`${DOCUMENTS}/${loa_document_id}`)).content_type).toBe('application/pdf');
    expect((await readPdf(sandbox, client, loa_document_id)).text).toContain(DETAILS.legal_name);
  });

  it('uses the uploaded document that loa_document_id names', async () => {
    await draft(client);
    const { document_id } = dataOf(await upload(client, '%PDF-1.7 signed'), 201);
    await sandbox.clock.advance('5s');
    expect(dataOf(await submit(client, { loa_document_id: document_id })).loa_document_id).toBe(document_id);
  });

  it('returns 409 while the document is being scanned, and if it was denied', async () => {
    await draft(client);
    const { document_id } = dataOf(await upload(client), 201);
    const pending = await submit(client, { loa_document_id: document_id });
    expectError(pending, 409, 'conflict');
    expect(pending.body.error.message).toContain('pending');
    const denied = await submit(client, { loa_document_id: 'doc_old_logo' });
    expectError(denied, 409, 'conflict');
    expect(denied.body.error.message).toContain('denied');
    expect(await statusOf()).toBe('DRAFT');
  });

  it.each([
    ['names no document', 'nope', 404, 'not_found'],
    ['is empty', '', 400, 'validation_error'],
    ['is not a string', 7, 400, 'validation_error'],
  ])('rejects a loa_document_id that %s, and names the field', async (_, loa_document_id, status, code) => {
    await draft(client);
    const answer = await submit(client, { loa_document_id });
    expectError(answer, status, code);
    expect(Object.keys(answer.body.error.fields)).toEqual(['loa_document_id']);
    expect(await statusOf()).toBe('DRAFT');
  });

  it('returns 404 for a document of a child', async () => {
    await draft(client);
    const { document_id } = dataOf(await upload(await childOf(sandbox.url, client)), 201);
    await sandbox.clock.advance('5s');
    expectError(await submit(client, { loa_document_id: document_id }), 404, 'not_found');
  });
});
