// Drafting and updating an enterprise: `spec.md` "Enterprise" under "Resources and their fields" and "Caller trust" under
// "Endpoints"; the rows enterprise_absent and resubmission of `interface.md` section 9.
import { beforeEach, describe, expect, it } from 'vitest';
import { approve, DETAILS, dataOf, draft, ENTERPRISE, enterpriseOf, sign, submit } from '../support/caller-trust.ts';
import { clientOf, expectError } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { childOf } from '../support/world.ts';
import { generateLoa, reach, readPdf, update } from './setup.ts';

const { sandbox, client } = useSandbox({ clock: 'manual', rateLimit: 'off' });
beforeEach(() => sandbox.reset());

describe('an organization without an enterprise', () => {
  it.each([
    ['GET', () => client.get(ENTERPRISE)],
    ['PATCH', () => update(client, { dba: 'x' })],
    ['generate-loa', () => generateLoa(client)],
    ['submit', () => submit(client, {})],
    ['sign-and-submit', () => sign(client)],
  ])('gets 404 from %s', async (_, ask) => {
    const answer = await ask();
    expectError(answer, 404, 'not_found');
    expect(answer.headers['x-sandbox-assumptions']).toContain('enterprise_absent');
  });

  it('is the initial state of every bundled world', async () => {
    for (const world of ['default', 'hipaa', 'regulated', 'other']) {
      const by = clientOf(sandbox.url, `svc_sandbox_${world}`);
      expectError(await by.get(ENTERPRISE), 404, 'not_found');
      expect((await by.get('/v1/account')).body.data.footprint.own_brand_enterprise, world).toBe(false);
    }
  });
});

describe('drafting an enterprise', () => {
  it('returns 201 and a DRAFT with every field of the specification', async () => {
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

  it('requires only the legal name', async () => {
    expect(dataOf(await draft(client, { legal_name: 'Solo' }), 201)).toMatchObject({ legal_name: 'Solo', dba: null });
  });

  it('ignores unknown fields', async () => {
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
  ])('rejects an invalid %s with 400 and drafts nothing (case %#)', async (field, value) => {
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
  ])('accepts a %s of %i characters and rejects a longer one', async (field, most) => {
    const answer = await draft(client, { ...DETAILS, [field]: 'x'.repeat(most + 1) });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    dataOf(await draft(client, { ...DETAILS, [field]: 'x'.repeat(most) }), 201);
  });

  it.each(['DRAFT', 'PENDING_VETTING', 'APPROVED', 'REJECTED'] as const)(
    'returns 409 if the organization has one, and names its state %s',
    async (status) => {
      await reach(client, sandbox, status);
      const before = await enterpriseOf(client);
      const answer = await draft(client, { legal_name: 'Another' });
      expectError(answer, 409, 'conflict');
      expect(answer.body.error.message).toContain(status);
      expect(await enterpriseOf(client)).toEqual(before);
    },
  );

  it('is separate for each organization, children included', async () => {
    await draft(client);
    const child = await childOf(sandbox.url, client);
    expectError(await child.get(ENTERPRISE), 404, 'not_found');
    dataOf(await draft(child, { legal_name: 'Child' }), 201);
    expect((await enterpriseOf(client)).legal_name).toBe(DETAILS.legal_name);
    expect((await enterpriseOf(child)).legal_name).toBe('Child');
    expectError(await clientOf(sandbox.url, 'svc_sandbox_other').get(ENTERPRISE), 404, 'not_found');
  });
});

describe('updating an enterprise', () => {
  it('changes only the fields in the request', async () => {
    const drafted = dataOf(await draft(client), 201);
    expect(dataOf(await update(client, { dba: 'Harbor Smiles' }))).toEqual({ ...drafted, dba: 'Harbor Smiles' });
    const renamed = { ...drafted, legal_name: 'Harbor LLC', dba: 'Harbor Smiles' };
    expect(dataOf(await update(client, { legal_name: 'Harbor LLC' }))).toEqual(renamed);
    expect(dataOf(await update(client, { dba: null }))).toEqual({ ...renamed, dba: null });
    expect(dataOf(await update(client, {}))).toEqual({ ...renamed, dba: null });
    expect(await enterpriseOf(client)).toEqual({ ...renamed, dba: null });
  });

  it('changes the next LOA, including fields that no response shows', async () => {
    await draft(client);
    await update(client, { city: 'Oakland', ein: null });
    const { text } = await readPdf(sandbox, client, dataOf(await generateLoa(client), 201).document_id);
    expect(text).toContain('City: Oakland');
    expect(text).not.toContain('EIN');
  });

  it.each([
    ['legal_name', null],
    ['legal_name', ''],
    ['ein', 'x'],
    ['contact_email', 'x'],
  ])('rejects an invalid %s with 400 (case %#)', async (field, value) => {
    const drafted = dataOf(await draft(client), 201);
    const answer = await update(client, { [field]: value });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect(await enterpriseOf(client)).toEqual(drafted);
  });
});

describe('an enterprise in vetting or approved', () => {
  it.each(['PENDING_VETTING', 'APPROVED'] as const)(
    'that is %s cannot be updated or submitted; the 409 names the state and the allowed ones',
    async (status) => {
      await reach(client, sandbox, status);
      const before = await enterpriseOf(client);
      for (const answer of [
        await update(client, { dba: 'x' }),
        await generateLoa(client),
        await submit(client),
        await sign(client),
      ]) {
        expectError(answer, 409, 'conflict');
        expect(answer.body.error.message).toMatch(new RegExp(`is ${status};.*DRAFT or REJECTED`));
        expect(answer.headers['x-sandbox-assumptions']).toContain('resubmission');
      }
      expect(await enterpriseOf(client)).toEqual(before);
    },
  );

  it('does not use up an active scenario when a submission fails', async () => {
    await reach(client, sandbox, 'PENDING_VETTING');
    await client.put('/_sandbox/active-scenarios/enterprise', { use: ['vetting_rejected'] });
    expectError(await sign(client), 409, 'conflict');
    expect((await client.get('/_sandbox/active-scenarios/enterprise')).body.data.use).toEqual(['vetting_rejected']);
  });
});

it('a reset removes the enterprise', async () => {
  await approve(client, sandbox);
  await sandbox.reset();
  expectError(await client.get(ENTERPRISE), 404, 'not_found');
});
