// The A2P texting registration: `spec.md` "Texting not ready" and texting_registration_status_changed; the row of
// `interface.md` section 9 for /v1/brand, and the `texting_registration` scenarios of section 3.
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../src/index.ts';
import { dataOf, playing } from './support/caller-trust.ts';
import { type Answer, type Client, expectError, FROM } from './support/client.ts';
import { listening } from './support/listening.ts';
import type { Receiver } from './support/receiver.ts';
import {
  approveBrand,
  BRAND,
  BRAND_DETAILS,
  CAMPAIGNS,
  NUMBERS,
  registerBrand,
  registerCampaign,
} from './support/texting.ts';
import { deliveriesOf, subscribe } from './support/webhooks.ts';
import { childOf, instant, pagesOf, START } from './support/world.ts';

const EVENT = 'texting_registration_status_changed';
const PROVISIONING = '+14155550192';
const UNREGISTERED = '+14155550193';
const REASON = 'The carriers could not verify what was submitted.';

let sandbox: Sandbox;
let client: Client;
let receiver: Receiver;

listening({ clock: 'manual', rateLimit: 'off' }, (made) => {
  ({ sandbox, client, receiver } = made);
});

const brandOf = async (by: Client = client): Promise<Answer['body']> => dataOf(await by.get(BRAND));
const campaigns = async (by: Client = client): Promise<Answer['body'][]> => dataOf(await by.get(CAMPAIGNS));
const textingOf = async (number: string): Promise<unknown[]> => {
  const found = dataOf(await client.get(NUMBERS)).find((each: Answer['body']) => each.phone_number === number);
  return [found.texting_status, found.texting_enabled];
};

describe('the brand', () => {
  it('is 404 until one is submitted', async () => {
    expectError(await client.get(BRAND), 404, 'not_found');
  });

  it('is pending at first, and approved 60 seconds later, which a receiver hears', async () => {
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

  it('enables no number by itself', async () => {
    await approveBrand(client, sandbox);
    expect(await textingOf(UNREGISTERED)).toEqual(['none', false]);
  });

  it('is rejected where the scenario is registration_rejected, with reasons that a receiver hears', async () => {
    await subscribe(client, receiver.url, EVENT);
    const { id } = dataOf(await registerBrand(client, playing('registration_rejected')), 201);
    await sandbox.clock.advance('60s');
    expect(await brandOf()).toMatchObject({ status: 'rejected', rejection_reasons: [REASON] });
    expect(receiver.got.map(({ body }) => body)).toEqual([
      { registration: { id, type: 'brand' }, status: 'rejected', reasons: [REASON], texting_enabled_numbers: [] },
    ]);
  });

  it('that was rejected is submitted again under its own id, with what is sent then', async () => {
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

  it('that is pending or approved is 409, naming its state and what is allowed', async () => {
    dataOf(await registerBrand(client), 201);
    for (const state of ['pending', 'approved']) {
      const answer = await registerBrand(client);
      expectError(answer, 409, 'conflict');
      expect(answer.body.error.message).toMatch(new RegExp(`which is ${state}; only a rejected one`));
      await sandbox.clock.advance('60s');
    }
  });

  it('takes three days where the scenario is registration_slow', async () => {
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
  ])('with the invalid field of case %# is 400 about that field, and none is made', async (more, field) => {
    const answer = await client.post(BRAND, { ...BRAND_DETAILS, ...more });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expectError(await client.get(BRAND), 404, 'not_found');
  });
});

describe('a campaign', () => {
  it('is pending at first with its numbers, and 60 seconds later they may text, which a receiver hears', async () => {
    const { id: brand_id } = await approveBrand(client, sandbox);
    await subscribe(client, receiver.url, EVENT);
    const phone_numbers = [UNREGISTERED, PROVISIONING];
    const campaign = dataOf(await registerCampaign(client, { phone_numbers }), 201);
    expect(campaign).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      brand_id,
      use_case: 'customer_care',
      phone_numbers,
      status: 'pending',
      rejection_reasons: [],
      created_at: instant(60_000),
      updated_at: instant(60_000),
    });
    expect(await textingOf(UNREGISTERED)).toEqual(['pending', false]);
    await sandbox.clock.advance('60s');
    expect(await campaigns()).toEqual([{ ...campaign, status: 'approved', updated_at: instant(120_000) }]);
    for (const number of phone_numbers) expect(await textingOf(number)).toEqual(['approved', true]);
    expect(receiver.got.map(({ body }) => body)).toEqual([
      {
        registration: { id: campaign.id, type: 'campaign' },
        status: 'approved',
        reasons: [],
        texting_enabled_numbers: phone_numbers,
      },
    ]);
    for (const { schema_violations } of await deliveriesOf(client)) expect(schema_violations).toEqual([]);
  });

  it('that names no numbers is for all that may not text yet', async () => {
    await approveBrand(client, sandbox);
    expect(dataOf(await registerCampaign(client), 201).phone_numbers).toEqual([PROVISIONING, UNREGISTERED]);
    const answer = await registerCampaign(client);
    expectError(answer, 409, 'conflict');
    expect(answer.body.error.message).toContain('No phone number');
  });

  it('that is rejected leaves its numbers rejected, and enables none', async () => {
    await approveBrand(client, sandbox);
    await subscribe(client, receiver.url, EVENT);
    dataOf(await registerCampaign(client, { phone_numbers: [UNREGISTERED] }, playing('registration_rejected')), 201);
    await sandbox.clock.advance('60s');
    expect(await textingOf(UNREGISTERED)).toEqual(['rejected', false]);
    expect(receiver.got.map(({ body }) => [body.status, body.reasons, body.texting_enabled_numbers])).toEqual([
      ['rejected', [REASON], []],
    ]);
    dataOf(await registerCampaign(client, { phone_numbers: [UNREGISTERED] }), 201);
    await sandbox.clock.advance('60s');
    expect(await textingOf(UNREGISTERED)).toEqual(['approved', true]);
  });

  it('without a brand, or with one that is pending or rejected, is 409 that names its state', async () => {
    const refused = async (state: RegExp): Promise<void> => {
      const answer = await registerCampaign(client);
      expectError(answer, 409, 'conflict');
      expect(answer.body.error.message).toMatch(state);
    };
    await refused(/no brand registration/);
    dataOf(await registerBrand(client, playing('registration_rejected')), 201);
    await refused(/is pending; .* approved/);
    await sandbox.clock.advance('60s');
    await refused(/is rejected; .* approved/);
    expect(await campaigns()).toEqual([]);
  });

  it('with numbers that are not the organization’s is 404 that names each', async () => {
    await approveBrand(client, sandbox);
    const phone_numbers = ['+14155550194', UNREGISTERED, '+12125550150'];
    const answer = await registerCampaign(client, { phone_numbers });
    expectError(answer, 404, 'not_found');
    expect(Object.keys(answer.body.error.fields)).toEqual(['phone_numbers.0', 'phone_numbers.2']);
    expect(await textingOf(UNREGISTERED)).toEqual(['none', false]);
  });

  it('with numbers that may text already, or are in another campaign, is 409 that names each with its state', async () => {
    await approveBrand(client, sandbox);
    dataOf(await registerCampaign(client, { phone_numbers: [UNREGISTERED] }), 201);
    const answer = await registerCampaign(client, { phone_numbers: [FROM, PROVISIONING, UNREGISTERED] });
    expectError(answer, 409, 'conflict');
    expect(answer.body.error.fields).toEqual({
      'phone_numbers.0': expect.stringContaining('approved'),
      'phone_numbers.2': expect.stringContaining('pending'),
    });
  });

  it('loses a number that is released while it is pending', async () => {
    await approveBrand(client, sandbox);
    await subscribe(client, receiver.url, EVENT);
    dataOf(await registerCampaign(client), 201);
    dataOf(await client.delete(`${NUMBERS}/4192`));
    await sandbox.clock.advance('60s');
    expect((await campaigns())[0]).toMatchObject({ status: 'approved', phone_numbers: [UNREGISTERED] });
    expect(receiver.got[0]?.body.texting_enabled_numbers).toEqual([UNREGISTERED]);
    expect(dataOf(await client.get(`${NUMBERS}/4192`)).texting_enabled).toBe(false);
  });

  it.each([
    [{ use_case: undefined }, 'use_case'],
    [{ use_case: ' ' }, 'use_case'],
    [{ use_case: 'x'.repeat(256) }, 'use_case'],
    [{ use_case: 7 }, 'use_case'],
    [{ phone_numbers: [] }, 'phone_numbers'],
    [{ phone_numbers: UNREGISTERED }, 'phone_numbers'],
    [{ phone_numbers: [UNREGISTERED, UNREGISTERED] }, 'phone_numbers'],
    [{ phone_numbers: ['4155550193'] }, 'phone_numbers.0'],
    [{ phone_numbers: Array.from({ length: 401 }, (_, n) => `+1212555${1000 + n}`) }, 'phone_numbers'],
  ])('with the invalid field of case %# is 400 about that field, and none is made', async (more, field) => {
    await approveBrand(client, sandbox);
    const answer = await registerCampaign(client, more);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect(await campaigns()).toEqual([]);
  });
});

describe('the list of campaigns', () => {
  it('is newest first, with the meta of calls, without the brand, and paged', async () => {
    await approveBrand(client, sandbox);
    for (const [use_case, number] of [
      ['customer_care', UNREGISTERED],
      ['marketing', PROVISIONING],
    ]) {
      dataOf(await registerCampaign(client, { use_case, phone_numbers: [number] }), 201);
    }
    const { data, meta } = (await client.get(CAMPAIGNS)).body;
    expect(data.map((each: Answer['body']) => each.use_case)).toEqual(['marketing', 'customer_care']);
    expect(meta).toEqual({ cursor: null, total_results: 2, page_size: 25 });
    expect((await pagesOf(client, CAMPAIGNS, 1)).flatMap((page) => page.data)).toEqual(data);
  });
});

describe('whose registration', () => {
  it("a child organization's brand and campaigns are its own", async () => {
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
