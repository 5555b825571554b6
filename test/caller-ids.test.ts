// Caller IDs: `spec.md` "Caller ID" under "Resources and their fields" and "States and transitions", and "Caller IDs"
// under "Endpoints"; the row caller_id_states of `interface.md` section 9 and the verification code of section 5.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../src/index.ts';
import { type Answer, type Client, clientOf, expectError, FROM } from './support/client.ts';
import { childOf, instant, pagesOf, START } from './support/world.ts';

let sandbox: Sandbox;
let client: Client;

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual' });
  client = clientOf(sandbox.url);
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const NEW = '+12125550160';
const SECOND = '+14155550191';
const PENDING = '+14155550193';
const REVOKED = '+14155550195';
const DAY = 86_400_000;

const list = async (by: Client = client): Promise<Answer['body'][]> => (await by.get('/v1/caller-ids')).body.data;
const of = async (number: string, by: Client = client): Promise<Answer['body']> =>
  (await list(by)).find(({ phone_number }) => phone_number === number);
const idOf = async (number: string): Promise<string> => (await of(number)).caller_id_id;

const add = (phone_number: string, headers = {}): Promise<Answer> =>
  client.post('/v1/caller-ids', { phone_number }, headers);
const verify = (id: string, verification_code: string, by: Client = client): Promise<Answer> =>
  by.post(`/v1/caller-ids/${id}/verify`, { verification_code });
const codeAnswer = (id: string): Promise<Answer> => client.get(`/_sandbox/caller-ids/${id}/verification-code`);

async function codeOf(id: string): Promise<string> {
  const answer = await codeAnswer(id);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data.verification_code;
}

/** Some other code of the same form. */
const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

function expectVerified(answer: Answer, verified: boolean): void {
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body).toEqual({ data: { verified, message: expect.stringMatching(/./) } });
}

describe('the list of caller IDs', () => {
  it('has one of each state in the fixture, revoked ones included', async () => {
    const rows = (await list()).map(({ phone_number, status, active }) => [phone_number, status, active]);
    expect(rows).toEqual(
      expect.arrayContaining([
        [FROM, 'VERIFIED', true],
        [SECOND, 'VERIFIED', true],
        ['+14155550192', 'VERIFIED', true],
        [PENDING, 'PENDING_VERIFICATION', true],
        [REVOKED, 'REVOKED', false],
      ]),
    );
    expect(rows).toHaveLength(5);
  });

  it('shows every field of the specification', async () => {
    expect(await of(FROM)).toEqual({
      caller_id_id: expect.stringMatching(/./),
      phone_number: FROM,
      status: 'VERIFIED',
      verified_at: instant(-90 * DAY + 60_000),
      certification_method: 'verification_call',
      cnam_display_name: 'HARBOR DENTAL',
      cnam_status: 'approved',
      rcd_display_name: null,
      rcd_status: null,
      active: true,
      created_at: instant(-90 * DAY),
      updated_at: instant(-90 * DAY + 60_000),
    });
  });

  it('has the meta of agents', async () => {
    expect((await client.get('/v1/caller-ids')).body.meta).toEqual({ page_size: 25, cursor: null });
  });

  it('is oldest first, as the ledger says', async () => {
    const created = (await list()).map(({ created_at }) => created_at);
    expect(created).toEqual([...created].sort());
  });

  it('is paged by cursor and page_size, and a page stays what it was while others are added', async () => {
    const before = await list();
    const first = (await client.get('/v1/caller-ids?page_size=3')).body;
    await add(NEW);
    const second = (await client.get(`/v1/caller-ids?page_size=3&cursor=${first.meta.cursor}`)).body;
    expect([...first.data, ...second.data].map(({ phone_number }) => phone_number)).toEqual([
      ...before.map(({ phone_number }) => phone_number),
      NEW,
    ]);
    expect(second.meta).toEqual({ page_size: 3, cursor: null });
    const pages = await pagesOf(client, '/v1/caller-ids', 1);
    expect(pages.flatMap(({ data }) => data)).toEqual(await list());
  });

  it.each(['page_size=0', 'page_size=101', 'page_size=x', 'cursor=x', 'status=VERIFIED'])(
    'with %s is 400 and names the parameter',
    async (query) => {
      const answer = await client.get(`/v1/caller-ids?${query}`);
      expectError(answer, 400, 'validation_error');
      expect(Object.keys(answer.body.error.fields)).toEqual([query.split('=')[0]]);
    },
  );
});

describe('adding a caller ID', () => {
  it('answers 201 with one that is PENDING_VERIFICATION, and lists it', async () => {
    const answer = await add(NEW);
    expect(answer.status).toBe(201);
    expect(answer.headers['x-sandbox-scenario']).toBe('verification_call');
    expect(answer.body.data).toEqual({
      caller_id_id: expect.stringMatching(/./),
      phone_number: NEW,
      status: 'PENDING_VERIFICATION',
      verified_at: null,
      certification_method: null,
      cnam_display_name: null,
      cnam_status: null,
      rcd_display_name: null,
      rcd_status: null,
      active: true,
      created_at: START,
      updated_at: START,
    });
    expect(await of(NEW)).toEqual(answer.body.data);
    expect(await list()).toHaveLength(6);
  });

  it.each([
    ['absent', {}],
    ['null', { phone_number: null }],
    ['a number', { phone_number: 12125550160 }],
    ['empty', { phone_number: '' }],
    ['without a plus sign', { phone_number: '12125550160' }],
    ['spaced', { phone_number: '+1 212 555 0160' }],
    ['too long', { phone_number: '+1234567890123456' }],
  ])('refuses a phone_number that is %s', async (_, body) => {
    const answer = await client.post('/v1/caller-ids', body);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['phone_number']);
    expect(await list()).toHaveLength(5);
  });

  it('that is VERIFIED already is a conflict, which says so and changes nothing', async () => {
    const before = await list();
    const answer = await add(FROM);
    expectError(answer, 409, 'conflict');
    expect(answer.body.error.message).toContain('VERIFIED');
    expect(await list()).toEqual(before);
  });

  it('that is pending starts another verification call: same id, new code, the old one is wrong', async () => {
    const { caller_id_id: id, created_at } = (await add(NEW)).body.data;
    const old = await codeOf(id);
    await sandbox.clock.advance('1m');
    const again = await add(NEW);
    expect(again.status).toBe(201);
    expect(again.body.data).toMatchObject({ caller_id_id: id, status: 'PENDING_VERIFICATION', created_at });
    const code = await codeOf(id);
    expect(code).not.toBe(old);
    expectVerified(await verify(id, old), false);
    expectVerified(await verify(id, code), true);
    expect(await list()).toHaveLength(6);
  });
});

describe('verifying a caller ID', () => {
  it('with the code of the call makes it VERIFIED at that instant', async () => {
    const added = (await add(NEW)).body.data;
    await sandbox.clock.advance('90s');
    expectVerified(await verify(added.caller_id_id, await codeOf(added.caller_id_id)), true);
    expect(await of(NEW)).toEqual({
      ...added,
      status: 'VERIFIED',
      verified_at: instant(90_000),
      certification_method: expect.stringMatching(/./),
      updated_at: instant(90_000),
    });
  });

  it('works for the pending one of the fixture', async () => {
    const id = await idOf(PENDING);
    expectVerified(await verify(id, await codeOf(id)), true);
    expect((await of(PENDING)).status).toBe('VERIFIED');
  });

  it('with a wrong code is 200, not verified, and leaves it pending', async () => {
    const added = (await add(NEW)).body.data;
    const code = await codeOf(added.caller_id_id);
    for (const each of [wrong(code), 'x', code.slice(0, 5), `${code}0`]) {
      expectVerified(await verify(added.caller_id_id, each), false);
    }
    expect(await of(NEW)).toEqual(added);
    expectVerified(await verify(added.caller_id_id, code), true);
  });

  it('with the code of another caller ID is not verified', async () => {
    const { caller_id_id: id } = (await add(NEW)).body.data;
    expectVerified(await verify(id, await codeOf(await idOf(PENDING))), false);
  });

  it.each([
    ['9m', true],
    ['599999ms', true],
    ['600001ms', false],
    ['1d', false],
  ])('with the right code %s after the call is verified: %s', async (by, verified) => {
    const { caller_id_id: id } = (await add(NEW)).body.data;
    const code = await codeOf(id);
    await sandbox.clock.advance(by);
    expectVerified(await verify(id, code), verified);
    expect((await of(NEW)).status).toBe(verified ? 'VERIFIED' : 'PENDING_VERIFICATION');
  });

  it('after the code has expired works with the code of a new call', async () => {
    const { caller_id_id: id } = (await add(NEW)).body.data;
    await sandbox.clock.advance('11m');
    expectVerified(await verify(id, await codeOf(id)), false);
    await add(NEW);
    await sandbox.clock.advance('9m');
    expectVerified(await verify(id, await codeOf(id)), true);
  });

  it('can be tried five times', async () => {
    const { caller_id_id: id } = (await add(NEW)).body.data;
    const code = await codeOf(id);
    for (let attempt = 1; attempt <= 4; attempt++) expectVerified(await verify(id, wrong(code)), false);
    expectVerified(await verify(id, code), true);
  });

  it('is over after five wrong codes, until a new call begins the count anew', async () => {
    const { caller_id_id: id } = (await add(NEW)).body.data;
    const code = await codeOf(id);
    for (let attempt = 1; attempt <= 5; attempt++) expectVerified(await verify(id, wrong(code)), false);
    expectVerified(await verify(id, code), false);
    expect((await of(NEW)).status).toBe('PENDING_VERIFICATION');
    await add(NEW);
    for (let attempt = 1; attempt <= 4; attempt++) expectVerified(await verify(id, wrong(await codeOf(id))), false);
    expectVerified(await verify(id, await codeOf(id)), true);
  });

  it('that is VERIFIED is true with any code, and changes nothing', async () => {
    const before = await of(FROM);
    await sandbox.clock.advance('1h');
    expectVerified(await verify(before.caller_id_id, '000000'), true);
    expect(await of(FROM)).toEqual(before);
  });

  it('that is REVOKED is a conflict that names the state', async () => {
    const before = await of(REVOKED);
    const answer = await verify(before.caller_id_id, '000000');
    expectError(answer, 409, 'conflict');
    expect(answer.body.error.message).toContain('REVOKED');
    expect(await of(REVOKED)).toEqual(before);
  });

  it.each(['nope', '4190', '00000000-0000-4000-8000-000000000000'])(
    'is 404 where the id names none: %s',
    async (id) => {
      expectError(await verify(id, '000000'), 404, 'not_found');
      expectError(await client.delete(`/v1/caller-ids/${id}`), 404, 'not_found');
      expectError(await codeAnswer(id), 404, 'not_found');
    },
  );

  it.each([
    ['absent', {}, 'verification_code'],
    ['empty', { verification_code: '' }, 'verification_code'],
    ['null', { verification_code: null }, 'verification_code'],
    ['a number', { verification_code: 123456 }, 'verification_code'],
    ['beside a field that is not known', { verification_code: '123456', code: '1' }, 'code'],
  ])('with a verification_code that is %s is 400 and costs no attempt', async (_, body, field) => {
    const { caller_id_id: id } = (await add(NEW)).body.data;
    for (let attempt = 1; attempt <= 6; attempt++) {
      const answer = await client.post(`/v1/caller-ids/${id}/verify`, body);
      expectError(answer, 400, 'validation_error');
      expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    }
    expectVerified(await verify(id, await codeOf(id)), true);
  });
});

describe('a verification call that is slow', () => {
  const slow = { 'X-Sandbox-Scenario': 'verification_slow' };

  it('comes after two days; until then no code is right, and ten minutes count from then', async () => {
    const answer = await add(NEW, slow);
    expect(answer.status).toBe(201);
    expect(answer.headers['x-sandbox-scenario']).toBe('verification_slow');
    const id = answer.body.data.caller_id_id;
    const code = await codeOf(id);
    expectVerified(await verify(id, code), false);
    await sandbox.clock.advance('172799999ms');
    expectVerified(await verify(id, code), false);
    await sandbox.clock.advance('1ms');
    await sandbox.clock.advance('9m');
    expectVerified(await verify(id, code), true);
  });

  it('leaves all five attempts for when it has come', async () => {
    const id = (await add(NEW, slow)).body.data.caller_id_id;
    for (let attempt = 1; attempt <= 5; attempt++) expectVerified(await verify(id, '000000'), false);
    await sandbox.clock.advance('2d');
    expectVerified(await verify(id, await codeOf(id)), true);
  });

  it('never comes for a caller ID that was revoked meanwhile', async () => {
    const id = (await add(NEW, slow)).body.data.caller_id_id;
    await client.delete(`/v1/caller-ids/${id}`);
    const before = await of(NEW);
    await sandbox.clock.advance('3d');
    expect(await of(NEW)).toEqual(before);
  });

  it('gives way to a call that is asked for anew, and does not come after it', async () => {
    const id = (await add(NEW, slow)).body.data.caller_id_id;
    await add(NEW);
    const code = await codeOf(id);
    await sandbox.clock.advance('2d');
    expectVerified(await verify(id, code), false);
    await add(NEW);
    expectVerified(await verify(id, await codeOf(id)), true);
  });

  it('can be what the world plays for every caller ID', async () => {
    await client.put('/_sandbox/active-scenarios/caller_id', { use: 'verification_slow' });
    const answer = await add(NEW);
    expect(answer.headers['x-sandbox-scenario']).toBe('verification_slow');
    expectVerified(await verify(answer.body.data.caller_id_id, await codeOf(answer.body.data.caller_id_id)), false);
  });
});

describe('revoking a caller ID', () => {
  it('answers the record, REVOKED and not active, and it is still listed', async () => {
    const before = await of(SECOND);
    await sandbox.clock.advance('5m');
    const answer = await client.delete(`/v1/caller-ids/${before.caller_id_id}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: { ...before, status: 'REVOKED', active: false, updated_at: instant(300_000) },
    });
    expect(await of(SECOND)).toEqual(answer.body.data);
    expect(await list()).toHaveLength(5);
  });

  it('twice is 200 with the same record', async () => {
    const id = await idOf(SECOND);
    const first = await client.delete(`/v1/caller-ids/${id}`);
    await sandbox.clock.advance('1h');
    const second = await client.delete(`/v1/caller-ids/${id}`);
    expect(second.status).toBe(200);
    expect(second.body).toEqual(first.body);
  });

  it('works while it is pending, and its code is worth nothing then', async () => {
    const id = (await add(NEW)).body.data.caller_id_id;
    const code = await codeOf(id);
    expect((await client.delete(`/v1/caller-ids/${id}`)).body.data).toMatchObject({ status: 'REVOKED', active: false });
    expectError(await verify(id, code), 409, 'conflict');
  });

  it('leaves the others alone', async () => {
    const others = (await list()).filter(({ phone_number }) => phone_number !== SECOND);
    await client.delete(`/v1/caller-ids/${await idOf(SECOND)}`);
    expect((await list()).filter(({ phone_number }) => phone_number !== SECOND)).toEqual(others);
  });
});

describe('a revoked caller ID', () => {
  it('starts anew by adding its number: same id, new code, usable once it is verified', async () => {
    const before = await of(SECOND);
    const id = before.caller_id_id;
    await client.delete(`/v1/caller-ids/${id}`);
    await sandbox.clock.advance('1h');
    const again = await add(SECOND);
    expect(again.status).toBe(201);
    expect(again.body.data).toMatchObject({
      caller_id_id: id,
      status: 'PENDING_VERIFICATION',
      verified_at: null,
      created_at: before.created_at,
      updated_at: instant(3_600_000),
    });
    expect(await list()).toHaveLength(5);
    expectVerified(await verify(id, await codeOf(id)), true);
    expect(await of(SECOND)).toMatchObject({ status: 'VERIFIED', active: true, verified_at: instant(3_600_000) });
  });

  it('gets another code each time it starts anew', async () => {
    const id = await idOf(REVOKED);
    const codes: string[] = [];
    for (let time = 1; time <= 4; time++) {
      await add(REVOKED);
      codes.push(await codeOf(id));
      await client.delete(`/v1/caller-ids/${id}`);
    }
    expect(new Set(codes).size).toBe(4);
  });

  it('has its five attempts again', async () => {
    const { caller_id_id: id } = (await add(NEW)).body.data;
    for (let attempt = 1; attempt <= 5; attempt++) await verify(id, wrong(await codeOf(id)));
    await client.delete(`/v1/caller-ids/${id}`);
    await add(NEW);
    expectVerified(await verify(id, await codeOf(id)), true);
  });
});

describe('dialling from a caller ID', () => {
  const dialFrom = (from_number: string): Promise<Answer> =>
    client.post('/v1/calls/dial', { from_number, to_number: '+12125550100' });

  it('works from the instant it is verified', async () => {
    expectError(await dialFrom(PENDING), 422, 'call_id_not_verified');
    const id = await idOf(PENDING);
    await verify(id, await codeOf(id));
    const answer = await dialFrom(PENDING);
    expect(answer.status).toBe(202);
    expect(await client.readCall(answer.body.call_id)).toMatchObject({
      from_number: PENDING,
      phone_number_id: '4193',
    });
  });

  it('works for a number from outside once it is verified, which the hint then names', async () => {
    expectError(await dialFrom(NEW), 422, 'call_id_not_verified');
    const { caller_id_id: id } = (await add(NEW)).body.data;
    expectError(await dialFrom(NEW), 422, 'call_id_not_verified');
    await verify(id, await codeOf(id));
    const answer = await dialFrom(NEW);
    expect(answer.status).toBe(202);
    expect(await client.readCall(answer.body.call_id)).toMatchObject({ from_number: NEW, phone_number_id: null });
    const refused = await dialFrom(PENDING);
    expect(refused.body.error.resolution_hint.match(/\+\d+/g)).toEqual([FROM, SECOND, NEW]);
  });

  it('ends when it is revoked, and begins again when it is verified anew', async () => {
    const id = await idOf(SECOND);
    const call = (await dialFrom(SECOND)).body.call_id;
    await client.delete(`/v1/caller-ids/${id}`);
    const refused = await dialFrom(SECOND);
    expectError(refused, 422, 'call_id_not_verified');
    expect(refused.body.error.resolution_hint.match(/\+\d+/g)).toEqual([FROM]);
    await sandbox.clock.untilIdle();
    expect((await client.readCall(call)).status).toBe('COMPLETED');

    await add(SECOND);
    expectError(await dialFrom(SECOND), 422, 'call_id_not_verified');
    await verify(id, await codeOf(id));
    expect((await dialFrom(SECOND)).status).toBe(202);
  });
});

describe('GET /_sandbox/caller-ids/{id}/verification-code', () => {
  it('is what the call spoke: six digits, the same on every reading', async () => {
    const id = (await add(NEW)).body.data.caller_id_id;
    const answer = await codeAnswer(id);
    expect(answer.body).toEqual({ data: { verification_code: expect.stringMatching(/^\d{6}$/) } });
    await sandbox.clock.advance('5m');
    expect((await codeAnswer(id)).body).toEqual(answer.body);
  });

  it.each([
    ['VERIFIED', FROM],
    ['REVOKED', REVOKED],
  ])('is a conflict that names the state for one that is %s', async (state, number) => {
    const answer = await codeAnswer(await idOf(number));
    expectError(answer, 409, 'conflict');
    expect(answer.body.error.message).toContain(state);
  });

  it('follows from the seed: the same in a second run, another one for another seed', async () => {
    const codes: string[] = [];
    for (const seed of [1, 1, 2]) {
      const own = await createSandbox({ clock: 'manual', seed });
      const by = clientOf(own.url);
      const { caller_id_id: id } = (await by.post('/v1/caller-ids', { phone_number: NEW })).body.data;
      codes.push((await by.get(`/_sandbox/caller-ids/${id}/verification-code`)).body.data.verification_code);
      await own.close();
    }
    expect(codes[1]).toBe(codes[0]);
    expect(codes[2]).not.toBe(codes[0]);
  });
});

describe('the caller IDs of a sub-entity', () => {
  it('are its own, and nobody above or beside sees them', async () => {
    const child = await childOf(sandbox.url, client);
    const own = await list(child);
    expect(own.map(({ phone_number, status }) => [phone_number, status])).toEqual([['+14155550194', 'VERIFIED']]);
    const id = own[0].caller_id_id;
    expectError(await verify(id, '000000'), 404, 'not_found');
    expectError(await client.delete(`/v1/caller-ids/${id}`), 404, 'not_found');
    const above = await idOf(PENDING);
    expectError(await verify(above, await codeOf(above), child), 404, 'not_found');
    expectError(await child.delete(`/v1/caller-ids/${above}`), 404, 'not_found');
    expect(await list(child)).toEqual(own);
    expect((await of(PENDING)).status).toBe('PENDING_VERIFICATION');
  });

  it('can be added by it without being seen above', async () => {
    const child = await childOf(sandbox.url, client);
    expect((await child.post('/v1/caller-ids', { phone_number: NEW })).status).toBe(201);
    expect(await of(NEW, child)).toMatchObject({ status: 'PENDING_VERIFICATION' });
    expect(await of(NEW)).toBeUndefined();
  });
});
