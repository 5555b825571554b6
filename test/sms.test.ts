// SMS: `spec.md` "Texting not ready", the SMS events under "Events", the row of `interface.md` section 9 for /v1/sms, the
// `sms` scenarios and numbers of section 3, and POST /_sandbox/simulate/inbound-sms of section 5.
import { describe, expect, it } from 'vitest';
import { destinationFor, type Sandbox } from '../src/index.ts';
import { dataOf, playing } from './support/caller-trust.ts';
import { type Answer, type Client, clientOf, expectError, FROM } from './support/client.ts';
import { listening } from './support/listening.ts';
import type { Receiver } from './support/receiver.ts';
import {
  activeNumber,
  approveBrand,
  CAMPAIGNS,
  MESSAGES,
  NUMBERS,
  registerBrand,
  registerCampaign,
  SOMEONE,
  text,
} from './support/texting.ts';
import { subscribe } from './support/webhooks.ts';
import { JSON_TYPE, wireTo } from './support/wire.ts';
import { childOf, instant, pagesOf, START } from './support/world.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const SECOND = '+14155550191';
const PROVISIONING = '+14155550192';
const UNREGISTERED = '+14155550193';
const SMS_EVENTS = ['sms_sent', 'sms_delivered', 'sms_failed', 'contact_replied'] as const;

let sandbox: Sandbox;
let client: Client;
let receiver: Receiver;

listening({ clock: 'manual', rateLimit: 'off' }, (made) => {
  ({ sandbox, client, receiver } = made);
});

const sent = async (more: object = {}, headers = {}, by: Client = client): Promise<Answer['body']> =>
  dataOf(await text(by, more, headers), 202);
const read = async (id: string, by: Client = client): Promise<Answer['body']> =>
  dataOf(await by.get(`${MESSAGES}/${id}`));
const messages = async (by: Client = client): Promise<Answer['body'][]> => dataOf(await by.get(MESSAGES));
/** The fields of an SMS event: those of the message, but what it says and how that is split. */
const eventOf = ({ body: _, encoding: _e, segments: _s, ...fields }: Answer['body']): object => fields;
/** What receivers were sent, each as the event type by the path of its subscription, and its body. */
const received = (): [string, Answer['body']][] => receiver.got.map(({ path, body }) => [path.slice(1), body]);

async function subscribeAll(by: Client = client): Promise<void> {
  for (const type of SMS_EVENTS) await subscribe(by, `${receiver.url}/${type}`, type);
}

function expectNotReady(answer: Answer, reason: string, registration_status: string): void {
  expectError(answer, 403, 'texting_not_ready');
  expect(answer.body.error.fields).toEqual({ reason, registration_status });
  expect(answer.body.error).not.toHaveProperty('category');
}

describe('sending a message', () => {
  it('answers 202 with the fields of the SMS event and the text, accepted and not sent yet', async () => {
    const message = await sent({ from_number: SECOND });
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
    expect(await read(message.id)).toEqual(message);
  });

  it('goes out from the oldest number that may send where none is named', async () => {
    expect((await sent()).from_number).toBe(FROM);
    expect((await sent({ from_number: null })).from_number).toBe(FROM);
    dataOf(await client.delete(`${NUMBERS}/4190`));
    expect((await sent()).from_number).toBe(SECOND);
  });

  it('is sent within a second, delivered 1 to 4 seconds later, and a receiver hears of both', async () => {
    await subscribeAll();
    const message = await sent();
    const { steps } = await sandbox.clock.advance('5s');
    expect(steps.map(({ to }) => to)).toEqual(['sent', 'delivered']);
    const [first = 0, second = 0] = steps.map(({ at }) => Date.parse(at) - Date.parse(START));
    expect(first).toBeGreaterThanOrEqual(200);
    expect(first).toBeLessThanOrEqual(1000);
    expect(second - first).toBeGreaterThanOrEqual(1000);
    expect(second - first).toBeLessThanOrEqual(4000);
    const delivered = await read(message.id);
    expect(delivered).toEqual({
      ...message,
      status: 'delivered',
      provider_id: expect.stringMatching(/^prv_[0-9a-f]{24}$/),
    });
    expect(received()).toEqual([
      ['sms_sent', { ...eventOf(delivered), status: 'sent' }],
      ['sms_delivered', eventOf(delivered)],
    ]);
  });

  it('fails where the scenario is sms_failed, and a receiver hears sms_failed with the reason', async () => {
    await subscribeAll();
    const { id } = await sent({}, playing('sms_failed'));
    await sandbox.clock.advance('5s');
    const failed = await read(id);
    expect(failed).toMatchObject({ status: 'failed', error_message: 'The handset could not be reached.' });
    expect(received()).toEqual([
      ['sms_sent', { ...eventOf(failed), status: 'sent', error_message: null }],
      ['sms_failed', eventOf(failed)],
    ]);
  });

  it('can be refused by the carrier at once, by a scenario of our own: sms_failed without sms_sent', async () => {
    const yaml = 'kind: sms\nsummary: Refused.\ntimeline:\n  - { after: 1s, trigger: fail }\n';
    dataOf(await client.put('/_sandbox/scenarios/sms_refused', yaml, { 'Content-Type': 'application/yaml' }), 201);
    await subscribeAll();
    const { id } = await sent({}, playing('sms_refused'));
    await sandbox.clock.advance('1s');
    expect(await read(id)).toMatchObject({ status: 'failed', provider_id: null, error_message: expect.any(String) });
    expect(received().map(([type]) => type)).toEqual(['sms_failed']);
    await client.delete('/_sandbox/scenarios/sms_refused');
  });

  it('can be undelivered after it was sent, by a scenario of our own: sms_failed with that status', async () => {
    const yaml = `kind: sms\nsummary: Undelivered.\ntimeline:
  - { after: 1s, trigger: send }
  - { after: 1s, trigger: undeliver, with: { error_message: Landline } }\n`;
    dataOf(await client.put('/_sandbox/scenarios/sms_landline', yaml, { 'Content-Type': 'application/yaml' }), 201);
    await subscribeAll();
    const { id } = await sent({}, playing('sms_landline'));
    await sandbox.clock.advance('2s');
    const undelivered = await read(id);
    expect(undelivered).toMatchObject({ status: 'undelivered', error_message: 'Landline' });
    expect(received().at(-1)).toEqual(['sms_failed', eventOf(undelivered)]);
    await client.delete('/_sandbox/scenarios/sms_landline');
  });

  it('has been delivered when the answer leaves, on an instant clock', async () => {
    const world = sandbox.world('at-once');
    const by = clientOf(sandbox.url, world.apiKey);
    dataOf(await by.put('/_sandbox/clock', { mode: 'instant' }));
    const { id, status } = await sent({}, {}, by);
    expect(status).toBe('accepted');
    expect((await read(id, by)).status).toBe('delivered');
  });

  it('gives one contact one token, in both directions, and another contact another', async () => {
    const first = await sent({ to_number: '+12125550148' });
    const second = await sent({ to_number: '+12125550148', from_number: SECOND });
    const other = await sent({ to_number: '+12125550149' });
    const answer = await client.post('/_sandbox/simulate/inbound-sms', { from_number: '+12125550148' });
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
  ])('with the invalid field of case %# is 400 about that field, and sends nothing', async (more, field) => {
    const answer = await text(client, more);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect(await messages()).toEqual([]);
  });

  it('to a number that is nobody’s is refused before a scenario is chosen, and consumes none', async () => {
    await client.put('/_sandbox/active-scenarios/sms', { use: ['sms_failed'] });
    expectError(await text(client, { to_number: '+19115550147' }), 400, 'validation_error');
    expectError(await text(client, { to_number: '+19115550147' }, playing('texting_pending')), 400, 'validation_error');
    expect(dataOf(await client.get('/_sandbox/active-scenarios/sms')).use).toEqual(['sms_failed']);
  });

  it('takes 1600 characters, and fields that it does not know', async () => {
    const body = 'é'.repeat(1600);
    expect((await sent({ body, media_urls: [] })).body).toBe(body);
  });
});

describe('texting that is not ready', () => {
  it.each([
    ['texting_not_ready', 'a2p_registration_required', 'none'],
    ['texting_pending', 'a2p_registration_pending', 'pending'],
    ['texting_rejected', 'a2p_registration_rejected', 'rejected'],
    ['texting_no_sender', 'no_sender', 'none'],
  ] as const)('by the scenario %s is 403 with %s and %s, by header and by number', async (name, reason, status) => {
    expectNotReady(await text(client, {}, playing(name)), reason, status);
    expectNotReady(await text(client, { to_number: destinationFor(name, '307') }), reason, status);
    expect(await messages()).toEqual([]);
  });

  it('by the number itself, without any registration, is a2p_registration_required', async () => {
    expectNotReady(await text(client, { from_number: UNREGISTERED }), 'a2p_registration_required', 'none');
    expectNotReady(await text(client, { from_number: PROVISIONING }), 'a2p_registration_required', 'none');
  });

  it('by the number itself, waiting for its campaign, is a2p_registration_pending until the event', async () => {
    await approveBrand(client, sandbox);
    dataOf(await registerCampaign(client, { phone_numbers: [UNREGISTERED] }), 201);
    await sandbox.clock.advance('59999ms');
    expectNotReady(await text(client, { from_number: UNREGISTERED }), 'a2p_registration_pending', 'pending');
    await sandbox.clock.advance('1ms');
    const [event] = (await sandbox.events()).slice(-1);
    expect(event?.event_type).toBe('texting_registration_status_changed');
    expect((await sent({ from_number: UNREGISTERED })).from_number).toBe(UNREGISTERED);
  });

  it('by the number itself, its campaign rejected, is a2p_registration_rejected until it is registered anew', async () => {
    await approveBrand(client, sandbox);
    dataOf(await registerCampaign(client, { phone_numbers: [UNREGISTERED] }, playing('registration_rejected')), 201);
    await sandbox.clock.advance('60s');
    expectNotReady(await text(client, { from_number: UNREGISTERED }), 'a2p_registration_rejected', 'rejected');
    dataOf(await registerCampaign(client, { phone_numbers: [UNREGISTERED] }), 201);
    expectNotReady(await text(client, { from_number: UNREGISTERED }), 'a2p_registration_pending', 'pending');
  });

  it.each(['+12125550190', '+14155550194'])('from %s, which is not the organization’s, is no_sender', async (from) => {
    expectNotReady(await text(client, { from_number: from }), 'no_sender', 'none');
  });

  it('from a number that was released, or that is approved and not active, is no_sender', async () => {
    await approveBrand(client, sandbox);
    dataOf(await registerCampaign(client, { phone_numbers: [PROVISIONING] }), 201);
    await sandbox.clock.advance('60s');
    expectNotReady(await text(client, { from_number: PROVISIONING }), 'no_sender', 'none');
    dataOf(await client.delete(`${NUMBERS}/4190`));
    expectNotReady(await text(client, { from_number: FROM }), 'no_sender', 'none');
  });

  it('without a sender named says what is nearest to one that may send', async () => {
    for (const id of [4190, 4191]) dataOf(await client.delete(`${NUMBERS}/${id}`));
    expectNotReady(await text(client), 'a2p_registration_required', 'none');
    await approveBrand(client, sandbox);
    dataOf(await registerCampaign(client, { phone_numbers: [UNREGISTERED] }, playing('registration_rejected')), 201);
    expectNotReady(await text(client), 'a2p_registration_pending', 'pending');
    await sandbox.clock.advance('60s');
    expectNotReady(await text(client), 'a2p_registration_rejected', 'rejected');
    for (const id of [4192, 4193]) dataOf(await client.delete(`${NUMBERS}/${id}`));
    expectNotReady(await text(client), 'no_sender', 'none');
  });

  it('has a hint, no Retry-After, and nothing is sent', async () => {
    const answer = await text(client, { from_number: UNREGISTERED });
    expect(answer.body.error.resolution_hint).toBe(
      'Register a campaign with the number: POST /v1/brand/campaigns, which needs an approved brand.',
    );
    expect(answer.headers).not.toHaveProperty('retry-after');
    await sandbox.clock.untilIdle();
    expect(await messages()).toEqual([]);
    expect(await sandbox.events()).toEqual([]);
  });
});

describe('a reply', () => {
  it('comes by the scenario sms_reply, 3 to 10 seconds after the delivery, and a receiver hears contact_replied', async () => {
    await subscribeAll();
    const message = await sent({ from_number: SECOND }, playing('sms_reply'));
    await sandbox.clock.untilIdle();
    const [reply, original] = await messages();
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
    expect(received().map(([type]) => type)).toEqual(['sms_sent', 'sms_delivered', 'contact_replied']);
    expect(received().at(-1)?.[1]).toEqual(eventOf(reply));
    const delivered = (await sandbox.events()).find(({ event_type }) => event_type === 'sms_delivered');
    const waited = Date.parse(reply.created_at) - Date.parse(delivered?.created_at as string);
    expect(waited).toBeGreaterThanOrEqual(3000);
    expect(waited).toBeLessThanOrEqual(10_000);
  });

  it('does not come to a number that was released while it was on its way', async () => {
    await subscribeAll();
    await sent({}, playing('sms_reply;reply=5m'));
    await sandbox.clock.advance('10s');
    dataOf(await client.delete(`${NUMBERS}/4190`));
    await sandbox.clock.untilIdle();
    expect((await messages()).map(({ direction, status }) => [direction, status])).toEqual([['outbound', 'delivered']]);
    expect(received().map(([type]) => type)).toEqual(['sms_sent', 'sms_delivered']);
  });

  it('names the step of the scenario as what caused it', async () => {
    await sent({}, playing('sms_reply'));
    const { steps } = await sandbox.clock.untilIdle();
    const came = steps.find(({ trigger }) => trigger === 'create');
    expect(steps.find(({ id }) => id === came?.cause)?.trigger).toBe('reply');
  });

  it('says and waits what the scenario is given', async () => {
    await sent({}, playing('sms_reply;send=1s;deliver=1s;reply=5m;text=No, thank you.'));
    await sandbox.clock.advance('301s');
    expect(await messages()).toHaveLength(1);
    await sandbox.clock.advance('1s');
    expect((await messages())[0]).toMatchObject({ body: 'No, thank you.', created_at: instant(302_000) });
  });

  it.each([
    ['in UTF-8, as curl sends it', '¡Sí! 😀', 'utf8', 'UCS-2'],
    ['in Latin-1, as fetch sends it', '¡Sí, señor!', 'latin1', 'UCS-2'],
    ['in Latin-1 that GSM 03.38 has', 'Ärger', 'latin1', 'GSM-7'],
  ] as const)('says what the header says %s', async (_, spoken, form, encoding) => {
    const wire = wireTo(sandbox.url);
    // Of the header's characters, one becomes one byte: those of the form that is meant.
    const header = Buffer.from(`sms_reply;text=${spoken}`, form).toString('latin1');
    const answer = await wire.send({
      method: 'POST',
      path: `${MESSAGES}/send`,
      headers: { ...JSON_TYPE, ...playing(header) },
      body: Buffer.from(JSON.stringify({ to_number: SOMEONE, body: '¿Viene?' })),
    });
    wire.close();
    dataOf(answer, 202);
    await sandbox.clock.untilIdle();
    expect((await messages())[0]).toMatchObject({ body: spoken, encoding });
  });

  it.each([
    ['text=', '"text=" is not a parameter with a value; write name;parameter=value'],
    ['text', '"text" is not a parameter with a value; write name;parameter=value'],
    [`text=${'y'.repeat(201)}`, 'the value of text has 201 characters; the limit is 200'],
  ])('with a malformed text parameter is 400 that says what is wrong with it (case %#)', async (parameter, problem) => {
    const answer = await text(client, {}, playing(`sms_reply;${parameter}`));
    expectError(answer, 400, 'validation_error');
    expect(answer.body.error.fields).toEqual({ 'X-Sandbox-Scenario': problem });
  });

  it('comes by the simulate endpoint, to the message that it answers', async () => {
    await subscribeAll();
    const { id, contact_token } = await sent({ from_number: SECOND });
    await sandbox.clock.advance('5s');
    const answer = await client.post('/_sandbox/simulate/inbound-sms', { in_reply_to: id, body: 'Who is this?' });
    const reply = dataOf(answer, 201);
    expect(reply).toMatchObject({ direction: 'inbound', from_number: SOMEONE, phone_number: SECOND, contact_token });
    expect(await read(reply.id)).toEqual(reply);
    await sandbox.clock.advance('0s');
    expect(received().at(-1)).toEqual(['contact_replied', eventOf(reply)]);
  });

  it('from outside needs no more than {}', async () => {
    const reply = dataOf(await client.post('/_sandbox/simulate/inbound-sms', {}), 201);
    expect(reply).toMatchObject({ phone_number: FROM, direction: 'inbound', status: 'received' });
    expect(reply.from_number).toMatch(/^\+141555501[78]\d$/);
    expect(await messages()).toEqual([reply]);
  });

  it("to a sub-entity's number is that child's alone", async () => {
    const child = await childOf(sandbox.url, client);
    const answer = await client.post('/_sandbox/simulate/inbound-sms', { to_number: '+14155550194' });
    const { id } = dataOf(answer, 201);
    expect((await messages(child)).map((each) => each.id)).toEqual([id]);
    expect(await messages()).toEqual([]);
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
  ] as const)('with the body of case %# is refused by its field, and none comes', async (body, status, field) => {
    const answer = await client.post('/_sandbox/simulate/inbound-sms', body);
    expect(answer.status, answer.text).toBe(status);
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect(await messages()).toEqual([]);
  });

  it.each([PROVISIONING, UNREGISTERED])('to %s, which cannot text, is 409 that names its state', async (to_number) => {
    const answer = await client.post('/_sandbox/simulate/inbound-sms', { to_number });
    expectError(answer, 409, 'conflict');
    expect(answer.body.error.message).toContain('none');
  });

  it('where no number can text is 409', async () => {
    for (const id of [4190, 4191]) dataOf(await client.delete(`${NUMBERS}/${id}`));
    expectError(await client.post('/_sandbox/simulate/inbound-sms', {}), 409, 'conflict');
  });
});

describe('the magic numbers of texts', () => {
  it('play their scenarios, and those of calls are ordinary', async () => {
    for (const [name, statuses] of [
      ['sms_delivered', 'delivered'],
      ['sms_failed', 'failed'],
      ['sms_reply', 'delivered'],
    ] as const) {
      const answer = await text(client, { to_number: destinationFor(name, '808') });
      expect(answer.headers['x-sandbox-scenario']).toBe(name);
      await sandbox.clock.untilIdle();
      expect((await read(dataOf(answer, 202).id)).status).toBe(statuses);
    }
    expect((await messages()).filter(({ direction }) => direction === 'inbound')).toHaveLength(1);
    const ordinary = await text(client, { to_number: destinationFor('busy') });
    expect(ordinary.headers['x-sandbox-scenario']).toBe('sms_delivered');
  });
});

describe('the list of messages', () => {
  it('has both directions, newest first, with the meta of calls, and is paged', async () => {
    await sent({ body: 'One' });
    dataOf(await client.post('/_sandbox/simulate/inbound-sms', { body: 'Two' }), 201);
    await sent({ body: 'Three' });
    const { data, meta } = (await client.get(MESSAGES)).body;
    expect(data.map(({ body }: Answer['body']) => body)).toEqual(['Three', 'Two', 'One']);
    expect(meta).toEqual({ cursor: null, total_results: 3, page_size: 25 });
    expect((await pagesOf(client, MESSAGES, 2)).flatMap((page) => page.data)).toEqual(data);
  });

  it.each(['page_size=0', 'page_size=101', 'cursor=x', 'direction=inbound'])('with %s is 400', async (query) => {
    const answer = await client.get(`${MESSAGES}?${query}`);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([query.split('=')[0]]);
  });

  it('of the world demo has a conversation, a message that failed, and the tokens that new ones have', async () => {
    const demo = clientOf(sandbox.url, 'svc_sandbox_demo');
    const past = await messages(demo);
    expect(past.map(({ direction, status }) => `${direction} ${status}`)).toEqual([
      'outbound failed',
      'outbound delivered',
      'inbound received',
      'outbound delivered',
    ]);
    expect(await read(past[0].id, demo)).toEqual(past[0]);
    const [, , answered, asked] = past;
    expect(answered.contact_token).toBe(asked.contact_token);
    const { contact_token } = await sent({ to_number: asked.phone_number }, {}, demo);
    expect(contact_token).toBe(asked.contact_token);
    await sandbox.world('demo').reset();
  });

  it('is empty in the world default at first', async () => {
    expect((await client.get(MESSAGES)).body).toEqual({
      data: [],
      meta: { cursor: null, total_results: 0, page_size: 25 },
    });
  });

  it.each(['x', NOWHERE, 'send'])('an id %s that names no message is 404, or no message', async (id) => {
    expect([404, 405]).toContain((await client.get(`${MESSAGES}/${id}`)).status);
  });
});

describe('the whole way', () => {
  it('leads from a number that is bought by its texting registration to a text that is delivered and answered', async () => {
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

    const { id } = await sent({ from_number }, playing('sms_reply'));
    await sandbox.clock.untilIdle();
    const [reply, delivered] = await messages();
    expect(delivered).toMatchObject({ id, status: 'delivered', from_number });
    expect(reply).toMatchObject({ direction: 'inbound', phone_number: from_number, from_number: SOMEONE });

    expect(received().map(([type]) => type)).toEqual([
      'number_purchased',
      'texting_registration_status_changed',
      'texting_registration_status_changed',
      'sms_sent',
      'sms_delivered',
      'contact_replied',
    ]);
    expect(received().slice(1, 3)).toEqual(
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
