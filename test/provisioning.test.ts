// Phone numbers from order to release: `spec.md` "Phone-number provisioning and configuration, CNAM setting" under
// "Other operations named without a shape", number_purchased and number_released; the rows of `interface.md` section 9
// for /v1/phone-numbers, and the `phone_number` scenarios of section 3.
import { describe, expect, it } from 'vitest';
import { type Sandbox, verifySignature } from '../src/index.ts';
import { dataOf, playing, REPUTATION } from './support/caller-trust.ts';
import { type Answer, type Client, clientOf, expectError, FROM } from './support/client.ts';
import { listening } from './support/listening.ts';
import type { Receiver } from './support/receiver.ts';
import { activeNumber, NUMBERS, order } from './support/texting.ts';
import { subscribe } from './support/webhooks.ts';
import { childOf, instant, pagesOf, START } from './support/world.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const AVAILABLE = `${NUMBERS}/available`;
const PROVISIONING = 4192;

let sandbox: Sandbox;
let client: Client;
let receiver: Receiver;

listening({ clock: 'manual', rateLimit: 'off' }, (made) => {
  ({ sandbox, client, receiver } = made);
});

const offered = async (query = '', by: Client = client): Promise<string[]> =>
  dataOf(await by.get(`${AVAILABLE}?page_size=100${query}`)).map((each: Answer['body']) => each.phone_number);
const listed = async (by: Client = client): Promise<string[]> =>
  dataOf(await by.get(`${NUMBERS}?page_size=100`)).map((each: Answer['body']) => each.phone_number);
const read = async (id: number, by: Client = client): Promise<Answer['body']> =>
  dataOf(await by.get(`${NUMBERS}/${id}`));
const callerIdOf = async (number: string, by: Client = client): Promise<Answer['body']> =>
  dataOf(await by.get('/v1/caller-ids?page_size=100')).find((each: Answer['body']) => each.phone_number === number);
const agentNamed = async (name: string): Promise<Answer['body']> =>
  dataOf(await client.get('/v1/agents')).find((each: Answer['body']) => each.name === name);
const reputationOf = async (number: string): Promise<Answer['body']> =>
  dataOf(await client.get(REPUTATION)).find((each: Answer['body']) => each.phone_number === number);
const dialFrom = (from_number: string, by: Client = client): Promise<Answer> =>
  by.post('/v1/calls/dial', { from_number, to_number: '+12125550147' });
const eventTypes = async (): Promise<string[]> => (await sandbox.events()).map(({ event_type }) => event_type);

describe('numbers on offer', () => {
  it('are 555-0150 to 0169 of the area code that is asked for, with the meta of phone numbers', async () => {
    const { data, meta } = (await client.get(`${AVAILABLE}?area_code=212`)).body;
    expect(data[0]).toEqual({ phone_number: '+12125550150', area_code: '212', iso_country: 'US' });
    expect(data.map((each: Answer['body']) => each.phone_number)).toEqual(
      Array.from({ length: 20 }, (_, n) => `+12125550${150 + n}`),
    );
    expect(meta).toEqual({ page_size: 25, cursor: null });
  });

  it("are of the area code of the organization's oldest number where none is asked for", async () => {
    expect((await offered())[0]).toBe('+14155550150');
  });

  it.each(['212', '307', '415', '808', '989'])('are there in the area code %s', async (area) => {
    expect(await offered(`&area_code=${area}`)).toHaveLength(20);
  });

  it.each([
    ['800', 'which is toll-free'],
    ['900', 'which is premium'],
    ['416', 'which is in Canada'],
    ['211', 'which is a service code'],
    ['299', 'which nobody has'],
  ])('are none in the area code %s, %s', async (area) => {
    expect(await offered(`&area_code=${area}`)).toEqual([]);
    expectError(await order(client, { area_code: area }), 409, 'conflict');
  });

  it('are paged by cursor and page_size', async () => {
    const all = await offered('&area_code=212');
    const pages: string[][] = [];
    for (let query = ''; ; ) {
      const { data, meta } = (await client.get(`${AVAILABLE}?area_code=212&page_size=8${query}`)).body;
      pages.push(data.map((each: Answer['body']) => each.phone_number));
      if (meta.cursor === null) break;
      query = `&cursor=${meta.cursor}`;
    }
    expect(pages.map(({ length }) => length)).toEqual([8, 8, 4]);
    expect(pages.flat()).toEqual(all);
  });

  it('go on after a number that was taken since', async () => {
    const { meta } = (await client.get(`${AVAILABLE}?area_code=212&page_size=2`)).body;
    dataOf(await order(client, { phone_number: '+12125550151' }), 201);
    const next = (await client.get(`${AVAILABLE}?area_code=212&page_size=2&cursor=${meta.cursor}`)).body;
    expect(next.data[0].phone_number).toBe('+12125550152');
  });

  it.each([
    'area_code=21',
    'area_code=112',
    'area_code=abc',
    'area_code=',
    'page_size=0',
    'cursor=x',
    'cursor=KzE',
    'cursor=x&area_code=555',
  ])('with %s are 400 and name the parameter', async (query) => {
    const answer = await client.get(`${AVAILABLE}?${query}`);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([query.split('=')[0]]);
  });

  it('says of an area code what one is, and names what the answer rests on', async () => {
    const answer = await client.get(`${AVAILABLE}?area_code=21`);
    expect(answer.body.error.fields.area_code).toBe(
      'is "21"; must be an area code of three digits, the first from 2 to 9, such as 212',
    );
    expect(answer.headers['x-sandbox-assumptions']).toBe('available_numbers');
  });

  it('are without those that someone in the world has taken, a sub-entity included', async () => {
    const child = await childOf(sandbox.url, client);
    dataOf(await order(child, { phone_number: '+12125550151' }), 201);
    dataOf(await order(client), 201);
    expect((await offered('&area_code=212')).slice(0, 2)).toEqual(['+12125550152', '+12125550153']);
    expect(await offered('&area_code=212', child)).toEqual(await offered('&area_code=212'));
  });
});

describe('ordering a number', () => {
  it('answers 201 with a number that is not active yet', async () => {
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
    expect(await read(number.id)).toEqual(number);
    expect((await listed()).at(-1)).toBe('+12125550150');
  });

  it('takes the number that is named, or any of the usual area code', async () => {
    expect(dataOf(await order(client, { phone_number: '+18085550169' }), 201).phone_number).toBe('+18085550169');
    expect(dataOf(await order(client, {}), 201).phone_number).toBe('+14155550150');
    expect(dataOf(await order(client, { phone_number: '+18085550160', area_code: '808' }), 201).name).toBeNull();
  });

  it('makes it active 3 to 8 seconds later, and a receiver hears number_purchased, signed', async () => {
    await subscribe(client, receiver.url, 'number_purchased');
    const { id, organization_id } = dataOf(await order(client), 201);
    await sandbox.clock.advance('2999ms');
    expect((await read(id)).is_active).toBe(false);
    const { steps } = await sandbox.clock.advance('5001ms');
    const [{ at, to }] = steps as [(typeof steps)[number]];
    expect(to).toBe('ACTIVE');
    expect(await read(id)).toMatchObject({ is_active: true, reputation_enrolled_at: at });
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

  it('takes three days where the scenario is provisioning_slow', async () => {
    const { id } = dataOf(await order(client, {}, playing('provisioning_slow')), 201);
    await sandbox.clock.advance('71h');
    expect((await read(id)).is_active).toBe(false);
    await sandbox.clock.advance('1h');
    expect((await read(id)).is_active).toBe(true);
  });

  it('is enrolled in reputation monitoring by that, without being asked and without an enterprise', async () => {
    const before = dataOf(await client.get('/v1/account')).footprint;
    const { phone_number, reputation_enrolled_at } = await activeNumber(client, sandbox);
    expect(await reputationOf(phone_number)).toMatchObject({
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

  it('makes it a verified caller ID, from which one dials once it is active', async () => {
    const { phone_number } = dataOf(await order(client), 201);
    expect(await callerIdOf(phone_number)).toMatchObject({
      status: 'VERIFIED',
      certification_method: 'platform_number',
      verified_at: START,
      active: true,
    });
    expectError(await dialFrom(phone_number), 409, 'no_active_number');
    await sandbox.clock.advance('8s');
    expect((await dialFrom(phone_number)).status).toBe(202);
  });

  it('leaves the caller ID to be verified where the ledger is set so', async () => {
    dataOf(await client.put('/_sandbox/assumptions/provisioned_caller_id', { value: 'none' }));
    try {
      const { phone_number } = await activeNumber(client, sandbox);
      expect(await callerIdOf(phone_number)).toBeUndefined();
      expectError(await dialFrom(phone_number), 422, 'call_id_not_verified');
    } finally {
      dataOf(await client.put('/_sandbox/assumptions/provisioned_caller_id', { value: 'verified' }));
    }
  });

  it('verifies a caller ID that was revoked or pending under its own id', async () => {
    const { caller_id_id } = dataOf(await client.post('/v1/caller-ids', { phone_number: '+12125550150' }), 201);
    dataOf(await order(client), 201);
    expect(await callerIdOf('+12125550150')).toMatchObject({ caller_id_id, status: 'VERIFIED' });
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
  ] as const)('with the body of case %# is refused by its field, and orders none', async (body, status, field) => {
    const before = await listed();
    const answer = await order(client, body);
    expectError(answer, status, status === 400 ? 'validation_error' : 'not_found');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect(await listed()).toEqual(before);
  });

  it('a number that is taken is 409', async () => {
    dataOf(await order(client, { phone_number: '+12125550150' }), 201);
    const answer = await order(client, { phone_number: '+12125550150' });
    expectError(answer, 409, 'conflict');
    expect(Object.keys(answer.body.error.fields)).toEqual(['phone_number']);
  });

  it('is 409 when the area code has none left', async () => {
    const numbers: string[] = [];
    for (let n = 0; n < 20; n++) numbers.push(dataOf(await order(client), 201).phone_number);
    expect(new Set(numbers).size).toBe(20);
    const answer = await order(client);
    expectError(answer, 409, 'conflict');
    expect(Object.keys(answer.body.error.fields)).toEqual(['area_code']);
    expect(await offered('&area_code=212')).toEqual([]);
  });

  it('gives ids of their own to two worlds', async () => {
    const ids = await Promise.all(
      ['one', 'two'].map(async (name) => dataOf(await order(clientOf(sandbox.url, `svc_test_${name}`)), 201).id),
    );
    expect(new Set(ids).size).toBe(2);
  });

  it("of a sub-entity's key is that child's alone", async () => {
    const child = await childOf(sandbox.url, client);
    const { id, phone_number } = dataOf(await order(child), 201);
    expect(await listed(child)).toContain(phone_number);
    expect(await listed()).not.toContain(phone_number);
    for (const answer of [
      await client.get(`${NUMBERS}/${id}`),
      await client.patch(`${NUMBERS}/${id}`, { name: 'Mine' }),
      await client.delete(`${NUMBERS}/${id}`),
      await client.put(`${NUMBERS}/${id}/cnam`, { cnam_display_name: 'HARBOR' }),
    ]) {
      expectError(answer, 404, 'not_found');
    }
    expect(await callerIdOf(phone_number, child)).toMatchObject({ status: 'VERIFIED' });
    expect(await callerIdOf(phone_number)).toBeUndefined();
  });
});

describe('configuring a number', () => {
  it('changes only what is sent', async () => {
    const before = await read(4190);
    expect(dataOf(await client.patch(`${NUMBERS}/4190`, { name: 'Reception' }))).toEqual({
      ...before,
      name: 'Reception',
    });
    expect(dataOf(await client.patch(`${NUMBERS}/4190`, {})).name).toBe('Reception');
    expect(dataOf(await client.patch(`${NUMBERS}/4190`, { name: null })).name).toBeNull();
    expect(await read(4190)).toEqual({ ...before, name: null });
  });

  it('names the agent that answers it from now on', async () => {
    const { id, phone_number } = await activeNumber(client, sandbox);
    const agent = await agentNamed('Front desk assistant');
    dataOf(await client.patch(`${NUMBERS}/${id}`, { agent_id: agent.id }));
    expect((await agentNamed('Front desk assistant')).phone_number).toEqual({
      id,
      phone_number,
      provider: 'carrier',
      is_active: true,
    });
    const answer = await client.post('/_sandbox/simulate/inbound-call', { to_number: phone_number });
    expect(dataOf(answer, 201)).toMatchObject({ to_number: phone_number, phone_number_id: String(id) });
    // It was the agent of another number before, which nobody answers now.
    expectError(await client.post('/_sandbox/simulate/inbound-call', { to_number: FROM }), 409, 'conflict');
  });

  it('takes the number from the agent that had it, and null gives it to none', async () => {
    const other = await agentNamed('Reminder caller');
    dataOf(await client.patch(`${NUMBERS}/4190`, { agent_id: other.id }));
    expect((await agentNamed('Front desk assistant')).phone_number).toBeNull();
    expect((await agentNamed('Reminder caller')).phone_number.id).toBe(4190);
    await sandbox.clock.advance('1h');
    dataOf(await client.patch(`${NUMBERS}/4190`, { agent_id: null }));
    expect(await agentNamed('Reminder caller')).toMatchObject({ phone_number: null, updated_at: instant(3_600_000) });
  });

  it('of a number that is provisioning shows on the agent when it has become active', async () => {
    const { id } = dataOf(await order(client), 201);
    const agent = await agentNamed('Reminder caller');
    dataOf(await client.patch(`${NUMBERS}/${id}`, { agent_id: agent.id }));
    expect((await agentNamed('Reminder caller')).phone_number).toMatchObject({ id, is_active: false });
    await sandbox.clock.advance('8s');
    expect((await agentNamed('Reminder caller')).phone_number).toMatchObject({ id, is_active: true });
  });

  it.each([
    [{ name: 7 }, 400, 'name'],
    [{ name: '' }, 400, 'name'],
    [{ name: 'x'.repeat(256) }, 400, 'name'],
    [{ agent_id: 'nope' }, 400, 'agent_id'],
    [{ agent_id: NOWHERE, name: 'Other' }, 404, 'agent_id'],
  ] as const)('with the body of case %# is refused by its field, and changes nothing', async (body, status, field) => {
    const before = await read(4190);
    const answer = await client.patch(`${NUMBERS}/4190`, body);
    expectError(answer, status, status === 400 ? 'validation_error' : 'not_found');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect(await read(4190)).toEqual(before);
  });

  it("with an agent of the parent is 404 for a sub-entity's number", async () => {
    const child = await childOf(sandbox.url, client);
    const agent = await agentNamed('Reminder caller');
    expectError(await child.patch(`${NUMBERS}/4194`, { agent_id: agent.id }), 404, 'not_found');
  });
});

describe('the CNAM display name', () => {
  const setName = (cnam_display_name: unknown, id = 4191, headers = {}): Promise<Answer> =>
    client.put(`${NUMBERS}/${id}/cnam`, { cnam_display_name }, headers);

  it('is pending, then approved 60 seconds later, on the number and its caller ID, without enterprise or brand', async () => {
    expectError(await client.get('/v1/caller-trust/enterprise'), 404, 'not_found');
    expectError(await client.get('/v1/brand'), 404, 'not_found');
    const number = dataOf(await setName('HARBOR NOTES'));
    expect(number).toMatchObject({ id: 4191, cnam_display_name: 'HARBOR NOTES', cnam_status: 'pending' });
    const shown = async (): Promise<unknown[]> => {
      const { cnam_display_name, cnam_status } = await read(4191);
      const callerId = await callerIdOf('+14155550191');
      return [cnam_display_name, cnam_status, callerId.cnam_display_name, callerId.cnam_status];
    };
    expect(await shown()).toEqual(['HARBOR NOTES', 'pending', 'HARBOR NOTES', 'pending']);
    await sandbox.clock.advance('59999ms');
    expect(await shown()).toEqual(['HARBOR NOTES', 'pending', 'HARBOR NOTES', 'pending']);
    await sandbox.clock.advance('1ms');
    expect(await shown()).toEqual(['HARBOR NOTES', 'approved', 'HARBOR NOTES', 'approved']);
  });

  it('of a number that was bought shows on its caller ID', async () => {
    const { id, phone_number } = await activeNumber(client, sandbox);
    dataOf(await setName('NEW YORK DESK', id));
    await sandbox.clock.advance('60s');
    expect(await callerIdOf(phone_number)).toMatchObject({
      cnam_display_name: 'NEW YORK DESK',
      cnam_status: 'approved',
    });
  });

  it('is rejected where the scenario is cnam_rejected, and can be set anew', async () => {
    dataOf(await setName('HARBOR NOTES'));
    await sandbox.clock.advance('60s');
    dataOf(await setName('HARBOR ONE', 4191, playing('cnam_rejected')));
    await sandbox.clock.advance('60s');
    // Not the name that was approved before: nothing else would tell of the rejection.
    expect(await read(4191)).toMatchObject({ cnam_display_name: 'HARBOR ONE', cnam_status: 'rejected' });
    dataOf(await setName('HARBOR TWO'));
    expect(await read(4191)).toMatchObject({ cnam_display_name: 'HARBOR TWO', cnam_status: 'pending' });
    await sandbox.clock.advance('60s');
    expect((await read(4191)).cnam_status).toBe('approved');
  });

  it('takes the place of the one before, of which nothing is decided any more', async () => {
    dataOf(await setName('HARBOR ONE', 4191, playing('cnam_rejected')));
    await sandbox.clock.advance('30s');
    dataOf(await setName('HARBOR TWO'));
    await sandbox.clock.advance('59s');
    expect(await read(4191)).toMatchObject({ cnam_display_name: 'HARBOR TWO', cnam_status: 'pending' });
    await sandbox.clock.advance('1s');
    expect((await read(4191)).cnam_status).toBe('approved');
    expect((await client.get('/_sandbox/clock')).body.data.pending).toBe(0);
  });

  it('shows on the caller ID of the fixture that has one, in every answer about it', async () => {
    const shown = { cnam_display_name: 'HARBOR DENTAL', cnam_status: 'approved' };
    const { caller_id_id, ...callerId } = await callerIdOf(FROM);
    expect(callerId).toMatchObject(shown);
    expect(dataOf(await client.delete(`/v1/caller-ids/${caller_id_id}`))).toMatchObject(shown);
    expect(dataOf(await client.post('/v1/caller-ids', { phone_number: FROM }), 201)).toMatchObject(shown);
  });

  it.each(['A', 'Harbor Dental', 'HARBOR, 2 CO.', 'a1234567890123.', 'Policewoman Co', 'Caller Coffee'])(
    '%j fits',
    async (name) => {
      expect(dataOf(await setName(name)).cnam_display_name).toBe(name);
    },
  );

  it.each<[unknown, string]>([
    ['', 'empty'],
    ['SIXTEEN LETTERS.', 'longer than 15'],
    ['1 HARBOR', 'beginning with a digit'],
    [' HARBOR', 'beginning with a space'],
    ['HARBOR-DENTAL', 'with a hyphen'],
    ['HARBOR & SON', 'with an ampersand'],
    ['CAFÉ', 'with an accent'],
    ['FBI', 'a prohibited term'],
    ['F.B.I. Office', 'a prohibited term with periods'],
    ['Harbor Police', 'a prohibited term'],
    ['police.harbor', 'a prohibited term'],
    ['US GOVERNMENT', 'a prohibited term'],
    ['Medicare Plan', 'a prohibited term'],
    ['Social.Security', 'a prohibited term'],
    ['Unknown', "what could be anyone's"],
    ['WIRELESS CALLER', "what could be anyone's"],
    [null, 'null'],
    [7, 'a number'],
    [undefined, 'missing'],
  ])('%j is 400, being %s, and changes nothing', async (name) => {
    const before = await read(4191);
    const answer = await setName(name);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['cnam_display_name']);
    expect(await read(4191)).toEqual(before);
  });
});

describe('releasing a number', () => {
  it('answers the number, which is nothing any more, and a receiver hears number_released, signed', async () => {
    await subscribe(client, receiver.url, 'number_released');
    const before = await read(4190);
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

  it('leaves its calls, their recordings and transcripts readable, and the number by its id', async () => {
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
    expect((await read(4190)).is_active).toBe(false);
  });

  it('takes it from every list and count', async () => {
    dataOf(await client.delete(`${NUMBERS}/4190`));
    expect(await listed()).not.toContain(FROM);
    expect((await pagesOf(client, NUMBERS, 1)).flatMap(({ data }) => data)).toHaveLength(3);
    expect(await reputationOf(FROM)).toBeUndefined();
    expect(dataOf(await client.get('/v1/account')).footprint).toMatchObject({
      phone_numbers: 3,
      enrolled_reputation_numbers: 2,
    });
    expect(dataOf(await client.get('/v1/usage'))).toMatchObject({
      phone_numbers_active: 2,
      spam_risk_distribution: { low: 0, medium: 1, high: 1, unknown: 1 },
    });
  });

  it('revokes its caller ID, so that it cannot be dialled from, and leaves no agent on it', async () => {
    dataOf(await client.delete(`${NUMBERS}/4190`));
    expect(await callerIdOf(FROM)).toMatchObject({ status: 'REVOKED', active: false, cnam_status: null });
    expectError(await dialFrom(FROM), 422, 'call_id_not_verified');
    expect((await agentNamed('Front desk assistant')).phone_number).toBeNull();
    expectError(await client.post('/_sandbox/simulate/inbound-call', { to_number: FROM }), 404, 'not_found');
  });

  it('twice is the same as once, and is heard of once', async () => {
    const once = dataOf(await client.delete(`${NUMBERS}/4190`));
    expect(dataOf(await client.delete(`${NUMBERS}/4190`))).toEqual(once);
    expect(await eventTypes()).toEqual(['number_released']);
  });

  it('of one that is provisioning ends that, without an event, since it was never announced', async () => {
    const { id } = dataOf(await order(client), 201);
    dataOf(await client.delete(`${NUMBERS}/${id}`));
    dataOf(await client.delete(`${NUMBERS}/${PROVISIONING}`));
    await sandbox.clock.untilIdle();
    expect((await read(id)).is_active).toBe(false);
    expect(await eventTypes()).toEqual([]);
  });

  it('puts it on offer again, and whoever orders it gets a number of another id', async () => {
    const { id, phone_number } = await activeNumber(client, sandbox);
    expect(await offered('&area_code=212')).not.toContain(phone_number);
    dataOf(await client.delete(`${NUMBERS}/${id}`));
    expect(await offered('&area_code=212')).toContain(phone_number);
    const again = await activeNumber(client, sandbox, { phone_number });
    expect(again.id).not.toBe(id);
    expect((await dialFrom(phone_number)).status).toBe(202);
    expect((await read(id)).is_active).toBe(false);
    expect((await listed()).filter((each) => each === phone_number)).toHaveLength(1);
  });

  it('of one that was never on offer leaves nothing to order', async () => {
    dataOf(await client.delete(`${NUMBERS}/4191`));
    expect(await offered('&area_code=415')).not.toContain('+14155550191');
    expectError(await order(client, { phone_number: '+14155550191' }), 404, 'not_found');
  });

  it('ends what was pending of its CNAM display name', async () => {
    dataOf(await client.put(`${NUMBERS}/4191/cnam`, { cnam_display_name: 'HARBOR NOTES' }));
    dataOf(await client.delete(`${NUMBERS}/4191`));
    await sandbox.clock.untilIdle();
    expect(await read(4191)).toMatchObject({ cnam_display_name: null, cnam_status: null });
  });

  it('makes configuring it, and setting its CNAM display name, 409 that names its state', async () => {
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

describe('an id that names no number', () => {
  it.each(['1', '0', '-1', '4190.0', 'x', NOWHERE, '4194', 'constructor'])('%s is 404 for everything', async (id) => {
    for (const answer of [
      await client.get(`${NUMBERS}/${id}`),
      await client.patch(`${NUMBERS}/${id}`, { name: 'x' }),
      await client.delete(`${NUMBERS}/${id}`),
      await client.put(`${NUMBERS}/${id}/cnam`, { cnam_display_name: 'HARBOR' }),
    ]) {
      expectError(answer, 404, 'not_found');
    }
  });
});
