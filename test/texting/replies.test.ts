// Texts to the organization: contact_replied of `spec.md` "Events", the scenario sms_reply of `interface.md` section 3,
// and POST /_sandbox/simulate/inbound-sms of section 5.
import { describe, expect, it } from 'vitest';
import { dataOf } from '../support/caller-trust.ts';
import { expectError, FROM, NOWHERE, playing } from '../support/client.ts';
import { useSandboxAndReceiver } from '../support/listening.ts';
import { MESSAGES, NUMBERS, SOMEONE, text } from '../support/texting.ts';
import { JSON_TYPE, wireTo } from '../support/wire.ts';
import { childOf, instant } from '../support/world.ts';
import {
  eventOf,
  INBOUND,
  listMessages,
  PROVISIONING,
  readMessage,
  received,
  SECOND,
  send,
  subscribeAll,
  UNREGISTERED,
} from './setup.ts';

const { sandbox, client, receiver } = useSandboxAndReceiver({ clock: 'manual', rateLimit: 'off' });

describe('a reply', () => {
  it('arrives 3 to 10 seconds after delivery with the scenario sms_reply, as contact_replied', async () => {
    await subscribeAll(client, receiver);
    const message = await send(client, { from_number: SECOND }, playing('sms_reply'));
    await sandbox.clock.untilIdle();
    const [reply, original] = await listMessages(client);
    expect(original).toMatchObject({ id: message.id, status: 'delivered' });
    expect(reply).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      phone_number: SECOND,
      from_number: SOMEONE,
      direction: 'inbound',
      status: 'received',
      contact_token: message.contact_token,
      provider_id: expect.stringMatching(/^prv_/),
      error_message: null,
      channel: 'sms',
      created_at: expect.any(String),
      body: 'Yes, that works for me.',
      encoding: 'GSM-7',
      segments: 1,
    });
    expect(received(receiver).map(([type]) => type)).toEqual(['sms_sent', 'sms_delivered', 'contact_replied']);
    expect(received(receiver).at(-1)?.[1]).toEqual(eventOf(reply));
    const delivered = (await sandbox.events()).find(({ event_type }) => event_type === 'sms_delivered');
    const waited = Date.parse(reply.created_at) - Date.parse(delivered?.created_at as string);
    expect(waited).toBeGreaterThanOrEqual(3000);
    expect(waited).toBeLessThanOrEqual(10_000);
  });

  it('does not arrive if the number is released in the meantime', async () => {
    await subscribeAll(client, receiver);
    await send(client, {}, playing('sms_reply;reply=5m'));
    await sandbox.clock.advance('10s');
    dataOf(await client.delete(`${NUMBERS}/4190`));
    await sandbox.clock.untilIdle();
    expect((await listMessages(client)).map(({ direction, status }) => [direction, status])).toEqual([
      ['outbound', 'delivered'],
    ]);
    expect(received(receiver).map(([type]) => type)).toEqual(['sms_sent', 'sms_delivered']);
  });

  it('has the scenario step as its cause', async () => {
    await send(client, {}, playing('sms_reply'));
    const { steps } = await sandbox.clock.untilIdle();
    const creation = steps.find(({ trigger }) => trigger === 'create');
    expect(steps.find(({ id }) => id === creation?.cause)?.trigger).toBe('reply');
  });

  it('has the text and the delay that the scenario parameters set', async () => {
    await send(client, {}, playing('sms_reply;send=1s;deliver=1s;reply=5m;text=No, thank you.'));
    await sandbox.clock.advance('301s');
    expect(await listMessages(client)).toHaveLength(1);
    await sandbox.clock.advance('1s');
    expect((await listMessages(client))[0]).toMatchObject({ body: 'No, thank you.', created_at: instant(302_000) });
  });

  it.each([
    ['in UTF-8, as curl sends it', '¡Sí! 😀', 'utf8', 'UCS-2'],
    ['in Latin-1, as fetch sends it', '¡Sí, señor!', 'latin1', 'UCS-2'],
    ['in Latin-1, within GSM 03.38', 'Ärger', 'latin1', 'GSM-7'],
  ] as const)('has the text of the header %s', async (_, body, bytes, encoding) => {
    const wire = wireTo(sandbox.url);
    // Each character of a header becomes one byte, so these characters are the bytes of the encoding.
    const header = Buffer.from(`sms_reply;text=${body}`, bytes).toString('latin1');
    const answer = await wire.send({
      method: 'POST',
      path: `${MESSAGES}/send`,
      headers: { ...JSON_TYPE, ...playing(header) },
      body: Buffer.from(JSON.stringify({ to_number: SOMEONE, body: '¿Viene?' })),
    });
    wire.close();
    dataOf(answer, 202);
    await sandbox.clock.untilIdle();
    expect((await listMessages(client))[0]).toMatchObject({ body, encoding });
  });

  it.each([
    ['text=', '"text=" is not a parameter with a value; write name;parameter=value'],
    ['text', '"text" is not a parameter with a value; write name;parameter=value'],
    [`text=${'y'.repeat(201)}`, 'the value of text has 201 characters; the limit is 200'],
  ])('explains a malformed text parameter in the 400 (case %#)', async (parameter, problem) => {
    const answer = await text(client, {}, playing(`sms_reply;${parameter}`));
    expectError(answer, 400, 'validation_error');
    expect(answer.body.error.fields).toEqual({ 'X-Sandbox-Scenario': problem });
  });

  it('can be simulated in reply to a message', async () => {
    await subscribeAll(client, receiver);
    const { id, contact_token } = await send(client, { from_number: SECOND });
    await sandbox.clock.advance('5s');
    const answer = await client.post(INBOUND, { in_reply_to: id, body: 'Who is this?' });
    const reply = dataOf(answer, 201);
    expect(reply).toMatchObject({ direction: 'inbound', from_number: SOMEONE, phone_number: SECOND, contact_token });
    expect(await readMessage(client, reply.id)).toEqual(reply);
    await sandbox.clock.advance('0s');
    expect(received(receiver).at(-1)).toEqual(['contact_replied', eventOf(reply)]);
  });

  it('can be simulated with an empty body', async () => {
    const reply = dataOf(await client.post(INBOUND, {}), 201);
    expect(reply).toMatchObject({ phone_number: FROM, direction: 'inbound', status: 'received' });
    expect(reply.from_number).toMatch(/^\+141555501[78]\d$/);
    expect(await listMessages(client)).toEqual([reply]);
  });

  it('to the number of a child belongs to the child only', async () => {
    const child = await childOf(sandbox.url, client);
    const answer = await client.post(INBOUND, { to_number: '+14155550194' });
    const { id } = dataOf(answer, 201);
    expect((await listMessages(child)).map((each) => each.id)).toEqual([id]);
    expect(await listMessages(client)).toEqual([]);
    expectError(await client.get(`${MESSAGES}/${id}`), 404, 'not_found');
  });

  it.each([
    [{ to_number: '4155550190' }, 400, 'to_number'],
    [{ from_number: 'x' }, 400, 'from_number'],
    [{ body: '' }, 400, 'body'],
    [{ body: 'x'.repeat(1601) }, 400, 'body'],
    [{ in_reply_to: 'nope' }, 400, 'in_reply_to'],
    [{ txet: 'x' }, 400, 'txet'],
    [{ in_reply_to: NOWHERE }, 404, 'in_reply_to'],
    [{ to_number: SOMEONE }, 404, 'to_number'],
  ] as const)(
    'returns an error that names the field for an invalid body, and creates nothing (case %#)',
    async (body, status, field) => {
      const answer = await client.post(INBOUND, body);
      expect(answer.status, answer.text).toBe(status);
      expect(Object.keys(answer.body.error.fields)).toEqual([field]);
      expect(await listMessages(client)).toEqual([]);
    },
  );

  it.each([PROVISIONING, UNREGISTERED])(
    'to %s, which cannot text, returns 409 that names its state',
    async (to_number) => {
      const answer = await client.post(INBOUND, { to_number });
      expectError(answer, 409, 'conflict');
      expect(answer.body.error.message).toContain('none');
    },
  );

  it('by the key of a sub-entity reaches a number of that sub-entity, and is 409 if it has none', async () => {
    const child = await childOf(sandbox.url, client);
    expect((await dataOf(await child.post(INBOUND, {}), 201)).phone_number).toBe('+14155550194');
    const [{ id }] = await dataOf(await child.get(NUMBERS));
    await child.delete(`${NUMBERS}/${id}`);
    const answer = await child.post(INBOUND, {});
    expectError(answer, 409, 'conflict');
    expect(answer.body.error.message).toMatch(/^No number of the sub-entity ".+" receives texts/);
    expect(answer.body.error.resolution_hint).toContain('to_number');
  });

  it('returns 409 if no number can text', async () => {
    for (const id of [4190, 4191]) dataOf(await client.delete(`${NUMBERS}/${id}`));
    expectError(await client.post(INBOUND, {}), 409, 'conflict');
  });
});
