// Display identities: `spec.md` "When enterprise registration […] is required" (branded calling) and the `rcd_*` fields
// of "Caller ID"; the row cnam_status, rcd_status of `interface.md` section 9.
import { beforeEach, describe, expect, it } from 'vitest';
import { approve, dataOf, draft, IDENTITIES, IDENTITY, sign } from '../support/caller-trust.ts';
import { type Answer, type Client, expectError, FROM, playing } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { childOf, instant, pagesOf } from '../support/world.ts';

const PENDING = '+14155550193';

const { sandbox, client } = useSandbox({ clock: 'manual', rateLimit: 'off' });
beforeEach(() => sandbox.reset());

const submitIdentity = (more: object = {}, headers = {}): Promise<Answer> =>
  client.post(IDENTITIES, { ...IDENTITY, ...more }, headers);
const callerIds = async (by: Client = client): Promise<Answer['body'][]> => dataOf(await by.get('/v1/caller-ids'));
const rcdOf = async (number: string): Promise<[string, string]> => {
  const found = (await callerIds()).find(({ phone_number }) => phone_number === number);
  return [found.rcd_display_name, found.rcd_status];
};

describe('submitting a display identity', () => {
  it('returns 201 and an identity that waits for review', async () => {
    const enterprise = await approve(client, sandbox);
    const answer = await submitIdentity();
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

  it('is followed by the approval after 60 seconds', async () => {
    await approve(client, sandbox);
    const submitted = dataOf(await submitIdentity(), 201);
    await sandbox.clock.advance('59999ms');
    expect(dataOf(await client.get(IDENTITIES))).toEqual([submitted]);
    await sandbox.clock.advance('1ms');
    const approved = { ...submitted, status: 'approved', updated_at: instant(100_000) };
    expect(dataOf(await client.get(IDENTITIES))).toEqual([approved]);
  });

  it('can end in a rejection with reasons', async () => {
    await approve(client, sandbox);
    dataOf(await submitIdentity({}, playing('display_identity_rejected')), 201);
    await sandbox.clock.advance('60s');
    const [rejected] = dataOf(await client.get(IDENTITIES));
    expect(rejected).toMatchObject({ status: 'rejected', rejection_reasons: [expect.stringMatching(/./)] });
    expect(await rcdOf(FROM)).toEqual([IDENTITY.display_name, 'rejected']);
  });

  it('returns 409 that names the state without an enterprise that is APPROVED', async () => {
    expectError(await submitIdentity(), 409, 'conflict');
    await draft(client);
    for (const state of ['DRAFT', 'PENDING_VETTING', 'REJECTED']) {
      if (state === 'PENDING_VETTING') await sign(client, {}, playing('vetting_rejected'));
      if (state === 'REJECTED') await sandbox.clock.advance('40s');
      const answer = await submitIdentity();
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
  ])('rejects an invalid %s with 400 (case %#)', async (field, value, named) => {
    await approve(client, sandbox);
    const answer = await submitIdentity({ [field]: value });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([named]);
    expect(dataOf(await client.get(IDENTITIES))).toEqual([]);
  });

  it('accepts a name of 35 characters, ten reasons of 64, and an unknown field', async () => {
    await approve(client, sandbox);
    const call_reasons = Array.from({ length: 10 }, (_, n) => String(n).repeat(64));
    dataOf(await submitIdentity({ display_name: 'x'.repeat(35), call_reasons, color: 'red' }), 201);
  });

  it('lists identities newest first, with a total and pages', async () => {
    await approve(client, sandbox);
    for (const display_name of ['One', 'Two', 'Three']) dataOf(await submitIdentity({ display_name }), 201);
    const { data, meta } = (await client.get(IDENTITIES)).body;
    expect(data.map((each: { display_name: string }) => each.display_name)).toEqual(['Three', 'Two', 'One']);
    expect(meta).toEqual({ cursor: null, total_results: 3, page_size: 25 });
    expect((await pagesOf(client, IDENTITIES, 2)).flatMap((page) => page.data)).toEqual(data);
  });
});

describe('the display identity on caller IDs', () => {
  it('shows its name and status on each verified caller ID and on no other', async () => {
    await approve(client, sandbox);
    dataOf(await submitIdentity(), 201);
    for (const status of ['pending', 'approved']) {
      for (const callerId of await callerIds()) {
        const shown = callerId.status === 'VERIFIED' ? [IDENTITY.display_name, status] : [null, null];
        expect([callerId.rcd_display_name, callerId.rcd_status], callerId.phone_number).toEqual(shown);
      }
      await sandbox.clock.advance('60s');
    }
  });

  it('is the approved one again once a newer one is rejected', async () => {
    await approve(client, sandbox);
    dataOf(await submitIdentity(), 201);
    await sandbox.clock.advance('60s');
    for (const display_name of ['New name', 'Newer name']) {
      dataOf(await submitIdentity({ display_name }, playing('display_identity_rejected')), 201);
      expect(await rcdOf(FROM)).toEqual([display_name, 'pending']);
      await sandbox.clock.advance('60s');
      expect(await rcdOf(FROM)).toEqual([IDENTITY.display_name, 'approved']);
    }
    const statuses = dataOf(await client.get(IDENTITIES)).map((each: { status: string }) => each.status);
    expect(statuses).toEqual(['rejected', 'rejected', 'approved']);
  });

  it('is a pending one if a newer one is rejected, and the newest if all are rejected', async () => {
    await approve(client, sandbox);
    dataOf(await submitIdentity({}, playing('display_identity_rejected;wait=2m')), 201);
    dataOf(await submitIdentity({ display_name: 'New name' }, playing('display_identity_rejected;wait=1m')), 201);
    await sandbox.clock.advance('1m');
    expect(await rcdOf(FROM)).toEqual([IDENTITY.display_name, 'pending']);
    await sandbox.clock.advance('1m');
    expect(await rcdOf(FROM)).toEqual(['New name', 'rejected']);
  });

  it('is the newest one', async () => {
    await approve(client, sandbox);
    dataOf(await submitIdentity(), 201);
    await sandbox.clock.advance('60s');
    dataOf(await submitIdentity({ display_name: 'New name' }), 201);
    expect(await rcdOf(FROM)).toEqual(['New name', 'pending']);
    await sandbox.clock.advance('60s');
    expect(await rcdOf(FROM)).toEqual(['New name', 'approved']);
  });

  it('appears when a caller ID is verified, and disappears when it is revoked', async () => {
    await approve(client, sandbox);
    dataOf(await submitIdentity(), 201);
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

  it('does not show on the caller IDs of a child', async () => {
    await approve(client, sandbox);
    dataOf(await submitIdentity(), 201);
    const child = await childOf(sandbox.url, client);
    expect((await callerIds(child)).map(({ rcd_status }) => rcd_status)).toEqual([null]);
    expect(dataOf(await child.get(IDENTITIES))).toEqual([]);
    expectError(await child.post(IDENTITIES, IDENTITY), 409, 'conflict');
  });
});
