// Revoking caller IDs and dialling from them: `spec.md` "Caller ID" under "States and transitions"; the row
// caller_id_states of `interface.md` section 9.
import { beforeEach, describe, expect, it } from 'vitest';
import { expectError, FROM } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { instant } from '../support/world.ts';
import {
  addCallerId,
  callerIdOf,
  codeOf,
  dialFrom,
  expectVerified,
  idOfCallerId,
  listCallerIds,
  NEW,
  PENDING,
  REVOKED,
  SECOND,
  verify,
  wrongCode,
} from './setup.ts';

const { sandbox, client } = useSandbox({ clock: 'manual' });
beforeEach(() => sandbox.reset());

describe('revoking a caller ID', () => {
  it('returns it as REVOKED and inactive, and it stays in the list', async () => {
    const before = await callerIdOf(client, SECOND);
    await sandbox.clock.advance('5m');
    const answer = await client.delete(`/v1/caller-ids/${before.caller_id_id}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: { ...before, status: 'REVOKED', active: false, updated_at: instant(300_000) },
    });
    expect(await callerIdOf(client, SECOND)).toEqual(answer.body.data);
    expect(await listCallerIds(client)).toHaveLength(5);
  });

  it('twice returns 200 with the same record', async () => {
    const id = await idOfCallerId(client, SECOND);
    const first = await client.delete(`/v1/caller-ids/${id}`);
    await sandbox.clock.advance('1h');
    const second = await client.delete(`/v1/caller-ids/${id}`);
    expect(second.status).toBe(200);
    expect(second.body).toEqual(first.body);
  });

  it('works while it is pending, and invalidates its code', async () => {
    const id = (await addCallerId(client, NEW)).body.data.caller_id_id;
    const code = await codeOf(client, id);
    expect((await client.delete(`/v1/caller-ids/${id}`)).body.data).toMatchObject({ status: 'REVOKED', active: false });
    expectError(await verify(client, id, code), 409, 'conflict');
  });

  it('does not change other caller IDs', async () => {
    const others = (await listCallerIds(client)).filter(({ phone_number }) => phone_number !== SECOND);
    await client.delete(`/v1/caller-ids/${await idOfCallerId(client, SECOND)}`);
    expect((await listCallerIds(client)).filter(({ phone_number }) => phone_number !== SECOND)).toEqual(others);
  });
});

describe('a revoked caller ID', () => {
  it('can be added again: same id, new code, usable once verified', async () => {
    const before = await callerIdOf(client, SECOND);
    const id = before.caller_id_id;
    await client.delete(`/v1/caller-ids/${id}`);
    await sandbox.clock.advance('1h');
    const again = await addCallerId(client, SECOND);
    expect(again.status).toBe(201);
    expect(again.body.data).toMatchObject({
      caller_id_id: id,
      status: 'PENDING_VERIFICATION',
      verified_at: null,
      created_at: before.created_at,
      updated_at: instant(3_600_000),
    });
    expect(await listCallerIds(client)).toHaveLength(5);
    expectVerified(await verify(client, id, await codeOf(client, id)), true);
    expect(await callerIdOf(client, SECOND)).toMatchObject({
      status: 'VERIFIED',
      active: true,
      verified_at: instant(3_600_000),
    });
  });

  it('gets a different code each time it is added again', async () => {
    const id = await idOfCallerId(client, REVOKED);
    const codes: string[] = [];
    for (let time = 1; time <= 4; time++) {
      await addCallerId(client, REVOKED);
      codes.push(await codeOf(client, id));
      await client.delete(`/v1/caller-ids/${id}`);
    }
    expect(new Set(codes).size).toBe(4);
  });

  it('has five attempts again', async () => {
    const { caller_id_id: id } = (await addCallerId(client, NEW)).body.data;
    for (let attempt = 1; attempt <= 5; attempt++) await verify(client, id, wrongCode(await codeOf(client, id)));
    await client.delete(`/v1/caller-ids/${id}`);
    await addCallerId(client, NEW);
    expectVerified(await verify(client, id, await codeOf(client, id)), true);
  });
});

describe('dialling from a caller ID', () => {
  it('works from the instant it is verified', async () => {
    expectError(await dialFrom(client, PENDING), 422, 'call_id_not_verified');
    const id = await idOfCallerId(client, PENDING);
    await verify(client, id, await codeOf(client, id));
    const answer = await dialFrom(client, PENDING);
    expect(answer.status).toBe(202);
    expect(await client.readCall(answer.body.call_id)).toMatchObject({
      from_number: PENDING,
      phone_number_id: '4193',
    });
  });

  it('works for an outside number once verified, and the hint then names it', async () => {
    expectError(await dialFrom(client, NEW), 422, 'call_id_not_verified');
    const { caller_id_id: id } = (await addCallerId(client, NEW)).body.data;
    expectError(await dialFrom(client, NEW), 422, 'call_id_not_verified');
    await verify(client, id, await codeOf(client, id));
    const answer = await dialFrom(client, NEW);
    expect(answer.status).toBe(202);
    expect(await client.readCall(answer.body.call_id)).toMatchObject({ from_number: NEW, phone_number_id: null });
    const refused = await dialFrom(client, PENDING);
    expect(refused.body.error.resolution_hint.match(/\+\d+/g)).toEqual([FROM, SECOND, NEW]);
  });

  it('fails once it is revoked, and works again once it is verified again', async () => {
    const id = await idOfCallerId(client, SECOND);
    const call = (await dialFrom(client, SECOND)).body.call_id;
    await client.delete(`/v1/caller-ids/${id}`);
    const refused = await dialFrom(client, SECOND);
    expectError(refused, 422, 'call_id_not_verified');
    expect(refused.body.error.resolution_hint.match(/\+\d+/g)).toEqual([FROM]);
    await sandbox.clock.untilIdle();
    expect((await client.readCall(call)).status).toBe('COMPLETED');

    await addCallerId(client, SECOND);
    expectError(await dialFrom(client, SECOND), 422, 'call_id_not_verified');
    await verify(client, id, await codeOf(client, id));
    expect((await dialFrom(client, SECOND)).status).toBe(202);
  });
});
