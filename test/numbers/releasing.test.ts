// Releasing phone numbers: `spec.md` "Other operations named without a shape" and number_released; the rows of
// `interface.md` section 9 for /v1/phone-numbers.
import { describe, expect, it } from 'vitest';
import { verifySignature } from '../../src/index.ts';
import { dataOf } from '../support/caller-trust.ts';
import { type Answer, expectError, FROM } from '../support/client.ts';
import { useSandboxAndReceiver } from '../support/listening.ts';
import { activeNumber, NUMBERS, order } from '../support/texting.ts';
import { subscribe } from '../support/webhooks.ts';
import { pagesOf, START } from '../support/world.ts';
import { agentNamed, availableNumbers, callerIdOf, dialFrom, listNumbers, readNumber, reputationOf } from './setup.ts';

const PROVISIONING = 4192;

const { sandbox, client, receiver } = useSandboxAndReceiver({ clock: 'manual', rateLimit: 'off' });

const eventTypes = async (): Promise<string[]> => (await sandbox.events()).map(({ event_type }) => event_type);

describe('releasing a number', () => {
  it('clears its features, and the receiver gets a signed number_released', async () => {
    await subscribe(client, receiver.url, 'number_released');
    const before = await readNumber(client, 4190);
    const released = dataOf(await client.delete(`${NUMBERS}/4190`));
    expect(released).toEqual({
      ...before,
      is_active: false,
      reputation_enrolled_at: null,
      cnam_display_name: null,
      cnam_status: null,
      texting_enabled: false,
      texting_status: 'none',
    });
    await sandbox.clock.advance('0s');
    const { organization_id } = before;
    expect(receiver.got.map(({ body }) => body)).toEqual([
      {
        triggerEvent: 'number.released',
        createdAt: START,
        payload: { id: 4190, phone_number: FROM, area_code: '415', status: 'RELEASED', organization_id },
      },
    ]);
    const [{ raw, headers }] = receiver.got as [(typeof receiver.got)[number]];
    expect(verifySignature(raw, headers['x-service-signature-256'] as string, 'sandbox_signing_secret')).toBe(true);
  });

  it('keeps the number by id and its calls, recordings and transcripts readable', async () => {
    const calls = dataOf(await client.get('/v1/calls')).filter((call: Answer['body']) => call.from_number === FROM);
    expect(calls.length).toBeGreaterThan(0);
    dataOf(await client.delete(`${NUMBERS}/4190`));
    for (const { id, has_recording, has_transcript, recording_url } of calls) {
      expect(await client.readCall(id)).toMatchObject({ id, phone_number_id: '4190', recording_url });
      if (has_recording) expect((await fetch(recording_url)).status).toBe(200);
      if (has_transcript) expect((await client.get(`/v1/calls/${id}/transcript`)).status).toBe(200);
    }
    expect(dataOf(await client.get('/v1/calls')).filter((call: Answer['body']) => call.from_number === FROM)).toEqual(
      calls,
    );
    expect((await readNumber(client, 4190)).is_active).toBe(false);
  });

  it('removes it from all lists and counts', async () => {
    dataOf(await client.delete(`${NUMBERS}/4190`));
    expect(await listNumbers(client)).not.toContain(FROM);
    expect((await pagesOf(client, NUMBERS, 1)).flatMap(({ data }) => data)).toHaveLength(3);
    expect(await reputationOf(client, FROM)).toBeUndefined();
    expect(dataOf(await client.get('/v1/account')).footprint).toMatchObject({
      phone_numbers: 3,
      enrolled_reputation_numbers: 2,
    });
    expect(dataOf(await client.get('/v1/usage'))).toMatchObject({
      phone_numbers_active: 2,
      spam_risk_distribution: { low: 0, medium: 1, high: 1, unknown: 1 },
    });
  });

  it('revokes its caller ID, so that it cannot dial, and leaves it without an agent', async () => {
    dataOf(await client.delete(`${NUMBERS}/4190`));
    expect(await callerIdOf(client, FROM)).toMatchObject({ status: 'REVOKED', active: false, cnam_status: null });
    expectError(await dialFrom(client, FROM), 422, 'call_id_not_verified');
    expect((await agentNamed(client, 'Front desk assistant')).phone_number).toBeNull();
    expectError(await client.post('/_sandbox/simulate/inbound-call', { to_number: FROM }), 404, 'not_found');
  });

  it('twice is the same as once, and sends one event', async () => {
    const once = dataOf(await client.delete(`${NUMBERS}/4190`));
    expect(dataOf(await client.delete(`${NUMBERS}/4190`))).toEqual(once);
    expect(await eventTypes()).toEqual(['number_released']);
  });

  it('during provisioning cancels it and sends no event, since none announced the number', async () => {
    const { id } = dataOf(await order(client), 201);
    dataOf(await client.delete(`${NUMBERS}/${id}`));
    dataOf(await client.delete(`${NUMBERS}/${PROVISIONING}`));
    await sandbox.clock.untilIdle();
    expect((await readNumber(client, id)).is_active).toBe(false);
    expect(await eventTypes()).toEqual([]);
  });

  it('makes it available again, and the next order gets a new id', async () => {
    const { id, phone_number } = await activeNumber(client, sandbox);
    expect(await availableNumbers(client, '&area_code=212')).not.toContain(phone_number);
    dataOf(await client.delete(`${NUMBERS}/${id}`));
    expect(await availableNumbers(client, '&area_code=212')).toContain(phone_number);
    const again = await activeNumber(client, sandbox, { phone_number });
    expect(again.id).not.toBe(id);
    expect((await dialFrom(client, phone_number)).status).toBe(202);
    expect((await readNumber(client, id)).is_active).toBe(false);
    expect((await listNumbers(client)).filter((each) => each === phone_number)).toHaveLength(1);
  });

  it('makes nothing available if the number never was', async () => {
    dataOf(await client.delete(`${NUMBERS}/4191`));
    expect(await availableNumbers(client, '&area_code=415')).not.toContain('+14155550191');
    expectError(await order(client, { phone_number: '+14155550191' }), 404, 'not_found');
  });

  it('cancels the decision on its CNAM display name', async () => {
    dataOf(await client.put(`${NUMBERS}/4191/cnam`, { cnam_display_name: 'HARBOR NOTES' }));
    dataOf(await client.delete(`${NUMBERS}/4191`));
    await sandbox.clock.untilIdle();
    expect(await readNumber(client, 4191)).toMatchObject({ cnam_display_name: null, cnam_status: null });
  });

  it('makes updates and CNAM changes return 409 that names its state', async () => {
    dataOf(await client.delete(`${NUMBERS}/4190`));
    for (const answer of [
      await client.patch(`${NUMBERS}/4190`, { name: 'Late' }),
      await client.put(`${NUMBERS}/4190/cnam`, { cnam_display_name: 'HARBOR' }),
    ]) {
      expectError(answer, 409, 'conflict');
      expect(answer.body.error.message).toMatch(/RELEASED.*PROVISIONING or ACTIVE/);
    }
  });
});
