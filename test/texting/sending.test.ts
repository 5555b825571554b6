// Sending texts: the SMS events of `spec.md` "Events", the row of `interface.md` section 9 for /v1/sms, and the `sms`
// scenarios of section 3.
import { describe, expect, it } from 'vitest';
import { dataOf } from '../support/caller-trust.ts';
import { clientOf, expectError, FROM, playing } from '../support/client.ts';
import { useSandboxAndReceiver } from '../support/listening.ts';
import { NUMBERS, SOMEONE, text } from '../support/texting.ts';
import { START } from '../support/world.ts';
import { eventOf, INBOUND, listMessages, readMessage, received, SECOND, send, subscribeAll } from './setup.ts';

const { sandbox, client, receiver } = useSandboxAndReceiver({ clock: 'manual', rateLimit: 'off' });

describe('sending a message', () => {
  it('returns 202 with the fields of the SMS event and the body, accepted but not yet sent', async () => {
    const message = await send(client, { from_number: SECOND });
    expect(message).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      phone_number: SOMEONE,
      from_number: SECOND,
      direction: 'outbound',
      status: 'accepted',
      contact_token: expect.stringMatching(/^ctk_[0-9a-f]{24}$/),
      provider_id: null,
      error_message: null,
      channel: 'sms',
      created_at: START,
      body: 'Your appointment is tomorrow at ten.',
      encoding: 'GSM-7',
      segments: 1,
    });
    expect(await readMessage(client, message.id)).toEqual(message);
  });

  it('uses the oldest number that may send if from_number is absent', async () => {
    expect((await send(client)).from_number).toBe(FROM);
    expect((await send(client, { from_number: null })).from_number).toBe(FROM);
    dataOf(await client.delete(`${NUMBERS}/4190`));
    expect((await send(client)).from_number).toBe(SECOND);
  });

  it('sends within a second, delivers 1 to 4 seconds later, and the receiver gets both events', async () => {
    await subscribeAll(client, receiver);
    const message = await send(client);
    const { steps } = await sandbox.clock.advance('5s');
    expect(steps.map(({ to }) => to)).toEqual(['sent', 'delivered']);
    const [first = 0, second = 0] = steps.map(({ at }) => Date.parse(at) - Date.parse(START));
    expect(first).toBeGreaterThanOrEqual(200);
    expect(first).toBeLessThanOrEqual(1000);
    expect(second - first).toBeGreaterThanOrEqual(1000);
    expect(second - first).toBeLessThanOrEqual(4000);
    const delivered = await readMessage(client, message.id);
    expect(delivered).toEqual({
      ...message,
      status: 'delivered',
      provider_id: expect.stringMatching(/^prv_[0-9a-f]{24}$/),
    });
    expect(received(receiver)).toEqual([
      ['sms_sent', { ...eventOf(delivered), status: 'sent' }],
      ['sms_delivered', eventOf(delivered)],
    ]);
  });

  it('fails with the scenario sms_failed, and the receiver gets sms_failed with the reason', async () => {
    await subscribeAll(client, receiver);
    const { id } = await send(client, {}, playing('sms_failed'));
    await sandbox.clock.advance('5s');
    const failed = await readMessage(client, id);
    expect(failed).toMatchObject({ status: 'failed', error_message: 'The handset could not be reached.' });
    expect(received(receiver)).toEqual([
      ['sms_sent', { ...eventOf(failed), status: 'sent', error_message: null }],
      ['sms_failed', eventOf(failed)],
    ]);
  });

  it('can fail without being sent, through a custom scenario: sms_failed without sms_sent', async () => {
    const yaml = 'kind: sms\nsummary: Refused.\ntimeline:\n  - { after: 1s, trigger: fail }\n';
    dataOf(await client.put('/_sandbox/scenarios/sms_refused', yaml, { 'Content-Type': 'application/yaml' }), 201);
    await subscribeAll(client, receiver);
    const { id } = await send(client, {}, playing('sms_refused'));
    await sandbox.clock.advance('1s');
    expect(await readMessage(client, id)).toMatchObject({
      status: 'failed',
      provider_id: null,
      error_message: expect.any(String),
    });
    expect(received(receiver).map(([type]) => type)).toEqual(['sms_failed']);
    await client.delete('/_sandbox/scenarios/sms_refused');
  });

  it('is undelivered with the scenario sms_undelivered, and the receiver gets sms_failed with that status', async () => {
    await subscribeAll(client, receiver);
    const { id } = await send(client, {}, playing('sms_undelivered;undeliver=6s;error=Landline'));
    await sandbox.clock.advance('2s');
    expect(await readMessage(client, id)).toMatchObject({ status: 'sent', error_message: null });
    await sandbox.clock.advance('5s');
    const undelivered = await readMessage(client, id);
    expect(undelivered).toMatchObject({ status: 'undelivered', error_message: 'Landline' });
    expect(received(receiver)).toEqual([
      ['sms_sent', { ...eventOf(undelivered), status: 'sent', error_message: null }],
      ['sms_failed', eventOf(undelivered)],
    ]);
  });

  it('can be undelivered after it was sent, through a custom scenario: sms_failed with that status', async () => {
    const yaml = `kind: sms\nsummary: Undelivered.\ntimeline:
  - { after: 1s, trigger: send }
  - { after: 1s, trigger: undeliver, with: { error_message: Landline } }\n`;
    dataOf(await client.put('/_sandbox/scenarios/sms_landline', yaml, { 'Content-Type': 'application/yaml' }), 201);
    await subscribeAll(client, receiver);
    const { id } = await send(client, {}, playing('sms_landline'));
    await sandbox.clock.advance('2s');
    const undelivered = await readMessage(client, id);
    expect(undelivered).toMatchObject({ status: 'undelivered', error_message: 'Landline' });
    expect(received(receiver).at(-1)).toEqual(['sms_failed', eventOf(undelivered)]);
    await client.delete('/_sandbox/scenarios/sms_landline');
  });

  it('is delivered before the next request on an instant clock', async () => {
    const world = sandbox.world('at-once');
    const by = clientOf(sandbox.url, world.apiKey);
    dataOf(await by.put('/_sandbox/clock', { mode: 'instant' }));
    const { id, status } = await send(by);
    expect(status).toBe('accepted');
    expect((await readMessage(by, id)).status).toBe('delivered');
  });

  it('gives each contact one token, in both directions', async () => {
    const first = await send(client, { to_number: '+12125550148' });
    const second = await send(client, { to_number: '+12125550148', from_number: SECOND });
    const other = await send(client, { to_number: '+12125550149' });
    const answer = await client.post(INBOUND, { from_number: '+12125550148' });
    expect(second.contact_token).toBe(first.contact_token);
    expect(dataOf(answer, 201).contact_token).toBe(first.contact_token);
    expect(other.contact_token).not.toBe(first.contact_token);
  });

  it.each([
    [{ to_number: undefined }, 'to_number'],
    [{ to_number: null }, 'to_number'],
    [{ to_number: '' }, 'to_number'],
    [{ to_number: '2125550147' }, 'to_number'],
    [{ to_number: 12125550147 }, 'to_number'],
    [{ to_number: '+1911' }, 'to_number'],
    [{ to_number: '+19995550147'.slice(0, 8) }, 'to_number'],
    [{ body: undefined }, 'body'],
    [{ body: '' }, 'body'],
    [{ body: ' \n ' }, 'body'],
    [{ body: 'x'.repeat(1601) }, 'body'],
    [{ body: 7 }, 'body'],
    [{ from_number: 'front desk' }, 'from_number'],
    [{ from_number: '' }, 'from_number'],
  ])('returns 400 for an invalid field and sends nothing (case %#)', async (more, field) => {
    const answer = await text(client, more);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect(await listMessages(client)).toEqual([]);
  });

  it('returns 400 for an unassignable recipient before it uses up a scenario', async () => {
    await client.put('/_sandbox/active-scenarios/sms', { use: ['sms_failed'] });
    expectError(await text(client, { to_number: '+19115550147' }), 400, 'validation_error');
    expectError(await text(client, { to_number: '+19115550147' }, playing('texting_pending')), 400, 'validation_error');
    expect(dataOf(await client.get('/_sandbox/active-scenarios/sms')).use).toEqual(['sms_failed']);
  });

  it('accepts 1600 characters and unknown fields', async () => {
    const body = 'é'.repeat(1600);
    expect((await send(client, { body, media_urls: [] })).body).toBe(body);
  });
});
