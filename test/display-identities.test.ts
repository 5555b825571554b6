// Display identities: `spec.md` "When enterprise registration […] is required" (branded calling) and the `rcd_*` fields
// of "Caller ID"; the row cnam_status, rcd_status of `interface.md` section 9.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../src/index.ts';
import { approve, dataOf, draft, IDENTITIES, IDENTITY, playing, sign, upload } from './support/caller-trust.ts';
import { type Answer, type Client, clientOf, expectError, FROM } from './support/client.ts';
import { childOf, instant, pagesOf } from './support/world.ts';

const PENDING = '+14155550193';

let sandbox: Sandbox;
let client: Client;

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual', rateLimit: 'off' });
  client = clientOf(sandbox.url);
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const brand = (more: object = {}, headers = {}): Promise<Answer> =>
  client.post(IDENTITIES, { ...IDENTITY, ...more }, headers);
const callerIds = async (by: Client = client): Promise<Answer['body'][]> => dataOf(await by.get('/v1/caller-ids'));
const rcdOf = async (number: string): Promise<[string, string]> => {
  const found = (await callerIds()).find(({ phone_number }) => phone_number === number);
  return [found.rcd_display_name, found.rcd_status];
};

describe('submitting a display identity', () => {
  it('answers 201 with one that waits for its review', async () => {
    const enterprise = await approve(client, sandbox);
    const answer = await brand();
    expect(answer.headers['x-sandbox-scenario']).toBe('display_identity_approved');
    expect(dataOf(answer, 201)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      enterprise_id: enterprise.id,
      ...IDENTITY,
      logo_document_id: null,
      status: 'pending',
      rejection_reasons: [],
      created_at: instant(40_000),
      updated_at: instant(40_000),
    });
    expect(dataOf(await client.get(IDENTITIES))).toEqual([answer.body.data]);
  });

  it('is approved 60 seconds later', async () => {
    await approve(client, sandbox);
    const submitted = dataOf(await brand(), 201);
    await sandbox.clock.advance('59999ms');
    expect(dataOf(await client.get(IDENTITIES))).toEqual([submitted]);
    await sandbox.clock.advance('1ms');
    const approved = { ...submitted, status: 'approved', updated_at: instant(100_000) };
    expect(dataOf(await client.get(IDENTITIES))).toEqual([approved]);
  });

  it('can be rejected, with reasons', async () => {
    await approve(client, sandbox);
    dataOf(await brand({}, playing('display_identity_rejected')), 201);
    await sandbox.clock.advance('60s');
    const [rejected] = dataOf(await client.get(IDENTITIES));
    expect(rejected).toMatchObject({ status: 'rejected', rejection_reasons: [expect.stringMatching(/./)] });
    expect(await rcdOf(FROM)).toEqual([IDENTITY.display_name, 'rejected']);
  });

  it('is 409 without an enterprise, and with one that is not APPROVED; the answer names the state', async () => {
    expectError(await brand(), 409, 'conflict');
    await draft(client);
    for (const state of ['DRAFT', 'PENDING_VETTING', 'REJECTED']) {
      if (state === 'PENDING_VETTING') await sign(client, {}, playing('vetting_rejected'));
      if (state === 'REJECTED') await sandbox.clock.advance('40s');
      const answer = await brand();
      expectError(answer, 409, 'conflict');
      expect(answer.body.error.message).toMatch(new RegExp(`is ${state};.*APPROVED`));
    }
    expect(dataOf(await client.get(IDENTITIES))).toEqual([]);
    expect(await rcdOf(FROM)).toEqual([null, null]);
  });

  it.each([
    ['display_name', undefined, 'display_name'],
    ['display_name', null, 'display_name'],
    ['display_name', '', 'display_name'],
    ['display_name', ' ', 'display_name'],
    ['display_name', 'x'.repeat(36), 'display_name'],
    ['call_reasons', undefined, 'call_reasons'],
    ['call_reasons', 'Reminder', 'call_reasons'],
    ['call_reasons', [], 'call_reasons'],
    ['call_reasons', ['a', 'a'], 'call_reasons'],
    ['call_reasons', Array.from({ length: 11 }, (_, n) => `Reason ${n}`), 'call_reasons'],
    ['call_reasons', ['x'.repeat(65)], 'call_reasons.0'],
    ['call_reasons', ['fine', ''], 'call_reasons.1'],
    ['logo_document_id', 5, 'logo_document_id'],
    ['logo_document_id', '', 'logo_document_id'],
  ])('with the %s %j is 400 and names it', async (field, value, named) => {
    await approve(client, sandbox);
    const answer = await brand({ [field]: value });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([named]);
    expect(dataOf(await client.get(IDENTITIES))).toEqual([]);
  });

  it('takes a name of 35 characters, ten reasons of 64, and a field that it does not know', async () => {
    await approve(client, sandbox);
    const call_reasons = Array.from({ length: 10 }, (_, n) => String(n).repeat(64));
    dataOf(await brand({ display_name: 'x'.repeat(35), call_reasons, color: 'red' }), 201);
  });

  it('takes a verified image as its logo', async () => {
    await approve(client, sandbox);
    const { document_id } = dataOf(await upload(client, 'BM', { content_type: 'image/bmp' }), 201);
    const early = await brand({ logo_document_id: document_id });
    expectError(early, 409, 'conflict');
    expect(early.body.error.message).toContain('pending');
    await sandbox.clock.advance('5s');
    expect(dataOf(await brand({ logo_document_id: document_id }), 201).logo_document_id).toBe(document_id);
  });

  it.each([
    ['names nothing', 'nope', 404, 'not_found'],
    ['is no image', 'doc_business_licence', 400, 'validation_error'],
    ['was denied', 'doc_old_logo', 409, 'conflict'],
  ])('refuses a logo that %s, and names the field', async (_, logo_document_id, status, code) => {
    await approve(client, sandbox);
    const answer = await brand({ logo_document_id });
    expectError(answer, status, code);
    expect(Object.keys(answer.body.error.fields)).toEqual(['logo_document_id']);
  });

  it('is listed newest first, counted, and paged', async () => {
    await approve(client, sandbox);
    for (const display_name of ['One', 'Two', 'Three']) dataOf(await brand({ display_name }), 201);
    const { data, meta } = (await client.get(IDENTITIES)).body;
    expect(data.map((each: { display_name: string }) => each.display_name)).toEqual(['Three', 'Two', 'One']);
    expect(meta).toEqual({ cursor: null, total_results: 3, page_size: 25 });
    expect((await pagesOf(client, IDENTITIES, 2)).flatMap((page) => page.data)).toEqual(data);
  });
});

describe('what caller IDs show of it', () => {
  it('is its name on every verified one, pending and then approved, and nothing on any other', async () => {
    await approve(client, sandbox);
    dataOf(await brand(), 201);
    for (const status of ['pending', 'approved']) {
      for (const callerId of await callerIds()) {
        const shown = callerId.status === 'VERIFIED' ? [IDENTITY.display_name, status] : [null, null];
        expect([callerId.rcd_display_name, callerId.rcd_status], callerId.phone_number).toEqual(shown);
      }
      await sandbox.clock.advance('60s');
    }
  });

  it('is that of the newest', async () => {
    await approve(client, sandbox);
    dataOf(await brand(), 201);
    await sandbox.clock.advance('60s');
    dataOf(await brand({ display_name: 'New name' }), 201);
    expect(await rcdOf(FROM)).toEqual(['New name', 'pending']);
    await sandbox.clock.advance('60s');
    expect(await rcdOf(FROM)).toEqual(['New name', 'approved']);
  });

  it('comes with verification, and goes when the caller ID is revoked', async () => {
    await approve(client, sandbox);
    dataOf(await brand(), 201);
    await sandbox.clock.advance('60s');
    expect(await rcdOf(PENDING)).toEqual([null, null]);
    const { caller_id_id } = dataOf(await client.post('/v1/caller-ids', { phone_number: PENDING }), 201);
    const path = `/_sandbox/caller-ids/${caller_id_id}/verification-code`;
    const { verification_code } = dataOf(await client.get(path));
    dataOf(await client.post(`/v1/caller-ids/${caller_id_id}/verify`, { verification_code }));
    expect(await rcdOf(PENDING)).toEqual([IDENTITY.display_name, 'approved']);
    const revoked = dataOf(await client.delete(`/v1/caller-ids/${caller_id_id}`));
    expect([revoked.rcd_display_name, revoked.rcd_status]).toEqual([null, null]);
    expect(await rcdOf(PENDING)).toEqual([null, null]);
  });

  it("is the organization's own: a child's caller IDs show nothing of it", async () => {
    await approve(client, sandbox);
    dataOf(await brand(), 201);
    const child = await childOf(sandbox.url, client);
    expect((await callerIds(child)).map(({ rcd_status }) => rcd_status)).toEqual([null]);
    expect(dataOf(await child.get(IDENTITIES))).toEqual([]);
    expectError(await child.post(IDENTITIES, IDENTITY), 409, 'conflict');
  });
});
