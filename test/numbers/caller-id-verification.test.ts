// Verifying caller IDs: `spec.md` "Caller ID" under "States and transitions"; the row caller_id_states of `interface.md`
// section 9, the `caller_id` scenarios of section 3, and the verification code of section 5.
import { beforeEach, describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { clientOf, expectError, FROM } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { instant } from '../support/world.ts';
import {
  addCallerId,
  callerIdOf,
  codeOf,
  expectVerified,
  getCode,
  idOfCallerId,
  NEW,
  PENDING,
  REVOKED,
  verify,
  wrongCode,
} from './setup.ts';

const { sandbox, client } = useSandbox({ clock: 'manual' });
beforeEach(() => sandbox.reset());

describe('verifying a caller ID', () => {
  it('with the code of the call makes it VERIFIED at that instant', async () => {
    const added = (await addCallerId(client, NEW)).body.data;
    await sandbox.clock.advance('90s');
    expectVerified(await verify(client, added.caller_id_id, await codeOf(client, added.caller_id_id)), true);
    expect(await callerIdOf(client, NEW)).toEqual({
      ...added,
      status: 'VERIFIED',
      verified_at: instant(90_000),
      certification_method: expect.stringMatching(/./),
      updated_at: instant(90_000),
    });
  });

  it('works for the pending one in the fixture', async () => {
    const id = await idOfCallerId(client, PENDING);
    expectVerified(await verify(client, id, await codeOf(client, id)), true);
    expect((await callerIdOf(client, PENDING)).status).toBe('VERIFIED');
  });

  it('with a wrong code returns 200, not verified, and leaves it pending', async () => {
    const added = (await addCallerId(client, NEW)).body.data;
    const code = await codeOf(client, added.caller_id_id);
    for (const each of [wrongCode(code), ` ${code}`, code.slice(0, 5), `${code}0`]) {
      expectVerified(await verify(client, added.caller_id_id, each), false);
    }
    expect(await callerIdOf(client, NEW)).toEqual(added);
    expectVerified(await verify(client, added.caller_id_id, code), true);
  });

  it('with the code of another caller ID does not verify it', async () => {
    const { caller_id_id: id } = (await addCallerId(client, NEW)).body.data;
    expectVerified(await verify(client, id, await codeOf(client, await idOfCallerId(client, PENDING))), false);
  });

  it.each([
    ['9m', true],
    ['599999ms', true],
    ['600001ms', false],
    ['1d', false],
  ])('with the right code %s after the call returns verified: %s', async (by, verified) => {
    const { caller_id_id: id } = (await addCallerId(client, NEW)).body.data;
    const code = await codeOf(client, id);
    await sandbox.clock.advance(by);
    expectVerified(await verify(client, id, code), verified);
    expect((await callerIdOf(client, NEW)).status).toBe(verified ? 'VERIFIED' : 'PENDING_VERIFICATION');
  });

  it('after the code has expired needs the code of a new call', async () => {
    const { caller_id_id: id } = (await addCallerId(client, NEW)).body.data;
    await sandbox.clock.advance('11m');
    expectVerified(await verify(client, id, await codeOf(client, id)), false);
    await addCallerId(client, NEW);
    await sandbox.clock.advance('9m');
    expectVerified(await verify(client, id, await codeOf(client, id)), true);
  });

  it('allows five attempts', async () => {
    const { caller_id_id: id } = (await addCallerId(client, NEW)).body.data;
    const code = await codeOf(client, id);
    for (let attempt = 1; attempt <= 4; attempt++) expectVerified(await verify(client, id, wrongCode(code)), false);
    expectVerified(await verify(client, id, code), true);
  });

  it('fails after five wrong codes until a new call resets the count', async () => {
    const { caller_id_id: id } = (await addCallerId(client, NEW)).body.data;
    const code = await codeOf(client, id);
    for (let attempt = 1; attempt <= 5; attempt++) expectVerified(await verify(client, id, wrongCode(code)), false);
    expectVerified(await verify(client, id, code), false);
    expect((await callerIdOf(client, NEW)).status).toBe('PENDING_VERIFICATION');
    await addCallerId(client, NEW);
    for (let attempt = 1; attempt <= 4; attempt++)
      expectVerified(await verify(client, id, wrongCode(await codeOf(client, id))), false);
    expectVerified(await verify(client, id, await codeOf(client, id)), true);
  });

  it('returns true for any code if it is VERIFIED, and changes nothing', async () => {
    const before = await callerIdOf(client, FROM);
    await sandbox.clock.advance('1h');
    expectVerified(await verify(client, before.caller_id_id, '000000'), true);
    expect(await callerIdOf(client, FROM)).toEqual(before);
  });

  it('returns 409 that names the state if it is REVOKED', async () => {
    const before = await callerIdOf(client, REVOKED);
    const answer = await verify(client, before.caller_id_id, '000000');
    expectError(answer, 409, 'conflict');
    expect(answer.body.error.message).toContain('REVOKED');
    expect(await callerIdOf(client, REVOKED)).toEqual(before);
  });

  it.each(['nope', '4190', '00000000-0000-4000-8000-000000000000'])('returns 404 for the unknown id %s', async (id) => {
    expectError(await verify(client, id, '000000'), 404, 'not_found');
    expectError(await client.delete(`/v1/caller-ids/${id}`), 404, 'not_found');
    expectError(await getCode(client, id), 404, 'not_found');
  });

  it.each([
    ['absent', {}, 'verification_code'],
    ['empty', { verification_code: '' }, 'verification_code'],
    ['null', { verification_code: null }, 'verification_code'],
    ['a number', { verification_code: 123456 }, 'verification_code'],
    ['beside an unknown field', { verification_code: '123456', code: '1' }, 'code'],
  ])('with a verification_code that is %s returns 400 and uses no attempt', async (_, body, field) => {
    const { caller_id_id: id } = (await addCallerId(client, NEW)).body.data;
    for (let attempt = 1; attempt <= 6; attempt++) {
      const answer = await client.post(`/v1/caller-ids/${id}/verify`, body);
      expectError(answer, 400, 'validation_error');
      expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    }
    expectVerified(await verify(client, id, await codeOf(client, id)), true);
  });
});

describe('a slow verification call', () => {
  const slow = { 'X-Sandbox-Scenario': 'verification_slow' };

  it('comes after two days; only then is its code valid, for ten minutes', async () => {
    const answer = await addCallerId(client, NEW, slow);
    expect(answer.status).toBe(201);
    expect(answer.headers['x-sandbox-scenario']).toBe('verification_slow');
    const id = answer.body.data.caller_id_id;
    const code = await codeOf(client, id);
    expectVerified(await verify(client, id, code), false);
    await sandbox.clock.advance('172799999ms');
    expectVerified(await verify(client, id, code), false);
    await sandbox.clock.advance('1ms');
    await sandbox.clock.advance('9m');
    expectVerified(await verify(client, id, code), true);
  });

  it('leaves all five attempts for after the call', async () => {
    const id = (await addCallerId(client, NEW, slow)).body.data.caller_id_id;
    for (let attempt = 1; attempt <= 5; attempt++) expectVerified(await verify(client, id, '000000'), false);
    await sandbox.clock.advance('2d');
    expectVerified(await verify(client, id, await codeOf(client, id)), true);
  });

  it('never comes if the caller ID is revoked in the meantime', async () => {
    const id = (await addCallerId(client, NEW, slow)).body.data.caller_id_id;
    await client.delete(`/v1/caller-ids/${id}`);
    const before = await callerIdOf(client, NEW);
    await sandbox.clock.advance('3d');
    expect(await callerIdOf(client, NEW)).toEqual(before);
  });

  it('is cancelled by a new call', async () => {
    const id = (await addCallerId(client, NEW, slow)).body.data.caller_id_id;
    await addCallerId(client, NEW);
    const code = await codeOf(client, id);
    await sandbox.clock.advance('2d');
    expectVerified(await verify(client, id, code), false);
    await addCallerId(client, NEW);
    expectVerified(await verify(client, id, await codeOf(client, id)), true);
  });

  it('can be the active scenario for every caller ID', async () => {
    await client.put('/_sandbox/active-scenarios/caller_id', { use: 'verification_slow' });
    const answer = await addCallerId(client, NEW);
    expect(answer.headers['x-sandbox-scenario']).toBe('verification_slow');
    expectVerified(
      await verify(client, answer.body.data.caller_id_id, await codeOf(client, answer.body.data.caller_id_id)),
      false,
    );
  });
});

describe('GET /_sandbox/caller-ids/{id}/verification-code', () => {
  it('is the six-digit code of the call, the same on each read', async () => {
    const id = (await addCallerId(client, NEW)).body.data.caller_id_id;
    const answer = await getCode(client, id);
    expect(answer.body).toEqual({ data: { verification_code: expect.stringMatching(/^\d{6}$/) } });
    await sandbox.clock.advance('5m');
    expect((await getCode(client, id)).body).toEqual(answer.body);
  });

  it.each([
    ['VERIFIED', FROM],
    ['REVOKED', REVOKED],
  ])('returns 409 that names the state for one that is %s', async (state, number) => {
    const answer = await getCode(client, await idOfCallerId(client, number));
    expectError(answer, 409, 'conflict');
    expect(answer.body.error.message).toContain(state);
  });

  it('follows from the seed: the same in a second run, different for another seed', async () => {
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
