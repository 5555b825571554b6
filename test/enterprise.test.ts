// The enterprise: `spec.md` "Enterprise" under "Resources and their fields" and "States and transitions", "Caller trust"
// under "Endpoints", the limits of the signer; the rows enterprise_absent, resubmission and consent_time of
// `interface.md` section 9.
import { createHash } from 'node:crypto';
import { extractText, getDocumentProxy, getMeta } from 'unpdf';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../src/index.ts';
import {
  approve,
  contentOf,
  DETAILS,
  DOCUMENTS,
  dataOf,
  draft,
  ENTERPRISE,
  enterpriseOf,
  IDENTITIES,
  IDENTITY,
  playing,
  REMEDIATIONS,
  SIGNATURE,
  sign,
  submit,
  upload,
} from './support/caller-trust.ts';
import { type Answer, type Client, clientOf, expectError } from './support/client.ts';
import { startReceiver } from './support/receiver.ts';
import { subscribe } from './support/webhooks.ts';
import { childOf, instant, START } from './support/world.ts';

let sandbox: Sandbox;
let client: Client;

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual', rateLimit: 'off' });
  client = clientOf(sandbox.url);
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const mend = (body: object): Promise<Answer> => client.patch(ENTERPRISE, body);
const generate = (): Promise<Answer> => client.post(`${ENTERPRISE}/generate-loa`, {});
const statusOf = async (): Promise<string> => (await enterpriseOf(client)).status;
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** What a PDF says and who is said to have made it, read by another library than wrote it. */
async function readPdf(
  id: string,
): Promise<{ text: string; info: Record<string, string>; pages: number; raw: Buffer }> {
  const { bytes, headers } = await contentOf(sandbox.url, client, id);
  expect(headers.get('content-type')).toBe('application/pdf');
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  const { text, totalPages } = await extractText(pdf, { mergePages: true });
  return { text, info: (await getMeta(pdf)).info, pages: totalPages, raw: bytes };
}

/** Leads a fresh enterprise to that state. */
async function reach(status: 'DRAFT' | 'PENDING_VETTING' | 'APPROVED' | 'REJECTED'): Promise<void> {
  dataOf(await draft(client), 201);
  if (status === 'DRAFT') return;
  dataOf(await sign(client, {}, playing(status === 'REJECTED' ? 'vetting_rejected' : 'vetting_approved')));
  if (status !== 'PENDING_VETTING') await sandbox.clock.advance('40s');
  expect(await statusOf()).toBe(status);
}

describe('an organization without an enterprise', () => {
  it.each([
    ['GET', () => client.get(ENTERPRISE)],
    ['PATCH', () => mend({ dba: 'x' })],
    ['generate-loa', () => generate()],
    ['submit', () => submit(client, {})],
    ['sign-and-submit', () => sign(client)],
  ])('is 404 on %s', async (_, ask) => {
    const answer = await ask();
    expectError(answer, 404, 'not_found');
    expect(answer.headers['x-sandbox-assumptions']).toContain('enterprise_absent');
  });

  it('is that of every bundled world at its start', async () => {
    for (const world of ['default', 'hipaa', 'regulated', 'other']) {
      const by = clientOf(sandbox.url, `svc_sandbox_${world}`);
      expectError(await by.get(ENTERPRISE), 404, 'not_found');
      expect((await by.get('/v1/account')).body.data.footprint.own_brand_enterprise, world).toBe(false);
    }
  });
});

describe('drafting an enterprise', () => {
  it('answers 201 with a DRAFT that shows every field of the specification', async () => {
    const answer = await draft(client);
    expect(dataOf(answer, 201)).toEqual({
      id: expect.stringMatching(/./),
      carrier_enterprise_id: null,
      legal_name: DETAILS.legal_name,
      dba: DETAILS.dba,
      status: 'DRAFT',
      rejection_reasons: [],
      synced_at: null,
      loa_document_id: null,
      reputation: null,
    });
    expect(await enterpriseOf(client)).toEqual(answer.body.data);
    expect(answer.headers['x-sandbox-scenario']).toBeUndefined();
  });

  it('needs the legal name alone', async () => {
    expect(dataOf(await draft(client, { legal_name: 'Solo' }), 201)).toMatchObject({ legal_name: 'Solo', dba: null });
  });

  it('ignores fields that it does not know', async () => {
    const drafted = dataOf(await draft(client, { legal_name: 'Solo', status: 'APPROVED', shoe_size: 43 }), 201);
    expect(drafted.status).toBe('DRAFT');
    expect(drafted).not.toHaveProperty('shoe_size');
  });

  it.each([
    ['legal_name', undefined],
    ['legal_name', null],
    ['legal_name', 5],
    ['legal_name', ''],
    ['legal_name', '   '],
    ['dba', 5],
    ['ein', '1234'],
    ['ein', '12-34567890'],
    ['postal_code', 94103],
    ['contact_email', 'nobody'],
    ['contact_phone', '4155550170'],
  ])('with an invalid %s is 400, names it and drafts nothing (case %#)', async (field, value) => {
    const answer = await draft(client, { ...DETAILS, [field]: value });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expectError(await client.get(ENTERPRISE), 404, 'not_found');
  });

  it.each([
    ['legal_name', 255],
    ['dba', 255],
    ['street_address', 255],
    ['postal_code', 32],
    ['website', 2048],
  ])('takes a %s of %i characters, and refuses one more', async (field, most) => {
    const answer = await draft(client, { ...DETAILS, [field]: 'x'.repeat(most + 1) });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    dataOf(await draft(client, { ...DETAILS, [field]: 'x'.repeat(most) }), 201);
  });

  it.each(['DRAFT', 'PENDING_VETTING', 'APPROVED', 'REJECTED'] as const)(
    'twice is 409 that names the state %s',
    async (status) => {
      await reach(status);
      const before = await enterpriseOf(client);
      const answer = await draft(client, { legal_name: 'Another' });
      expectError(answer, 409, 'conflict');
      expect(answer.body.error.message).toContain(status);
      expect(await enterpriseOf(client)).toEqual(before);
    },
  );

  it('is for each organization its own: a child drafts one, and sees no other', async () => {
    await draft(client);
    const child = await childOf(sandbox.url, client);
    expectError(await child.get(ENTERPRISE), 404, 'not_found');
    dataOf(await draft(child, { legal_name: 'Child' }), 201);
    expect((await enterpriseOf(client)).legal_name).toBe(DETAILS.legal_name);
    expect((await enterpriseOf(child)).legal_name).toBe('Child');
    expectError(await clientOf(sandbox.url, 'svc_sandbox_other').get(ENTERPRISE), 404, 'not_found');
  });
});

describe('mending an enterprise', () => {
  it('changes the fields that are sent and no others', async () => {
    const drafted = dataOf(await draft(client), 201);
    expect(dataOf(await mend({ dba: 'Harbor Smiles' }))).toEqual({ ...drafted, dba: 'Harbor Smiles' });
    const renamed = { ...drafted, legal_name: 'Harbor LLC', dba: 'Harbor Smiles' };
    expect(dataOf(await mend({ legal_name: 'Harbor LLC' }))).toEqual(renamed);
    expect(dataOf(await mend({ dba: null }))).toEqual({ ...renamed, dba: null });
    expect(dataOf(await mend({}))).toEqual({ ...renamed, dba: null });
    expect(await enterpriseOf(client)).toEqual({ ...renamed, dba: null });
  });

  it('is heard by the next LOA, also where an answer does not show it', async () => {
    await draft(client);
    await mend({ city: 'Oakland', ein: null });
    const { text } = await readPdf(dataOf(await generate(), 201).document_id);
    expect(text).toContain('City: Oakland');
    expect(text).not.toContain('EIN');
  });

  it.each([
    ['legal_name', null],
    ['legal_name', ''],
    ['ein', 'x'],
    ['contact_email', 'x'],
  ])('with an invalid %s is 400 and names it (case %#)', async (field, value) => {
    const drafted = dataOf(await draft(client), 201);
    const answer = await mend({ [field]: value });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect(await enterpriseOf(client)).toEqual(drafted);
  });
});

describe('an enterprise in vetting or past it', () => {
  it.each(['PENDING_VETTING', 'APPROVED'] as const)(
    'that is %s is neither mended, nor given an LOA, nor submitted: 409 names the state and what is allowed',
    async (status) => {
      await reach(status);
      const before = await enterpriseOf(client);
      for (const answer of [await mend({ dba: 'x' }), await generate(), await submit(client), await sign(client)]) {
        expectError(answer, 409, 'conflict');
        expect(answer.body.error.message).toMatch(new RegExp(`is ${status};.*DRAFT or REJECTED`));
        expect(answer.headers['x-sandbox-assumptions']).toContain('resubmission');
      }
      expect(await enterpriseOf(client)).toEqual(before);
    },
  );

  it('takes no scenario from the active ones by a submission that fails', async () => {
    await reach('PENDING_VETTING');
    await client.put('/_sandbox/active-scenarios/enterprise', { use: ['vetting_rejected'] });
    expectError(await sign(client), 409, 'conflict');
    expect((await client.get('/_sandbox/active-scenarios/enterprise')).body.data.use).toEqual(['vetting_rejected']);
  });
});

describe('the letter of authorization', () => {
  it('is made as a document that the enterprise shows, verified without a scan', async () => {
    await draft(client);
    const document = dataOf(await generate(), 201);
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

  it('is a PDF of one page that names the enterprise, with lines to sign on', async () => {
    await draft(client, { ...DETAILS, street_address: '1 Harbor Street', contact_phone: '+14155550170' });
    const document = dataOf(await generate(), 201);
    const { text, info, pages, raw } = await readPdf(document.document_id);
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

  it('names signer, title, address, date and consent once it is signed', async () => {
    await draft(client);
    await sandbox.clock.advance('1d');
    const { loa_document_id } = dataOf(await sign(client));
    const { text, info } = await readPdf(loa_document_id);
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

  it('has the same bytes in another sandbox of the same seed, and other bytes for another seed or instant', async () => {
    const letterOf = async (seed: number, wait: string): Promise<string> => {
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
    const first = await letterOf(1, '0s');
    expect(await letterOf(1, '0s')).toBe(first);
    expect(await letterOf(2, '0s')).not.toBe(first);
    expect(await letterOf(1, '1s')).not.toBe(first);
  });

  it('writes what its fonts have, without the marks that they lack; its title keeps every name as it is', async () => {
    await draft(client, { legal_name: 'Café Žofín Ěra 株式会社' });
    const { text, info } = await readPdf(dataOf(await generate(), 201).document_id);
    expect(text).toContain('Legal name: Café Žofín Era ????');
    expect(info.Title).toContain('Café Žofín Ěra 株式会社');
  });

  it('can be asked for with the longest names, and with ones that no one would give', async () => {
    for (const legal_name of ['W'.repeat(255), 'a\tb\nc\\d(e)f%', '\\ud800']) {
      await sandbox.reset();
      const drafted = await client.post(ENTERPRISE, JSON.stringify({ legal_name }).replace('\\\\ud800', '\\ud800 x'));
      dataOf(drafted, 201);
      expect((await readPdf(dataOf(await generate(), 201).document_id)).text).toContain('Letter of Authorization');
    }
  });

  it('is made anew each time, and the enterprise shows the newest', async () => {
    await draft(client);
    const first = dataOf(await generate(), 201).document_id;
    const second = dataOf(await generate(), 201).document_id;
    expect(second).not.toBe(first);
    expect((await enterpriseOf(client)).loa_document_id).toBe(second);
    expect((await contentOf(sandbox.url, client, first)).status).toBe(200);
  });

  it('needs no body, and ignores what stands in one', async () => {
    await draft(client);
    dataOf(await client.post(`${ENTERPRISE}/generate-loa`), 201);
    dataOf(await client.post(`${ENTERPRISE}/generate-loa`, { anything: true }), 201);
  });
});

describe('sign-and-submit', () => {
  it('leads from DRAFT to PENDING_VETTING, with LOA, carrier record and number reputation', async () => {
    const drafted = dataOf(await draft(client), 201);
    const answer = await sign(client);
    expect(answer.headers['x-sandbox-scenario']).toBe('vetting_approved');
    expect(dataOf(answer)).toEqual({
      ...drafted,
      status: 'PENDING_VETTING',
      carrier_enterprise_id: expect.stringMatching(/./),
      synced_at: START,
      loa_document_id: expect.stringMatching(/./),
      reputation: {
        status: 'pending',
        check_frequency: 'business_daily',
        rejection_reasons: [],
        last_synced_at: START,
      },
    });
    expect(await enterpriseOf(client)).toEqual(answer.body.data);
  });

  it.each(Object.keys(SIGNATURE))('without %s, or with it of another type, is 400 and stays a DRAFT', async (field) => {
    const drafted = dataOf(await draft(client), 201);
    for (const value of [undefined, null, 42, true, ['x'], {}]) {
      const answer = await sign(client, { [field]: value });
      expectError(answer, 400, 'validation_error');
      expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    }
    expect(await enterpriseOf(client)).toEqual(drafted);
  });

  it.each([
    ['signer_full_name', 2],
    ['signer_title', 1],
  ])('takes a %s of %i and of 255 characters, and refuses one that is shorter or longer', async (field, least) => {
    for (const length of [least - 1, 256]) {
      await sandbox.reset();
      await draft(client);
      for (const letter of ['x', 'é', '😀']) {
        const answer = await sign(client, { [field]: letter.repeat(length) });
        expectError(answer, 400, 'validation_error');
        expect(Object.keys(answer.body.error.fields)).toEqual([field]);
      }
      expect(await statusOf()).toBe('DRAFT');
    }
    for (const length of [least, 255]) {
      for (const letter of ['x', 'é', '😀']) {
        await sandbox.reset();
        await draft(client);
        expect(dataOf(await sign(client, { [field]: letter.repeat(length) })).status).toBe('PENDING_VETTING');
      }
    }
  });

  it.each([
    ['signer_email', ''],
    ['signer_email', 'robin'],
    ['signer_email', 'robin@'],
    ['signer_email', '@harborstreet.example'],
    ['signer_email', 'robin ashdown@harborstreet.example'],
    ['consent_acknowledged_at', '2026-01-05T15:00:00'],
    ['consent_acknowledged_at', '2026-01-05T15:00:00+00:00'],
    ['consent_acknowledged_at', '2026-01-05T15:00:00z'],
    ['consent_acknowledged_at', '2026-01-05 15:00:00Z'],
    ['consent_acknowledged_at', '2026-01-05'],
    ['consent_acknowledged_at', '2026-02-29T15:00:00Z'],
    ['consent_acknowledged_at', '2100-02-29T15:00:00Z'],
    ['consent_acknowledged_at', '2026-04-31T15:00:00Z'],
    ['consent_acknowledged_at', '2026-13-01T15:00:00Z'],
    ['consent_acknowledged_at', '2026-00-01T15:00:00Z'],
    ['consent_acknowledged_at', '2026-01-05T24:00:00Z'],
    ['consent_acknowledged_at', '2026-01-05T15:60:00Z'],
    ['consent_acknowledged_at', '2026-01-05T15:00:60Z'],
    ['consent_acknowledged_at', '2016-12-31T23:59:60Z'],
    ['consent_acknowledged_at', '0000-01-05T15:00:00Z'],
    ['consent_acknowledged_at', '2026-01-05T15:00:00.Z'],
    ['consent_acknowledged_at', 'now'],
    ['confirm_carrier_commit', 'i understand this submits to the carrier'],
    ['confirm_carrier_commit', 'I understand this submits to the carrier.'],
    ['confirm_carrier_commit', 'I understand this submits to the carrier '],
    ['confirm_carrier_commit', ''],
  ])('with the %s %j is 400, names it, and stays a DRAFT', async (field, value) => {
    const drafted = dataOf(await draft(client), 201);
    const answer = await sign(client, { [field]: value });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect(await enterpriseOf(client)).toEqual(drafted);
  });

  it.each([
    ['signer_email', 'robin.ashdown+loa@mail.harborstreet.example'],
    ['consent_acknowledged_at', '2026-01-05T15:00:00.123456Z'],
    ['consent_acknowledged_at', '2024-02-29T23:59:59Z'],
    ['consent_acknowledged_at', '0001-01-01T00:00:00Z'],
    ['consent_acknowledged_at', '9999-12-31T23:59:59Z'],
    ['consent_acknowledged_at', '2031-01-05T15:00:00Z'],
  ])('with the %s %j is taken', async (field, value) => {
    await draft(client);
    expect(dataOf(await sign(client, { [field]: value })).status).toBe('PENDING_VETTING');
  });

  it.each(['2016-12-31T23:59:60Z', '0000-01-05T15:00:00Z', '2026-02-29T15:00:00Z', 'now'])(
    'says what an instant of consent is where it is %s',
    async (consent_acknowledged_at) => {
      await draft(client);
      const answer = await sign(client, { consent_acknowledged_at });
      expect(answer.body.error.fields.consent_acknowledged_at).toBe(
        `is "${consent_acknowledged_at}"; must be a valid date and time in UTC from the year 0001, with seconds from 00 to 59 and a trailing Z, such as 2026-01-05T14:59:00Z`,
      );
      expect(answer.headers['x-sandbox-assumptions']).toBe('consent_time');
    },
  );

  it('with a field that is not known is 400 and names it', async () => {
    await draft(client);
    const answer = await sign(client, { signer_phone: '+14155550170' });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['signer_phone']);
  });

  it('names every field that is wrong at once, and says what the confirmation must be', async () => {
    await draft(client);
    const answer = await client.post(`${ENTERPRISE}/sign-and-submit`, { confirm_carrier_commit: 'yes' });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields).sort()).toEqual(Object.keys(SIGNATURE).sort());
    expect(answer.body.error.fields.confirm_carrier_commit).toContain(SIGNATURE.confirm_carrier_commit);
    expect(await statusOf()).toBe('DRAFT');
  });
});

describe('submit, for an LOA that was signed elsewhere', () => {
  it('takes the LOA that was generated last', async () => {
    await draft(client);
    const { document_id } = dataOf(await generate(), 201);
    expect(dataOf(await submit(client, {}))).toMatchObject({
      status: 'PENDING_VETTING',
      loa_document_id: document_id,
      carrier_enterprise_id: expect.stringMatching(/./),
      reputation: { status: 'pending' },
    });
  });

  it('needs neither a body nor an earlier LOA: one is made that can be read', async () => {
    await draft(client);
    const { loa_document_id, status } = dataOf(await submit(client));
    expect(status).toBe('PENDING_VETTING');
    expect(dataOf(await client.get(`${DOCUMENTS}/${loa_document_id}`)).content_type).toBe('application/pdf');
    expect((await readPdf(loa_document_id)).text).toContain(DETAILS.legal_name);
  });

  it('takes the signed LOA among the documents', async () => {
    await draft(client);
    const { document_id } = dataOf(await upload(client, '%PDF-1.7 signed'), 201);
    await sandbox.clock.advance('5s');
    expect(dataOf(await submit(client, { loa_document_id: document_id })).loa_document_id).toBe(document_id);
  });

  it('is 409 while that document is scanned, and where it was denied', async () => {
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
    ['that names nothing', 'nope', 404, 'not_found'],
    ['that is empty', '', 400, 'validation_error'],
    ['that is no string', 7, 400, 'validation_error'],
  ])('is refused with a loa_document_id %s, which fields names', async (_, loa_document_id, status, code) => {
    await draft(client);
    const answer = await submit(client, { loa_document_id });
    expectError(answer, status, code);
    expect(Object.keys(answer.body.error.fields)).toEqual(['loa_document_id']);
    expect(await statusOf()).toBe('DRAFT');
  });

  it('is 404 with the document of a child', async () => {
    await draft(client);
    const { document_id } = dataOf(await upload(await childOf(sandbox.url, client)), 201);
    await sandbox.clock.advance('5s');
    expectError(await submit(client, { loa_document_id: document_id }), 404, 'not_found');
  });
});

describe('vetting', () => {
  it('approves 20 to 40 seconds after the submission, and opens what needs the own brand', async () => {
    await draft(client);
    const pending = dataOf(await sign(client));
    await sandbox.clock.advance('19999ms');
    expect(await enterpriseOf(client)).toEqual(pending);
    expectError(await client.post(IDENTITIES, IDENTITY), 409, 'conflict');
    expectError(await client.post(REMEDIATIONS, { phone_numbers: ['+14155550191'] }), 409, 'conflict');
    expect((await client.get('/v1/account')).body.data.footprint.own_brand_enterprise).toBe(false);
    const { steps } = await sandbox.clock.advance('20001ms');
    expect(steps).toHaveLength(1);
    const at = steps[0]?.at;
    expect(await enterpriseOf(client)).toEqual({
      ...pending,
      status: 'APPROVED',
      synced_at: at,
      reputation: { ...pending.reputation, status: 'approved', last_synced_at: at },
    });
    expect((await client.get('/v1/account')).body.data.footprint.own_brand_enterprise).toBe(true);
    dataOf(await client.post(IDENTITIES, IDENTITY), 201);
    dataOf(await client.post(REMEDIATIONS, { phone_numbers: ['+14155550191'] }), 202);
  });

  it('rejects with reasons, which enterprise and reputation show', async () => {
    await draft(client);
    const answer = await sign(client, {}, playing('vetting_rejected'));
    expect(answer.headers['x-sandbox-scenario']).toBe('vetting_rejected');
    await sandbox.clock.advance('40s');
    const rejected = await enterpriseOf(client);
    expect(rejected.status).toBe('REJECTED');
    expect(rejected.rejection_reasons.length).toBeGreaterThan(0);
    expect(rejected.reputation).toMatchObject({ status: 'rejected', rejection_reasons: rejected.rejection_reasons });
    expect((await client.get('/v1/account')).body.data.footprint.own_brand_enterprise).toBe(false);
  });

  it('rejects with the reasons of a scenario of our own', async () => {
    const reasons = '{ after: 1s, trigger: reject, with: { reasons: [Too small.] } }';
    const text = `kind: enterprise\nsummary: Our own.\ntimeline:\n  - ${reasons}\n`;
    dataOf(await client.put('/_sandbox/scenarios/too_small', text, { 'Content-Type': 'application/yaml' }), 201);
    await draft(client);
    dataOf(await sign(client, {}, playing('too_small')));
    await sandbox.clock.advance('1s');
    expect((await enterpriseOf(client)).rejection_reasons).toEqual(['Too small.']);
    await client.delete('/_sandbox/scenarios/too_small');
  });

  it('that is slow takes days', async () => {
    await draft(client);
    dataOf(await sign(client, {}, playing('vetting_slow')));
    await sandbox.clock.advance('4d');
    expect(await statusOf()).toBe('PENDING_VETTING');
    await sandbox.clock.advance('1d');
    expect(await statusOf()).toBe('APPROVED');
  });

  it('plays what the world is set to for each submission, and not for the draft', async () => {
    await client.put('/_sandbox/active-scenarios/enterprise', { use: ['vetting_rejected', 'vetting_approved'] });
    await draft(client);
    await submit(client);
    await sandbox.clock.advance('40s');
    expect(await statusOf()).toBe('REJECTED');
    await submit(client);
    await sandbox.clock.advance('40s');
    expect(await statusOf()).toBe('APPROVED');
  });

  it('is refused a scenario of another kind', async () => {
    await draft(client);
    const answer = await sign(client, {}, playing('busy'));
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['X-Sandbox-Scenario']);
    expect(await statusOf()).toBe('DRAFT');
  });

  it('can be told by hand once it is decided', async () => {
    await reach('PENDING_VETTING');
    const fire = async (): Promise<Answer['body']> =>
      dataOf(await client.post('/_sandbox/events', { event_type: 'enterprise.status.updated' }), 201);
    expect((await fire()).subject).toBeNull();
    await sandbox.clock.advance('40s');
    expect((await fire()).payload).toEqual(await enterpriseOf(client));
  });

  it('has run in the instant mode when the enterprise is read', async () => {
    const world = sandbox.world('enterprise-instant');
    await world.clock.set('instant');
    const by = clientOf(sandbox.url, world.apiKey);
    await draft(by);
    expect(dataOf(await sign(by)).status).toBe('PENDING_VETTING');
    expect((await enterpriseOf(by)).status).toBe('APPROVED');
  });
});

describe('resubmission', () => {
  it.each(['submit', 'sign-and-submit'])('by %s leads from REJECTED to PENDING_VETTING, reasons gone', async (way) => {
    await reach('REJECTED');
    const rejected = await enterpriseOf(client);
    const again = dataOf(way === 'submit' ? await submit(client) : await sign(client));
    expect(again).toMatchObject({
      status: 'PENDING_VETTING',
      rejection_reasons: [],
      carrier_enterprise_id: rejected.carrier_enterprise_id,
      synced_at: instant(40_000),
      reputation: { status: 'pending', rejection_reasons: [], last_synced_at: instant(40_000) },
    });
    await sandbox.clock.advance('40s');
    expect(await statusOf()).toBe('APPROVED');
  });

  it('is not the same as mending, which submits nothing', async () => {
    await reach('REJECTED');
    const { rejection_reasons } = await enterpriseOf(client);
    expect(dataOf(await mend({ legal_name: 'Right, Inc.' }))).toMatchObject({ status: 'REJECTED', rejection_reasons });
    await sandbox.clock.advance('1d');
    expect(await statusOf()).toBe('REJECTED');
  });
});

it('the way of an enterprise: rejected, mended, approved, with its name on the caller IDs, and told at each turn', async () => {
  const receiver = await startReceiver();
  try {
    await subscribe(client, receiver.url, 'enterprise.status.updated');
    dataOf(await draft(client, { legal_name: 'Harbour Street Dentil' }), 201);
    dataOf(await sign(client, {}, playing('vetting_rejected')));
    await sandbox.clock.advance('1m');
    const rejected = await enterpriseOf(client);
    expect(rejected).toMatchObject({ status: 'REJECTED', rejection_reasons: [expect.any(String), expect.any(String)] });
    expectError(await client.post(IDENTITIES, IDENTITY), 409, 'conflict');

    dataOf(await mend({ legal_name: DETAILS.legal_name }));
    const { loa_document_id } = dataOf(await sign(client));
    expect(loa_document_id).not.toBe(rejected.loa_document_id);
    expect((await readPdf(loa_document_id)).text).toContain(DETAILS.legal_name);
    await sandbox.clock.advance('1m');
    const approved = await enterpriseOf(client);
    expect(approved).toMatchObject({ id: rejected.id, status: 'APPROVED', legal_name: DETAILS.legal_name });

    dataOf(await client.post(IDENTITIES, IDENTITY), 201);
    const shown = async (): Promise<unknown[]> => {
      const callerIds = dataOf(await client.get('/v1/caller-ids')) as Record<string, unknown>[];
      return callerIds.map(({ status, rcd_display_name, rcd_status }) => [status, rcd_display_name, rcd_status]);
    };
    expect(await shown()).toContainEqual(['VERIFIED', IDENTITY.display_name, 'pending']);
    await sandbox.clock.advance('1m');
    expect(await shown()).toContainEqual(['VERIFIED', IDENTITY.display_name, 'approved']);

    expect(receiver.got.map(({ body }) => body)).toEqual([rejected, approved]);
    for (const { headers } of receiver.got) expect(headers).not.toHaveProperty('x-service-signature-256');
  } finally {
    await receiver.close();
  }
});

it('a reset takes the enterprise away', async () => {
  await approve(client, sandbox);
  await sandbox.reset();
  expectError(await client.get(ENTERPRISE), 404, 'not_found');
});
