// Signing and submitting an enterprise: `spec.md` "Caller trust" under "Endpoints" and the limits of the signer; the row
// consent_time of `interface.md` section 9.
import { beforeEach, describe, expect, it } from 'vitest';
import { dataOf, draft, ENTERPRISE, enterpriseOf, SIGNATURE, sign } from '../support/caller-trust.ts';
import { expectError } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { START } from '../support/world.ts';

const { sandbox, client } = useSandbox({ clock: 'manual', rateLimit: 'off' });
beforeEach(() => sandbox.reset());

const statusOf = async (): Promise<string> => (await enterpriseOf(client)).status;

describe('sign-and-submit', () => {
  it('moves a DRAFT to PENDING_VETTING with an LOA, a carrier record and number reputation', async () => {
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

  it.each(Object.keys(SIGNATURE))('returns 400 without %s or with another type, and leaves a DRAFT', async (field) => {
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
  ])('accepts a %s of %i and of 255 characters, and rejects shorter and longer ones', async (field, least) => {
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
    ['signer_email', 'that is empty', ''],
    ['signer_email', 'without an at sign', 'robin'],
    ['signer_email', 'without a domain', 'robin@'],
    ['signer_email', 'without a local part', '@harborstreet.example'],
    ['signer_email', 'with a space', 'robin ashdown@harborstreet.example'],
    ['consent_acknowledged_at', 'without a time zone', '2026-01-05T15:00:00'],
    ['consent_acknowledged_at', 'with an offset instead of Z', '2026-01-05T15:00:00+00:00'],
    ['consent_acknowledged_at', 'with a lowercase z', '2026-01-05T15:00:00z'],
    ['consent_acknowledged_at', 'with a space instead of T', '2026-01-05 15:00:00Z'],
    ['consent_acknowledged_at', 'without a time', '2026-01-05'],
    ['consent_acknowledged_at', 'on 29 February 2026', '2026-02-29T15:00:00Z'],
    ['consent_acknowledged_at', 'on 29 February 2100', '2100-02-29T15:00:00Z'],
    ['consent_acknowledged_at', 'on 31 April', '2026-04-31T15:00:00Z'],
    ['consent_acknowledged_at', 'in month 13', '2026-13-01T15:00:00Z'],
    ['consent_acknowledged_at', 'in month 0', '2026-00-01T15:00:00Z'],
    ['consent_acknowledged_at', 'in hour 24', '2026-01-05T24:00:00Z'],
    ['consent_acknowledged_at', 'in minute 60', '2026-01-05T15:60:00Z'],
    ['consent_acknowledged_at', 'in second 60', '2026-01-05T15:00:60Z'],
    ['consent_acknowledged_at', 'in a leap second', '2016-12-31T23:59:60Z'],
    ['consent_acknowledged_at', 'in the year 0000', '0000-01-05T15:00:00Z'],
    ['consent_acknowledged_at', 'without digits after its point', '2026-01-05T15:00:00.Z'],
    ['consent_acknowledged_at', 'that is a word', 'now'],
    ['confirm_carrier_commit', 'in lower case', 'i understand this submits to the carrier'],
    ['confirm_carrier_commit', 'with a full stop', 'I understand this submits to the carrier.'],
    ['confirm_carrier_commit', 'with a trailing space', 'I understand this submits to the carrier '],
    ['confirm_carrier_commit', 'that is empty', ''],
  ])('returns 400 for a %s %s and leaves a DRAFT', async (field, _, value) => {
    const drafted = dataOf(await draft(client), 201);
    const answer = await sign(client, { [field]: value });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect(await enterpriseOf(client)).toEqual(drafted);
  });

  it.each([
    ['signer_email', 'with a tag and a subdomain', 'robin.ashdown+loa@mail.harborstreet.example'],
    ['consent_acknowledged_at', 'with microseconds', '2026-01-05T15:00:00.123456Z'],
    ['consent_acknowledged_at', 'on 29 February 2024', '2024-02-29T23:59:59Z'],
    ['consent_acknowledged_at', 'in the year 0001', '0001-01-01T00:00:00Z'],
    ['consent_acknowledged_at', 'in the year 9999', '9999-12-31T23:59:59Z'],
    ['consent_acknowledged_at', 'in the future', '2031-01-05T15:00:00Z'],
  ])('accepts a %s %s', async (field, _, value) => {
    await draft(client);
    expect(dataOf(await sign(client, { [field]: value })).status).toBe('PENDING_VETTING');
  });

  it.each(['2016-12-31T23:59:60Z', '0000-01-05T15:00:00Z', '2026-02-29T15:00:00Z', 'now'])(
    'explains the format of the consent time when it is %s',
    async (consent_acknowledged_at) => {
      await draft(client);
      const answer = await sign(client, { consent_acknowledged_at });
      expect(answer.body.error.fields.consent_acknowledged_at).toBe(
        `is "${consent_acknowledged_at}"; must be a valid date and time in UTC from the year 0001, with seconds from 00 to 59 and a trailing Z, such as 2026-01-05T14:59:00Z`,
      );
      expect(answer.headers['x-sandbox-assumptions']).toBe('consent_time');
    },
  );

  it('rejects an unknown field with 400', async () => {
    await draft(client);
    const answer = await sign(client, { signer_phone: '+14155550170' });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['signer_phone']);
  });

  it('names all invalid fields at once, and the required confirmation text', async () => {
    await draft(client);
    const answer = await client.post(`${ENTERPRISE}/sign-and-submit`, { confirm_carrier_commit: 'yes' });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields).sort()).toEqual(Object.keys(SIGNATURE).sort());
    expect(answer.body.error.fields.confirm_carrier_commit).toContain(SIGNATURE.confirm_carrier_commit);
    expect(await statusOf()).toBe('DRAFT');
  });
});
