// Events fired through the control API: `POST /_sandbox/events` (`interface.md` section 5).
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/client.ts';
import { useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { fire, freshWorld, subscribe } from '../support/webhooks.ts';
import { hook, UNLIMITED } from './setup.ts';

const { sandbox } = useSandbox(UNLIMITED);
const newReceiver = useReceivers();

describe('a fired event', () => {
  it('is about the newest matching record, or the one that data.id names', async () => {
    const { client, world } = freshWorld(sandbox);
    const older = await client.call('+12125550101');
    const newer = await client.call('+12125550101');
    const answered = await client.call('+12125550100');
    await world.clock.untilIdle();
    expect(await fire(client, 'call_busy')).toMatchObject({
      subject: { table: 'calls', id: newer },
      payload: { id: newer, status: 'BUSY', failure_code: 'busy' },
    });
    expect((await fire(client, 'call_busy', { id: older })).payload.id).toBe(older);
    expect((await fire(client, 'new_call')).payload.id).toBe(answered);
  });

  it.each([
    ['call_busy', '00000000-0000-4000-8000-0000000000aa', 404, 'not_found'],
    ['number_purchased', 4242, 404, 'not_found'],
    ['contact_created', '00000000-0000-4000-8000-0000000000aa', 404, 'not_found'],
    ['call_busy', 'nobody', 404, 'not_found'],
    ['call_busy', null, 400, 'validation_error'],
    ['number_purchased', {}, 400, 'validation_error'],
  ])('is not sent for %s about the id %j, which is rejected with %i', async (event_type, id, status, code) => {
    const { client, world } = freshWorld(sandbox);
    await client.call('+12125550101');
    await world.clock.untilIdle();
    const emitted = (await world.events()).length;
    const answer = await client.post('/_sandbox/events', { event_type, data: { id } });
    expectError(answer, status, code);
    expect(Object.keys(answer.body.error.fields)).toEqual(['data.id']);
    expect(await world.events()).toHaveLength(emitted);
  });

  it('is about the named message; an unknown one is rejected with 404', async () => {
    const { client, world } = freshWorld(sandbox);
    const sent = await client.post('/v1/sms/send', { to_number: '+12125550147', body: 'Hello' });
    const { id } = sent.body.data;
    await world.clock.untilIdle();
    // It is delivered by now, and shown as it was when it was sent.
    expect(await fire(client, 'sms_sent', { id })).toMatchObject({
      subject: { table: 'messages', id },
      payload: { id, phone_number: '+12125550147', status: 'sent' },
    });
    const unknown = { event_type: 'sms_sent', data: { id: '00000000-0000-4000-8000-0000000000aa' } };
    expectError(await client.post('/_sandbox/events', unknown), 404, 'not_found');
  });

  it('is sent with the fields of data', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    await subscribe(client, hook(receiver), 'sms_failed', 'number_released');
    await fire(client, 'sms_failed', { error_message: 'Landline', status: 'undelivered' });
    await fire(client, 'number_released', { phone_number: '+12125550151', area_code: '212' });
    await world.clock.advance('0s');
    const bodies = receiver.got.map(({ body }) => body);
    const message = bodies.find(({ channel }) => channel === 'sms');
    const number = bodies.find(({ triggerEvent }) => triggerEvent);
    expect(message).toMatchObject({ error_message: 'Landline', status: 'undelivered' });
    expect(number.payload).toMatchObject({ phone_number: '+12125550151', area_code: '212', status: 'RELEASED' });
  });

  it.each([
    ['call_busy', { to_numbr: '+12125550101' }, 'data.to_numbr'],
    ['number_purchased', { triggerEvent: 'number.released' }, 'data.triggerEvent'],
    ['call_busy', { duration_seconds: 'long' }, 'data.duration_seconds'],
    ['call_busy', { status: 'SINGING' }, 'data.status'],
    ['nonsense', {}, 'event_type'],
  ])('is not sent for %s with invalid data, which is rejected (case %#)', async (event_type, data, field) => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    await subscribe(client, hook(receiver), 'call_busy', 'number_purchased');
    const answer = await client.post('/_sandbox/events', { event_type, data });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    await world.clock.advance('0s');
    expect(receiver.got).toEqual([]);
  });
});
