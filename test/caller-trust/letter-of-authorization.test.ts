// The letter of authorization: `spec.md` "Enterprise" under "Resources and their fields" and "Caller trust" under
// "Endpoints".
import { beforeEach, describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import {
  contentOf,
  DETAILS,
  DOCUMENTS,
  dataOf,
  draft,
  ENTERPRISE,
  enterpriseOf,
  sign,
} from '../support/caller-trust.ts';
import { clientOf } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { generateLoa, hashOf, readPdf } from './setup.ts';

const { sandbox, client } = useSandbox({ clock: 'manual', rateLimit: 'off' });
beforeEach(() => sandbox.reset());

describe('the letter of authorization', () => {
  it('is a verified, unscanned document that the enterprise refers to', async () => {
    await draft(client);
    const document = dataOf(await generateLoa(client), 201);
    expect(document).toEqual({
      document_id: expect.stringMatching(/./),
      filename: 'letter-of-authorization.pdf',
      content_type: 'application/pdf',
      status: 'verified',
      av_scan_status: 'not_scanned',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect((await enterpriseOf(client)).loa_document_id).toBe(document.document_id);
    expect(dataOf(await client.get(`${DOCUMENTS}/${document.document_id}`))).toEqual(document);
  });

  it('is a one-page PDF with the enterprise details and signature lines', async () => {
    await draft(client, { ...DETAILS, street_address: '1 Harbor Street', contact_phone: '+14155550170' });
    const document = dataOf(await generateLoa(client), 201);
    const { text, info, pages, raw } = await readPdf(sandbox, client, document.document_id);
    expect(raw.subarray(0, 5).toString()).toBe('%PDF-');
    expect(hashOf(raw)).toBe(document.sha256);
    expect(pages).toBe(1);
    for (const words of [
      `Legal name: ${DETAILS.legal_name}`,
      'Doing business as: Harbor Dental',
      'EIN: 12-3456789',
      'Street address: 1 Harbor Street',
      'Contact phone: +14155550170',
      'Name: ____',
      'Date: ____',
    ]) {
      expect(text).toContain(words);
    }
    expect(info.CreationDate).toBe('D:20260105150000Z');
    expect(info.Title).toBe(`Letter of Authorization: ${DETAILS.legal_name}`);
  });

  it('shows signer, title, address, date and consent once signed', async () => {
    await draft(client);
    await sandbox.clock.advance('1d');
    const { loa_document_id } = dataOf(await sign(client));
    const { text, info } = await readPdf(sandbox, client, loa_document_id);
    for (const words of [
      `Legal name: ${DETAILS.legal_name}`,
      'Name: Robin Ashdown',
      'Title: Owner',
      'E-mail: robin@harborstreet.example',
      'Date: 2026-01-06',
      'consent acknowledged at 2026-01-05T14:59:00Z',
    ]) {
      expect(text).toContain(words);
    }
    expect(info.Author).toBe('Robin Ashdown');
    expect(info.CreationDate).toBe('D:20260106150000Z');
  });

  it('has the same bytes for the same seed and instant, and others for a different seed or instant', async () => {
    const hashOfLetter = async (seed: number, wait: string): Promise<string> => {
      const own = await createSandbox({ clock: 'manual', seed });
      try {
        const by = clientOf(own.url);
        await own.clock.advance(wait);
        await draft(by);
        const { loa_document_id } = dataOf(await sign(by));
        return hashOf((await contentOf(own.url, by, loa_document_id)).bytes);
      } finally {
        await own.close();
      }
    };
    const first = await hashOfLetter(1, '0s');
    expect(await hashOfLetter(1, '0s')).toBe(first);
    expect(await hashOfLetter(2, '0s')).not.toBe(first);
    expect(await hashOfLetter(1, '1s')).not.toBe(first);
  });

  it('replaces characters that its fonts lack, and keeps the full name in the PDF title', async () => {
    await draft(client, { legal_name: 'Café Žofín Ěra 株式会社' });
    const { text, info } = await readPdf(sandbox, client, dataOf(await generateLoa(client), 201).document_id);
    expect(text).toContain('Legal name: Café Žofín Era ????');
    expect(info.Title).toContain('Café Žofín Ěra 株式会社');
  });

  it('can be generated for very long and unusual names', async () => {
    for (const legal_name of ['W'.repeat(255), 'a\tb\nc\\d(e)f%', '\\ud800']) {
      await sandbox.reset();
      const drafted = await client.post(ENTERPRISE, JSON.stringify({ legal_name }).replace('\\\\ud800', '\\ud800 x'));
      dataOf(drafted, 201);
      expect((await readPdf(sandbox, client, dataOf(await generateLoa(client), 201).document_id)).text).toContain(
        'Letter of Authorization',
      );
    }
  });

  it('is a new document each time, and the enterprise refers to the newest', async () => {
    await draft(client);
    const first = dataOf(await generateLoa(client), 201).document_id;
    const second = dataOf(await generateLoa(client), 201).document_id;
    expect(second).not.toBe(first);
    expect((await enterpriseOf(client)).loa_document_id).toBe(second);
    expect((await contentOf(sandbox.url, client, first)).status).toBe(200);
  });

  it('needs no request body and ignores one', async () => {
    await draft(client);
    dataOf(await client.post(`${ENTERPRISE}/generate-loa`), 201);
    dataOf(await client.post(`${ENTERPRISE}/generate-loa`, { anything: true }), 201);
  });
});
