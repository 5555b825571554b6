// The fixtures of the bundled worlds: `interface.md` section 2.
import { describe, expect, it } from 'vitest';
import { verifySignature } from '../../src/index.ts';
import type { Answer } from '../support/client.ts';
import { childOf, START } from '../support/world.ts';
import { BUNDLED, dataOf, useWorlds, withSandbox } from './setup.ts';

const { sandbox, client, receiver, withKey, inWorld } = useWorlds();

describe('the bundled fixtures', () => {
  const numbers = [
    ['+14155550190', true, 'VERIFIED'],
    ['+14155550191', true, 'VERIFIED'],
    ['+14155550192', false, 'VERIFIED'],
    ['+14155550193', true, 'PENDING_VERIFICATION'],
  ];

  it.each(BUNDLED)('%s has four numbers: two to call from, one in provisioning, one not verified', async (world) => {
    const client = withKey(`svc_sandbox_${world}`);
    const callerIds = (await dataOf(client, '/v1/caller-ids')) as { phone_number: string; status: string }[];
    const held = (await dataOf(client, '/v1/phone-numbers')) as Answer['body'][];
    expect(
      held.map(({ phone_number, is_active }) => [
        phone_number,
        is_active,
        callerIds.find((each) => each.phone_number === phone_number)?.status,
      ]),
    ).toEqual(numbers);
    expect(held.slice(0, 2).map(({ texting_status }) => texting_status)).toEqual(['approved', 'approved']);
    const outcomes = [];
    for (const { phone_number } of held) {
      const body = { from_number: phone_number, to_number: '+12125550199' };
      const answer = await client.post('/v1/calls/dial', body);
      outcomes.push(answer.body.error?.code ?? answer.status);
    }
    expect(outcomes).toEqual([202, 202, 'no_active_number', 'call_id_not_verified']);
    await sandbox.world(world).reset();
  });

  it.each(BUNDLED)('%s has calls only with people at 555-0170 to 555-0189', async (world) => {
    for (const call of await dataOf(withKey(`svc_sandbox_${world}`), '/v1/calls?page_size=100')) {
      const other = call.direction === 'inbound' ? call.from_number : call.to_number;
      expect(other).toMatch(/^\+1\d{3}55501[78]\d$/);
    }
  });

  it('default has two agents and a caller ID of each state', async () => {
    expect(await dataOf(client, '/v1/agents')).toHaveLength(2);
    const states = (await dataOf(client, '/v1/caller-ids')).map(({ status }: { status: string }) => status);
    expect(new Set(states)).toEqual(new Set(['PENDING_VERIFICATION', 'VERIFIED', 'REVOKED']));
  });

  it('default has finished calls with and without recording and transcript', async () => {
    const calls = (await dataOf(client, '/v1/calls')) as Answer['body'][];
    const completed = calls.filter(({ status }) => status === 'COMPLETED');
    const kinds = completed.map(({ has_recording, has_transcript }) => `${has_recording} ${has_transcript}`);
    expect(new Set(kinds)).toEqual(new Set(['true true', 'false false']));
  });

  it('default has one sub-entity with a verified, active number and a finished call', async () => {
    const child = await childOf(sandbox.url, client);
    const [number, ...otherNumbers] = await dataOf(child, '/v1/phone-numbers');
    expect(number).toMatchObject({ phone_number: '+14155550194', is_active: true });
    expect(otherNumbers).toEqual([]);
    expect((await dataOf(child, '/v1/caller-ids'))[0]).toMatchObject({
      phone_number: '+14155550194',
      status: 'VERIFIED',
    });
    const [call, ...otherCalls] = await dataOf(child, '/v1/calls');
    expect(call).toMatchObject({ status: 'COMPLETED', has_recording: true, has_transcript: true });
    expect(otherCalls).toEqual([]);
  });

  it('default has no enterprise', async () => {
    expect((await dataOf(client, '/v1/account')).footprint.own_brand_enterprise).toBe(false);
  });

  it("date every record relative to the world's start", async () => {
    const days = 100;
    const shift = (text: string): string =>
      text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) => new Date(Date.parse(at) + days * 86_400_000).toISOString());
    const start = new Date(Date.parse(START) + days * 86_400_000).toISOString();
    await withSandbox({ start }, async (own) => {
      for (const path of ['/v1/calls', '/v1/agents', '/v1/caller-ids', '/v1/phone-numbers']) {
        const [here, there] = [await inWorld('dated').get(path), await inWorld('dated', own).get(path)];
        expect(there.text.replaceAll(own.url, ''), path).toBe(shift(here.text.replaceAll(sandbox.url, '')));
      }
    });
  });

  it('sign webhooks with sandbox_signing_secret', async () => {
    const client = inWorld('signed');
    const body = { webhook_url: `${receiver.url}/signed`, event_type: 'number_purchased' };
    expect((await client.post('/api/v1/webhook_subscriptions', body)).status).toBe(201);
    await client.post('/_sandbox/events', { event_type: 'number_purchased' });
    await sandbox.world('signed').clock.untilIdle();
    const [delivery] = receiver.got;
    const header = delivery?.headers['x-service-signature-256'] as string;
    expect(verifySignature(delivery?.raw as Buffer, header, 'sandbox_signing_secret')).toBe(true);
    expect(verifySignature(delivery?.raw as Buffer, header, 'another secret')).toBe(false);
  });
});
