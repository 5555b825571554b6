// Campaign registrations: `spec.md` "Texting not ready" and texting_registration_status_changed; the row of `interface.md`
// section 9 for /v1/brand.
import { describe, expect, it } from 'vitest';
import { dataOf } from '../support/caller-trust.ts';
import { type Answer, type Client, expectError, FROM, playing } from '../support/client.ts';
import { useSandboxAndReceiver } from '../support/listening.ts';
import { approveBrand, CAMPAIGNS, NUMBERS, registerBrand, registerCampaign } from '../support/texting.ts';
import { deliveriesOf, subscribe } from '../support/webhooks.ts';
import { instant, pagesOf } from '../support/world.ts';
import { PROVISIONING, UNREGISTERED } from './setup.ts';

const EVENT = 'texting_registration_status_changed';
const REASON = 'The carriers could not verify what was submitted.';

const { sandbox, client, receiver } = useSandboxAndReceiver({ clock: 'manual', rateLimit: 'off' });
const campaigns = async (by: Client = client): Promise<Answer['body'][]> => dataOf(await by.get(CAMPAIGNS));
const textingOf = async (number: string): Promise<unknown[]> => {
  const found = dataOf(await client.get(NUMBERS)).find((each: Answer['body']) => each.phone_number === number);
  return [found.texting_status, found.texting_enabled];
};

describe('a campaign registration', () => {
  it('is pending, enables its numbers after 60 seconds, and the receiver gets the event', async () => {
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

  it('covers all numbers without texting if it names none', async () => {
    await approveBrand(client, sandbox);
    expect(dataOf(await registerCampaign(client), 201).phone_numbers).toEqual([PROVISIONING, UNREGISTERED]);
    const answer = await registerCampaign(client);
    expectError(answer, 409, 'conflict');
    expect(answer.body.error.message).toContain('No phone number');
  });

  it('leaves its numbers rejected and disabled if it is rejected', async () => {
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

  it("returns 409 that names the brand's state unless the brand is approved", async () => {
    const expectConflict = async (state: RegExp): Promise<void> => {
      const answer = await registerCampaign(client);
      expectError(answer, 409, 'conflict');
      expect(answer.body.error.message).toMatch(state);
    };
    await expectConflict(/no brand registration/);
    dataOf(await registerBrand(client, playing('registration_rejected')), 201);
    await expectConflict(/is pending; .* approved/);
    await sandbox.clock.advance('60s');
    await expectConflict(/is rejected; .* approved/);
    expect(await campaigns()).toEqual([]);
  });

  it('returns 404 that names each number of another organization', async () => {
    await approveBrand(client, sandbox);
    const phone_numbers = ['+14155550194', UNREGISTERED, '+12125550150'];
    const answer = await registerCampaign(client, { phone_numbers });
    expectError(answer, 404, 'not_found');
    expect(Object.keys(answer.body.error.fields)).toEqual(['phone_numbers.0', 'phone_numbers.2']);
    expect(await textingOf(UNREGISTERED)).toEqual(['none', false]);
  });

  it('returns 409 that names each number already enabled or in another campaign, with its state', async () => {
    await approveBrand(client, sandbox);
    dataOf(await registerCampaign(client, { phone_numbers: [UNREGISTERED] }), 201);
    const answer = await registerCampaign(client, { phone_numbers: [FROM, PROVISIONING, UNREGISTERED] });
    expectError(answer, 409, 'conflict');
    expect(answer.body.error.fields).toEqual({
      'phone_numbers.0': expect.stringContaining('approved'),
      'phone_numbers.2': expect.stringContaining('pending'),
    });
  });

  it('loses a number that is released while the campaign is pending', async () => {
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
    [{ phone_numbers: UNREGISTERED }, 'phone_numbers'],
    [{ phone_numbers: [UNREGISTERED, UNREGISTERED] }, 'phone_numbers'],
    [{ phone_numbers: ['4155550193'] }, 'phone_numbers.0'],
    [{ phone_numbers: Array.from({ length: 401 }, (_, n) => `+1212555${1000 + n}`) }, 'phone_numbers'],
  ])('returns 400 for an invalid field and creates nothing (case %#)', async (more, field) => {
    await approveBrand(client, sandbox);
    const answer = await registerCampaign(client, more);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect(await campaigns()).toEqual([]);
  });
});

describe('the list of campaigns', () => {
  it('is newest first, has the meta of calls, leaves out the brand, and is paged', async () => {
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
