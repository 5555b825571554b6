// Idempotency keys: their form, their scope and how long they are kept. The assumption `idempotency` (`interface.md`
// section 9); `test/contract/every-write.test.ts` covers what holds for each operation.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { type Answer, clientOf, expectError } from '../support/client.ts';
import { isOnRedis } from '../support/on-redis.ts';
import { JSON_TYPE, wireTo } from '../support/wire.ts';
import { expectFirst, expectReplay, isReplay, useIdempotency } from './idempotency-setup.ts';
import { TO } from './setup.ts';

const { sandbox, client, dial, countCalls } = useIdempotency();

describe('an idempotency key', () => {
  const key = '6F9619FF-8B86-4011-B42D-00CF4FC964FF';

  it.each([
    ['bare', key],
    ['quoted, as a structured field', `"${key}"`],
    ['in lower case', key.toLowerCase()],
    ['quoted in lower case', `"${key.toLowerCase()}"`],
    ['between spaces', `  ${key}  `],
  ])('is the same key %s', async (_, written) => {
    const first = await dial(key);
    expectFirst(first, 202);
    expectReplay(await dial(written), first);
  });

  it('that is new has a new effect', async () => {
    const before = await countCalls();
    const ids = [await dial(randomUUID()), await dial(randomUUID())].map(({ body }) => body.call_id);
    expect(new Set(ids).size).toBe(2);
    expect(await countCalls()).toBe(before + 2);
  });

  it('is optional: without one the same body dials twice', async () => {
    const before = await countCalls();
    await client.dial(TO);
    await client.dial(TO);
    expect(await countCalls()).toBe(before + 2);
  });

  it.each(['not-a-uuid', ''])('%j is ignored on GET', async (written) => {
    const answer = await client.get('/v1/agents', { 'Idempotency-Key': written });
    expectFirst(answer, 200);
  });

  it('does not replay a GET', async () => {
    const id = await client.call(TO);
    const read = async (): Promise<Answer> => client.get(`/v1/calls/${id}`, { 'Idempotency-Key': key });
    expect((await read()).body.data.status).toBe('QUEUED');
    await sandbox.clock.untilIdle();
    const later = await read();
    expectFirst(later, 200);
    expect(later.body.data.status).toBe('COMPLETED');
  });
});

describe('the scope of a key', () => {
  it('is one organization', async () => {
    const key = randomUUID();
    const first = await dial(key);
    for (const other of ['svc_sandbox_other', 'svc_test_idempotency-tenant']) {
      const answer = await dial(key, { note: 'another body' }, { key: other });
      expectFirst(answer, 202);
      expect(answer.body.call_id).not.toBe(first.body.call_id);
    }
    expectReplay(await dial(key), first);
  });

  it('includes all API keys of the organization', async () => {
    const key = randomUUID();
    const first = await dial(key);
    expectReplay(await dial(key, {}, { key: 'svc_sandbox_compliance' }), first);
    expectReplay(await dial(key, {}, { key: 'svc_test_default' }), first);
    expectError(await dial(key, { note: 1 }, { key: 'svc_sandbox_compliance' }), 409, 'idempotency_conflict');
  });

  it('is one path, ids included', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const agents = (await client.get('/v1/agents')).body.data;
    const renamed = [];
    for (const { id } of agents) renamed.push(await client.patch(`/v1/agents/${id}`, { name: 'Same' }, key));
    expect(renamed.map(({ body }) => body.data.id)).toEqual(agents.map(({ id }: { id: string }) => id));
    renamed.forEach((answer) => {
      expectFirst(answer, 200);
    });
    const hungUp = await client.post(`/v1/calls/${await client.call(TO)}/hangup`, undefined, key);
    expectFirst(hungUp, 200);
    expectFirst(await dial(key['Idempotency-Key']), 202);
    expectFirst(await client.post('/v1/caller-ids', { phone_number: '+14155550155' }, key), 201);
  });
});

describe('the 24 hours of world time that a key is kept', () => {
  it('end to the millisecond, and the key is free then', async () => {
    const key = randomUUID();
    const first = await dial(key);
    await sandbox.clock.advance('86399999ms');
    expectReplay(await dial(key), first);
    expectError(await dial(key, { note: 1 }), 409, 'idempotency_conflict');
    await sandbox.clock.advance('1ms');
    const next = await dial(key, { note: 1 });
    expectFirst(next, 202);
    expect(next.body.call_id).not.toBe(first.body.call_id);
    expectReplay(await dial(key, { note: 1 }), next);
  });

  it('are not extended by a replay', async () => {
    const key = randomUUID();
    await dial(key);
    await sandbox.clock.advance('23h');
    expect(isReplay(await dial(key))).toBe(true);
    await sandbox.clock.advance('1h');
    expectFirst(await dial(key), 202);
  });

  it('start at the success, not at the failures before it', async () => {
    const key = randomUUID();
    expectError(await dial(key, { to_number: '+12125550135' }), 502, 'provider_api_error');
    await sandbox.clock.advance('20h');
    const success = await dial(key);
    await sandbox.clock.advance('20h');
    expectReplay(await dial(key), success);
  });

  it('do not pass when an instant clock jumps, where system time counts', async () => {
    await client.post('/_sandbox/worlds', { name: 'idempotency-instant', clock: 'instant' });
    const apiKey = 'svc_test_idempotency-instant';
    const key = randomUUID();
    const first = await dial(key, {}, { key: apiKey });
    const long = await dial(randomUUID(), {}, { key: apiKey, headers: { 'X-Sandbox-Scenario': 'answered;talk=3d' } });
    const { started_at, ended_at } = (await clientOf(sandbox.url, apiKey).readCall(long.body.call_id)) as {
      started_at: string;
      ended_at: string;
    };
    expect(Date.parse(ended_at) - Date.parse(started_at)).toBeGreaterThan(3 * 86_400_000);
    expectReplay(await dial(key, {}, { key: apiKey }), first);
  });

  // Redis has the memory.
  it.skipIf(isOnRedis)('end early for the oldest keys only when memory is short', async () => {
    const own = await createSandbox({ clock: 'manual', rateLimit: 'off', memory: '16mb' });
    const to = wireTo(own.url);
    try {
      const agent = (await clientOf(own.url).get('/v1/agents')).body.data[0].id;
      const change = (key: string, text: string): Promise<Answer> => {
        const headers = { ...JSON_TYPE, 'Idempotency-Key': key };
        const body = JSON.stringify({ system_prompt: text });
        return to.send({ method: 'PATCH', path: `/v1/agents/${agent}`, headers, body });
      };
      const long = 'x'.repeat(131_072);
      const keys = Array.from({ length: 40 }, () => randomUUID());
      for (const [at, key] of keys.entries()) {
        expect((await change(key, long)).status).toBe(200);
        if (at === 25) expect(isReplay(await change(keys[0] as string, long))).toBe(true);
      }
      expect(isReplay(await change(keys.at(-1) as string, long))).toBe(true);
      expect(isReplay(await change(keys.at(-25) as string, long))).toBe(true);
      expectFirst(await change(keys[0] as string, long), 200);
    } finally {
      to.close();
      await own.close();
    }
  });

  it('end with a reset of the world', async () => {
    const key = randomUUID();
    await dial(key);
    await sandbox.reset();
    expectFirst(await dial(key), 202);
  });
});
