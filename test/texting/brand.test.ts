// Brand registrations: `spec.md` "Texting not ready" and texting_registration_status_changed; the row of `interface.md`
// section 9 for /v1/brand, and the `texting_registration` scenarios of section 3.
import { describe, expect, it } from 'vitest';
import { dataOf } from '../support/caller-trust.ts';
import { type Answer, type Client, expectError, playing } from '../support/client.ts';
import { useSandboxAndReceiver } from '../support/listening.ts';
import {
  approveBrand,
  BRAND,
  BRAND_DETAILS,
  CAMPAIGNS,
  NUMBERS,
  registerBrand,
  registerCampaign,
} from '../support/texting.ts';
import { subscribe } from '../support/webhooks.ts';
import { childOf, instant, START } from '../support/world.ts';
import { UNREGISTERED } from './setup.ts';

const EVENT = 'texting_registration_status_changed';
const REASON = 'The carriers could not verify what was submitted.';

const { sandbox, client, receiver } = useSandboxAndReceiver({ clock: 'manual', rateLimit: 'off' });

const brandOf = async (by: Client = client): Promise<Answer['body']> => dataOf(await by.get(BRAND));
const campaigns = async (by: Client = client): Promise<Answer['body'][]> => dataOf(await by.get(CAMPAIGNS));
const textingOf = async (number: string): Promise<unknown[]> => {
  const found = dataOf(await client.get(NUMBERS)).find((each: Answer['body']) => each.phone_number === number);
  return [found.texting_status, found.texting_enabled];
};

describe('a brand registration', () => {
  it('is 404 until a brand is submitted', async () => {
    expectError(await client.get(BRAND), 404, 'not_found');
  });

  it('is pending, is approved after 60 seconds, and the receiver gets the event', async () => {
    await subscribe(client, receiver.url, EVENT);
    const brand = dataOf(await registerBrand(client), 201);
    expect(brand).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...BRAND_DETAILS,
      status: 'pending',
      rejection_reasons: [],
      created_at: START,
      updated_at: START,
    });
    await sandbox.clock.advance('59999ms');
    expect(await brandOf()).toEqual(brand);
    await sandbox.clock.advance('1ms');
    expect(await brandOf()).toEqual({ ...brand, status: 'approved', updated_at: instant(60_000) });
    expect(receiver.got.map(({ body }) => body)).toEqual([
      {
        registration: { id: brand.id, type: 'brand' },
        status: 'approved',
        reasons: [],
        texting_enabled_numbers: [],
      },
    ]);
    expect(receiver.got[0]?.headers).not.toHaveProperty('x-service-signature-256');
  });

  it('enables texting on no number by itself', async () => {
    await approveBrand(client, sandbox);
    expect(await textingOf(UNREGISTERED)).toEqual(['none', false]);
  });

  it('is rejected with the scenario registration_rejected, and the event has the reasons', async () => {
    await subscribe(client, receiver.url, EVENT);
    const { id } = dataOf(await registerBrand(client, playing('registration_rejected')), 201);
    await sandbox.clock.advance('60s');
    expect(await brandOf()).toMatchObject({ status: 'rejected', rejection_reasons: [REASON] });
    expect(receiver.got.map(({ body }) => body)).toEqual([
      { registration: { id, type: 'brand' }, status: 'rejected', reasons: [REASON], texting_enabled_numbers: [] },
    ]);
  });

  it('is resubmitted under the same id with the new details after a rejection', async () => {
    const { id } = dataOf(await registerBrand(client, playing('registration_rejected')), 201);
    await sandbox.clock.advance('60s');
    const again = { legal_name: 'Harbor Street Dental LLC', ein: '987654321' };
    const brand = dataOf(await client.post(BRAND, again), 201);
    expect(brand).toEqual({
      id,
      ...again,
      status: 'pending',
      rejection_reasons: [],
      created_at: START,
      updated_at: instant(60_000),
    });
    await sandbox.clock.advance('60s');
    expect((await brandOf()).status).toBe('approved');
  });

  it('returns 409 that names the state while pending or approved', async () => {
    dataOf(await registerBrand(client), 201);
    for (const state of ['pending', 'approved']) {
      const answer = await registerBrand(client);
      expectError(answer, 409, 'conflict');
      expect(answer.body.error.message).toMatch(new RegExp(`which is ${state}; only a rejected one`));
      await sandbox.clock.advance('60s');
    }
  });

  it('takes three days with the scenario registration_slow', async () => {
    dataOf(await registerBrand(client, playing('registration_slow')), 201);
    await sandbox.clock.advance('71h');
    expect((await brandOf()).status).toBe('pending');
    await sandbox.clock.advance('1h');
    expect((await brandOf()).status).toBe('approved');
  });

  it.each([
    [{ legal_name: undefined }, 'legal_name'],
    [{ legal_name: '' }, 'legal_name'],
    [{ legal_name: '  ' }, 'legal_name'],
    [{ legal_name: 'x'.repeat(256) }, 'legal_name'],
    [{ legal_name: 7 }, 'legal_name'],
    [{ ein: undefined }, 'ein'],
    [{ ein: null }, 'ein'],
    [{ ein: '12-345678' }, 'ein'],
    [{ ein: '123-456789' }, 'ein'],
    [{ ein: 123456789 }, 'ein'],
  ])('returns 400 for an invalid field and creates nothing (case %#)', async (more, field) => {
    const answer = await client.post(BRAND, { ...BRAND_DETAILS, ...more });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expectError(await client.get(BRAND), 404, 'not_found');
  });
});

describe('registrations of a child organization', () => {
  it('are separate from those of its parent', async () => {
    const child = await childOf(sandbox.url, client);
    await approveBrand(client, sandbox);
    dataOf(await registerCampaign(client), 201);
    expectError(await child.get(BRAND), 404, 'not_found');
    expect(await campaigns(child)).toEqual([]);
    expectError(await registerCampaign(child), 409, 'conflict');
    dataOf(await registerBrand(child), 201);
    expect((await brandOf(child)).id).not.toBe((await brandOf()).id);
  });
});
