// Reading messages, the magic numbers for texts, and texting from start to finish: the row of `interface.md` section 9
// for /v1/sms, and the numbers of section 3.
import { describe, expect, it } from 'vitest';
import { destinationFor } from '../../src/index.ts';
import { dataOf } from '../support/caller-trust.ts';
import { type Answer, clientOf, expectError, NOWHERE, playing } from '../support/client.ts';
import { useSandboxAndReceiver } from '../support/listening.ts';
import {
  activeNumber,
  CAMPAIGNS,
  MESSAGES,
  NUMBERS,
  registerBrand,
  registerCampaign,
  SOMEONE,
  text,
} from '../support/texting.ts';
import { subscribe } from '../support/webhooks.ts';
import { pagesOf } from '../support/world.ts';
import { expectNotReady, INBOUND, listMessages, readMessage, received, SMS_EVENTS, send } from './setup.ts';

const { sandbox, client, receiver } = useSandboxAndReceiver({ clock: 'manual', rateLimit: 'off' });

describe('the magic numbers for texts', () => {
  it('play SMS scenarios, and the ones for calls are ordinary numbers', async () => {
    for (const [name, status] of [
      ['sms_delivered', 'delivered'],
      ['sms_failed', 'failed'],
      ['sms_reply', 'delivered'],
    ] as const) {
      const answer = await text(client, { to_number: destinationFor(name, '808') });
      expect(answer.headers['x-sandbox-scenario']).toBe(name);
      await sandbox.clock.untilIdle();
      expect((await readMessage(client, dataOf(answer, 202).id)).status).toBe(status);
    }
    expect((await listMessages(client)).filter(({ direction }) => direction === 'inbound')).toHaveLength(1);
    const ordinary = await text(client, { to_number: destinationFor('busy') });
    expect(ordinary.headers['x-sandbox-scenario']).toBe('sms_delivered');
  });
});

describe('the list of messages', () => {
  it('has both directions, newest first, with the meta of calls, and is paged', async () => {
    await send(client, { body: 'One' });
    dataOf(await client.post(INBOUND, { body: 'Two' }), 201);
    await send(client, { body: 'Three' });
    const { data, meta } = (await client.get(MESSAGES)).body;
    expect(data.map(({ body }: Answer['body']) => body)).toEqual(['Three', 'Two', 'One']);
    expect(meta).toEqual({ cursor: null, total_results: 3, page_size: 25 });
    expect((await pagesOf(client, MESSAGES, 2)).flatMap((page) => page.data)).toEqual(data);
  });

  it.each(['page_size=0', 'page_size=101', 'cursor=x', 'direction=inbound'])('returns 400 for %s', async (query) => {
    const answer = await client.get(`${MESSAGES}?${query}`);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([query.split('=')[0]]);
  });

  it('of the world demo has a conversation, a failed message, and stable contact tokens', async () => {
    const demo = clientOf(sandbox.url, 'svc_sandbox_demo');
    const past = await listMessages(demo);
    expect(past.map(({ direction, status }) => `${direction} ${status}`)).toEqual([
      'outbound failed',
      'outbound delivered',
      'inbound received',
      'outbound delivered',
    ]);
    expect(await readMessage(demo, past[0].id)).toEqual(past[0]);
    const [, , answered, asked] = past;
    expect(answered.contact_token).toBe(asked.contact_token);
    const { contact_token } = await send(demo, { to_number: asked.phone_number });
    expect(contact_token).toBe(asked.contact_token);
    await sandbox.world('demo').reset();
  });

  it('is empty in a new world default', async () => {
    expect((await client.get(MESSAGES)).body).toEqual({
      data: [],
      meta: { cursor: null, total_results: 0, page_size: 25 },
    });
  });

  it.each(['x', NOWHERE, 'send'])('has no message with the id %s', async (id) => {
    expect([404, 405]).toContain((await client.get(`${MESSAGES}/${id}`)).status);
  });
});

describe('texting from start to finish', () => {
  it('leads from ordering and registering a number to a delivered text with a reply', async () => {
    const all = ['number_purchased', 'texting_registration_status_changed', ...SMS_EVENTS];
    for (const type of all) await subscribe(client, `${receiver.url}/${type}`, type);

    const number = await activeNumber(client, sandbox);
    const from_number = number.phone_number;
    expect(number.texting_status).toBe('none');
    expectNotReady(await text(client, { from_number }), 'a2p_registration_required', 'none');

    const brand = dataOf(await registerBrand(client), 201);
    expectError(await registerCampaign(client, { phone_numbers: [from_number] }), 409, 'conflict');
    await sandbox.clock.advance('60s');
    const campaign = dataOf(await registerCampaign(client, { phone_numbers: [from_number] }), 201);
    expectNotReady(await text(client, { from_number }), 'a2p_registration_pending', 'pending');
    await sandbox.clock.advance('60s');
    expect(dataOf(await client.get(`${NUMBERS}/${number.id}`))).toMatchObject({
      texting_enabled: true,
      texting_status: 'approved',
    });

    const { id } = await send(client, { from_number }, playing('sms_reply'));
    await sandbox.clock.untilIdle();
    const [reply, delivered] = await listMessages(client);
    expect(delivered).toMatchObject({ id, status: 'delivered', from_number });
    expect(reply).toMatchObject({ direction: 'inbound', phone_number: from_number, from_number: SOMEONE });

    expect(received(receiver).map(([type]) => type)).toEqual([
      'number_purchased',
      'texting_registration_status_changed',
      'texting_registration_status_changed',
      'sms_sent',
      'sms_delivered',
      'contact_replied',
    ]);
    expect(received(receiver).slice(1, 3)).toEqual(
      [
        [{ id: brand.id, type: 'brand' }, []],
        [{ id: campaign.id, type: 'campaign' }, [from_number]],
      ].map(([registration, texting_enabled_numbers]) => [
        'texting_registration_status_changed',
        { registration, status: 'approved', reasons: [], texting_enabled_numbers },
      ]),
    );
    expect(dataOf(await client.get(CAMPAIGNS))).toHaveLength(1);
  });
});
