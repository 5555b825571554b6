// Ordering phone numbers: `spec.md` "Other operations named without a shape" and number_purchased; the rows of
// `interface.md` section 9 for /v1/phone-numbers, and the `phone_number` scenarios of section 3.
import { describe, expect, it } from 'vitest';
import { verifySignature } from '../../src/index.ts';
import { dataOf } from '../support/caller-trust.ts';
import { clientOf, expectError, FROM, playing } from '../support/client.ts';
import { useSandboxAndReceiver } from '../support/listening.ts';
import { activeNumber, NUMBERS, order } from '../support/texting.ts';
import { subscribe } from '../support/webhooks.ts';
import { childOf, START } from '../support/world.ts';
import { availableNumbers, callerIdOf, dialFrom, listNumbers, readNumber, reputationOf } from './setup.ts';

const { sandbox, client, receiver } = useSandboxAndReceiver({ clock: 'manual', rateLimit: 'off' });

describe('ordering a number', () => {
  it('returns 201 and a number that is not active yet', async () => {
    const { organization, user } = dataOf(await client.get('/v1/account'));
    const number = dataOf(await order(client, { area_code: '212', name: 'New York' }), 201);
    expect(number).toEqual({
      id: expect.any(Number),
      phone_number: '+12125550150',
      name: 'New York',
      organization_id: organization.id,
      user_id: user.id,
      provider: 'carrier',
      is_active: false,
      iso_country: 'US',
      reputation_enrolled_at: null,
      cnam_display_name: null,
      cnam_status: null,
      texting_enabled: false,
      texting_status: 'none',
      created_at: START,
    });
    expect(await readNumber(client, number.id)).toEqual(number);
    expect((await listNumbers(client)).at(-1)).toBe('+12125550150');
  });

  it('assigns the requested number, or one in the default area code', async () => {
    expect(dataOf(await order(client, { phone_number: '+18085550169' }), 201).phone_number).toBe('+18085550169');
    expect(dataOf(await order(client, {}), 201).phone_number).toBe('+14155550150');
    expect(dataOf(await order(client, { phone_number: '+18085550160', area_code: '808' }), 201).name).toBeNull();
  });

  it('activates it after 3 to 8 seconds, and the receiver gets a signed number_purchased', async () => {
    await subscribe(client, receiver.url, 'number_purchased');
    const { id, organization_id } = dataOf(await order(client), 201);
    await sandbox.clock.advance('2999ms');
    expect((await readNumber(client, id)).is_active).toBe(false);
    const { steps } = await sandbox.clock.advance('5001ms');
    const [{ at, to }] = steps as [(typeof steps)[number]];
    expect(to).toBe('ACTIVE');
    expect(await readNumber(client, id)).toMatchObject({ is_active: true, reputation_enrolled_at: at });
    expect(receiver.got.map(({ body }) => body)).toEqual([
      {
        triggerEvent: 'number.purchased',
        createdAt: at,
        payload: { id, phone_number: '+12125550150', area_code: '212', status: 'ACTIVE', organization_id },
      },
    ]);
    const [{ raw, headers }] = receiver.got as [(typeof receiver.got)[number]];
    expect(verifySignature(raw, headers['x-service-signature-256'] as string, 'sandbox_signing_secret')).toBe(true);
  });

  it('takes three days with the scenario provisioning_slow', async () => {
    const { id } = dataOf(await order(client, {}, playing('provisioning_slow')), 201);
    await sandbox.clock.advance('71h');
    expect((await readNumber(client, id)).is_active).toBe(false);
    await sandbox.clock.advance('1h');
    expect((await readNumber(client, id)).is_active).toBe(true);
  });

  it('enrolls it in reputation monitoring, without a request and without an enterprise', async () => {
    const before = dataOf(await client.get('/v1/account')).footprint;
    const { phone_number, reputation_enrolled_at } = await activeNumber(client, sandbox);
    expect(await reputationOf(client, phone_number)).toMatchObject({
      spam_risk: 'low',
      spam_score: expect.any(Number),
      enrolled_at: reputation_enrolled_at,
      own_brand: false,
    });
    expect(dataOf(await client.get('/v1/account')).footprint).toEqual({
      ...before,
      phone_numbers: before.phone_numbers + 1,
      enrolled_reputation_numbers: before.enrolled_reputation_numbers + 1,
    });
  });

  it('makes it a verified caller ID that can dial once the number is active', async () => {
    const { phone_number } = dataOf(await order(client), 201);
    expect(await callerIdOf(client, phone_number)).toMatchObject({
      status: 'VERIFIED',
      certification_method: 'platform_number',
      verified_at: START,
      active: true,
    });
    expectError(await dialFrom(client, phone_number), 409, 'no_active_number');
    await sandbox.clock.advance('8s');
    expect((await dialFrom(client, phone_number)).status).toBe(202);
  });

  it('leaves the caller ID to be verified if the assumption says so', async () => {
    dataOf(await client.put('/_sandbox/assumptions/provisioned_caller_id', { value: 'none' }));
    try {
      const { phone_number } = await activeNumber(client, sandbox);
      expect(await callerIdOf(client, phone_number)).toBeUndefined();
      expectError(await dialFrom(client, phone_number), 422, 'call_id_not_verified');
    } finally {
      dataOf(await client.put('/_sandbox/assumptions/provisioned_caller_id', { value: 'verified' }));
    }
  });

  it('verifies an existing caller ID under its own id', async () => {
    const { caller_id_id } = dataOf(await client.post('/v1/caller-ids', { phone_number: '+12125550150' }), 201);
    dataOf(await order(client), 201);
    expect(await callerIdOf(client, '+12125550150')).toMatchObject({ caller_id_id, status: 'VERIFIED' });
  });

  it.each([
    [{ phone_number: '2125550150' }, 400, 'phone_number'],
    [{ phone_number: 12125550150 }, 400, 'phone_number'],
    [{ area_code: '21' }, 400, 'area_code'],
    [{ area_code: 212 }, 400, 'area_code'],
    [{ area_code: '112' }, 400, 'area_code'],
    [{ name: '' }, 400, 'name'],
    [{ name: '  ' }, 400, 'name'],
    [{ name: 'x'.repeat(256) }, 400, 'name'],
    [{ phone_number: '+12125550150', area_code: '415' }, 400, 'area_code'],
    [{ phone_number: '+12125550149' }, 404, 'phone_number'],
    [{ phone_number: '+442071838701' }, 404, 'phone_number'],
    [{ phone_number: FROM }, 404, 'phone_number'],
  ] as const)(
    'returns an error that names the field for an invalid body, and orders nothing (case %#)',
    async (body, status, field) => {
      const before = await listNumbers(client);
      const answer = await order(client, body);
      expectError(answer, status, status === 400 ? 'validation_error' : 'not_found');
      expect(Object.keys(answer.body.error.fields)).toEqual([field]);
      expect(await listNumbers(client)).toEqual(before);
    },
  );

  it('returns 409 for a number that is taken', async () => {
    dataOf(await order(client, { phone_number: '+12125550150' }), 201);
    const answer = await order(client, { phone_number: '+12125550150' });
    expectError(answer, 409, 'conflict');
    expect(Object.keys(answer.body.error.fields)).toEqual(['phone_number']);
  });

  it('returns 409 if the area code has no number left', async () => {
    const numbers: string[] = [];
    for (let n = 0; n < 20; n++) numbers.push(dataOf(await order(client), 201).phone_number);
    expect(new Set(numbers).size).toBe(20);
    const answer = await order(client);
    expectError(answer, 409, 'conflict');
    expect(Object.keys(answer.body.error.fields)).toEqual(['area_code']);
    expect(await availableNumbers(client, '&area_code=212')).toEqual([]);
  });

  it('assigns different ids in two worlds', async () => {
    const ids = await Promise.all(
      ['one', 'two'].map(async (name) => dataOf(await order(clientOf(sandbox.url, `svc_test_${name}`)), 201).id),
    );
    expect(new Set(ids).size).toBe(2);
  });

  it('with the key of a child gives the number to the child only', async () => {
    const child = await childOf(sandbox.url, client);
    const { id, phone_number } = dataOf(await order(child), 201);
    expect(await listNumbers(child)).toContain(phone_number);
    expect(await listNumbers(client)).not.toContain(phone_number);
    for (const answer of [
      await client.get(`${NUMBERS}/${id}`),
      await client.patch(`${NUMBERS}/${id}`, { name: 'Mine' }),
      await client.delete(`${NUMBERS}/${id}`),
      await client.put(`${NUMBERS}/${id}/cnam`, { cnam_display_name: 'HARBOR' }),
    ]) {
      expectError(answer, 404, 'not_found');
    }
    expect(await callerIdOf(child, phone_number)).toMatchObject({ status: 'VERIFIED' });
    expect(await callerIdOf(client, phone_number)).toBeUndefined();
  });
});
