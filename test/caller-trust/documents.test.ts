// Caller-trust documents: `spec.md` "Document" under "Resources and their fields"; the rows document_status,
// av_scan_status and body_limits of `interface.md` section 9, and the content route of section 5.
import { beforeEach, describe, expect, it } from 'vitest';
import { loadContract } from '../../src/contract/document.ts';
import type { Node } from '../../src/contract/nodes.ts';
import { bodyOfUpload, contentOf, DOCUMENTS, dataOf, upload } from '../support/caller-trust.ts';
import { type Answer, clientOf, expectError, playing } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { thorough } from '../support/thorough.ts';
import { childOf } from '../support/world.ts';
import { hashOf } from './setup.ts';

const MiB = 1024 * 1024;

const { sandbox, client } = useSandbox({ clock: 'manual', rateLimit: 'off' });
beforeEach(() => sandbox.reset());

const read = async (id: string): Promise<Answer['body']> => dataOf(await client.get(`${DOCUMENTS}/${id}`));

describe('uploading a document', () => {
  it('returns 201 with exactly six fields and a pending scan', async () => {
    const answer = await upload(client, 'some bytes');
    expect(answer.headers['x-sandbox-scenario']).toBe('scan_clean');
    expect(dataOf(answer, 201)).toEqual({
      document_id: expect.stringMatching(/./),
      filename: 'licence.pdf',
      content_type: 'application/pdf',
      status: 'pending',
      av_scan_status: 'pending_scan',
      sha256: hashOf('some bytes'),
    });
  });

  it('is followed by the scan after 2 to 5 seconds, which verifies a clean document', async () => {
    const uploaded = dataOf(await upload(client), 201);
    await sandbox.clock.advance('1999ms');
    expect(await read(uploaded.document_id)).toEqual(uploaded);
    await sandbox.clock.advance('3001ms');
    expect(await read(uploaded.document_id)).toEqual({ ...uploaded, status: 'verified', av_scan_status: 'scanned' });
  });

  it('ends in a denial if the scan finds an infection', async () => {
    const answer = await upload(client, 'x', {}, playing('scan_infected'));
    expect(answer.headers['x-sandbox-scenario']).toBe('scan_infected');
    await sandbox.clock.untilIdle();
    expect(await read(answer.body.data.document_id)).toMatchObject({ status: 'denied', av_scan_status: 'infected' });
  });

  it('waits for the scan as long as the scenario says', async () => {
    const { document_id } = dataOf(await upload(client, 'x', {}, playing('scan_clean;wait=1h')), 201);
    await sandbox.clock.advance('3599999ms');
    expect((await read(document_id)).status).toBe('pending');
    await sandbox.clock.advance('1ms');
    expect((await read(document_id)).status).toBe('verified');
  });

  it('keeps every byte of the content', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const { document_id, sha256 } = dataOf(await upload(client, bytes), 201);
    const content = await contentOf(sandbox.url, client, document_id);
    expect(content.bytes.equals(bytes)).toBe(true);
    expect(sha256).toBe(hashOf(bytes));
  });

  it.each([
    ['filename', undefined],
    ['filename', null],
    ['filename', 7],
    ['filename', ''],
    ['filename', 'x'.repeat(513)],
    ['filename', '../etc/passwd'],
    ['filename', 'a\nb'],
    ['content_type', undefined],
    ['content_type', ''],
    ['content_type', 'pdf'],
    ['content_type', 'text/plain\r\nX-Evil: 1'],
    ['content_type', `text/${'x'.repeat(251)}`],
    ['content_base64', undefined],
    ['content_base64', null],
    ['content_base64', 12],
    ['content_base64', ''],
    ['content_base64', 'YQ'],
    ['content_base64', 'YQ=='.repeat(2)],
    ['content_base64', 'not base64!!'],
    ['content_base64', 'YWFh\nYWFh'],
    ['content_base64', 'YW-_'],
  ])('rejects an invalid %s with 400 (case %#)', async (field, value) => {
    const answer = await client.post(DOCUMENTS, { ...bodyOfUpload(), [field]: value });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect((await sandbox.clock.untilIdle()).totals.steps).toBe(0);
  });

  it.each([
    ['filename', 'x'.repeat(512)],
    ['filename', 'Žlutý kůň – 契約書.pdf'],
    ['content_type', 'application/vnd.ms-excel.sheet.macroEnabled.12'],
    ['content_base64', 'YQ=='],
  ])('accepts an unusual %s (case %#)', async (field, value) => {
    dataOf(await client.post(DOCUMENTS, { ...bodyOfUpload(), [field]: value }), 201);
  });

  it.runIf(thorough)('accepts 20 MiB, and returns 413 for a larger document or a body over 28 MiB', async () => {
    const whole = Buffer.alloc(20 * MiB, 'x');
    const uploaded = dataOf(await upload(client, whole), 201);
    expect(uploaded.sha256).toBe(hashOf(whole));
    const over = await upload(client, Buffer.alloc(20 * MiB + 1, 'x'));
    expectError(over, 413, 'payload_too_large');
    expect(over.headers['x-sandbox-assumptions']).toContain('body_limits');
    expect(Object.keys(over.body.error.fields)).toEqual(['content_base64']);
    const body = JSON.stringify({ ...bodyOfUpload(), note: 'x'.repeat(28 * MiB) });
    expectError(await client.post(DOCUMENTS, body), 413, 'payload_too_large');
  });

  it('is the only operation with the large body limit; others keep 256 KiB', async () => {
    const body = { legal_name: 'x', note: 'x'.repeat(256 * 1024) };
    expectError(await client.post('/v1/caller-trust/enterprise', body), 413, 'payload_too_large');
  });
});

describe('reading a document', () => {
  it('finds a verified and a denied one in the fixture, with the hashes of their content', async () => {
    for (const [id, status, av_scan_status] of [
      ['doc_business_licence', 'verified', 'scanned'],
      ['doc_old_logo', 'denied', 'infected'],
    ] as const) {
      const { bytes } = await contentOf(sandbox.url, client, id);
      expect(bytes.length).toBeGreaterThan(20);
      expect(await read(id)).toMatchObject({ document_id: id, status, av_scan_status, sha256: hashOf(bytes) });
    }
  });

  it('declares exactly the error statuses of the specification', () => {
    const item = (loadContract().document.paths as Node)['/v1/caller-trust/documents/{id}'] as { get: Node };
    const statuses = Object.keys(item.get.responses as Node).filter((status) => /^[45]/.test(status));
    expect(statuses.sort()).toEqual(['400', '401', '403', '404', '409', '429']);
  });

  it('returns 400, 401, 403 and 404 for their natural causes', async () => {
    const path = `${DOCUMENTS}/doc_business_licence`;
    expectError(await client.get(`${path}?x=1`), 400, 'validation_error');
    expectError(await clientOf(sandbox.url, null).get(path), 401, 'unauthorized');
    expectError(await clientOf(sandbox.url, 'svc_sandbox_webrtc').get(path), 403, 'scope_missing');
    expectError(await client.get(`${DOCUMENTS}/nope`), 404, 'not_found');
  });

  it('returns 404 to another organization and to a child', async () => {
    const { document_id } = dataOf(await upload(client), 201);
    for (const other of [clientOf(sandbox.url, 'svc_sandbox_other'), await childOf(sandbox.url, client)]) {
      expectError(await other.get(`${DOCUMENTS}/${document_id}`), 404, 'not_found');
      expectError(await other.get(`${DOCUMENTS}/doc_business_licence`), 404, 'not_found');
    }
  });
});

describe('the content of a document', () => {
  it('is served as an attachment with its content type and filename', async () => {
    const more = { filename: "it's (1) ü.html", content_type: 'text/html' };
    const { document_id } = dataOf(await upload(client, '<script>1</script>', more), 201);
    const { status, headers } = await contentOf(sandbox.url, client, document_id);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-disposition']).toBe("attachment; filename*=UTF-8''it%27s%20%281%29%20%C3%BC.html");
  });

  it('is available under a filename that is not well-formed Unicode', async () => {
    const body = JSON.stringify(bodyOfUpload('x')).replace('licence', '\\ud800licence');
    const { document_id } = dataOf(await client.post(DOCUMENTS, body), 201);
    expect((await contentOf(sandbox.url, client, document_id)).status).toBe(200);
  });

  it('is 404 for an unknown id and in another world', async () => {
    const { document_id } = dataOf(await upload(client), 201);
    expectError(await client.get('/_sandbox/documents/nope/content'), 404, 'not_found');
    const other = clientOf(sandbox.url, 'svc_sandbox_other');
    expectError(await other.get(`/_sandbox/documents/${document_id}/content`), 404, 'not_found');
  });

  it.runIf(thorough)('is dropped, oldest first, once a world holds more than 64 MiB; its record stays', async () => {
    const large = Buffer.alloc(16 * MiB, 'x');
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(dataOf(await upload(client, large), 201).document_id);
    const [first, second] = ids as [string, string];
    expectError(await client.get(`/_sandbox/documents/${first}/content`), 409, 'conflict');
    expect((await read(first)).sha256).toBe(hashOf(large));
    expect((await contentOf(sandbox.url, client, second)).bytes.length).toBe(large.length);
    expect((await contentOf(sandbox.url, client, 'doc_business_licence')).status).toBe(200);
  });
});
