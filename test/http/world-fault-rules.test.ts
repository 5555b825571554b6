// Which requests a fault of a world meets, and how faults are set and listed: `interface.md` section 5.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { clientOf, expectError } from '../support/client.ts';
import { useFaultyWorlds } from './faulty-worlds.ts';

const { sandbox, newWorld } = useFaultyWorlds();

const error = { error: 'internal_error' };

describe('which requests it meets', () => {
  it('meets those of its operation, method and path, and all without any', async () => {
    const { client, set } = newWorld();
    const meets = async (fault: object): Promise<string[]> => {
      await set({ ...fault, ...error });
      const paths = ['GET /v1/calls', 'GET /v1/agents', 'GET /v1/calls/x', 'POST /v1/calls/dial'];
      const met: string[] = [];
      for (const request of paths) {
        const [method, path] = request.split(' ') as ['GET' | 'POST', string];
        const answer = method === 'GET' ? await client.get(path) : await client.post(path, {});
        if (answer.status === 500) met.push(request);
      }
      await client.delete('/_sandbox/faults');
      return met;
    };
    expect(await meets({})).toHaveLength(4);
    expect(await meets({ operation: 'list*' })).toEqual(['GET /v1/calls', 'GET /v1/agents']);
    expect(await meets({ method: 'post' })).toEqual(['POST /v1/calls/dial']);
    expect(await meets({ path: '/v1/calls/*' })).toEqual(['GET /v1/calls/x', 'POST /v1/calls/dial']);
    expect(await meets({ path: '/v1/calls/*', method: 'GET' })).toEqual(['GET /v1/calls/x']);
    expect(await meets({ path: '/v1/calls**', operation: '*Call' })).toEqual([
      'GET /v1/calls/x',
      'POST /v1/calls/dial',
    ]);
  });

  it('counts the requests that match: skip, nth and times', async () => {
    const { client, set, statuses, faults } = newWorld();
    const [ok, no] = [200, 500];
    await set({ ...error, operation: 'getMe', skip: 1, times: 2 });
    await client.get('/v1/agents');
    expect(await statuses(5)).toEqual([ok, no, no, ok, ok]);
    await set({ ...error, nth: 2 });
    expect(await statuses(4)).toEqual([ok, no, ok, ok]);
    await set({ ...error, nth: 2, skip: 1 });
    expect(await statuses(4)).toEqual([ok, ok, no, ok]);
    expect((await faults()).map(({ matched, applied }) => [matched, applied])).toEqual([
      [3, 2],
      [2, 1],
      [3, 1],
    ]);
  });

  it('takes the first that answers, so that faults in a row happen in a row', async () => {
    const { set, statuses } = newWorld();
    await set({ respond: { status: 502 }, times: 2 });
    await set({ respond: { status: 503 }, times: 1 });
    expect(await statuses(4)).toEqual([502, 502, 503, 200]);
  });

  it('lets one that delays happen together with one that answers', async () => {
    const { client, set, journaled } = newWorld();
    const slow = await set({ latency: '1ms' });
    const broken = await set(error);
    const answer = await client.get('/v1/me');
    expect(answer.headers['x-sandbox-fault-applied']).toBe(`${slow.id}, ${broken.id}`);
    expect((await journaled(answer)).faults).toHaveLength(2);
  });

  it("lasts for its ttl, on the world's clock", async () => {
    const { client, set, statuses } = newWorld();
    const { expires_at } = await set({ ...error, ttl: '10s' });
    expect(expires_at).toBe('2026-01-05T15:00:10.000Z');
    await client.post('/_sandbox/clock/advance', { by: '9999ms' });
    expect(await statuses(1)).toEqual([500]);
    await client.post('/_sandbox/clock/advance', { by: '1ms' });
    expect(await statuses(1)).toEqual([200]);
  });

  it('leaves a request alone for what its headers ask for, and is not used up by it', async () => {
    const { client, set, faults } = newWorld();
    await set({ ...error, times: 1 });
    await set({ latency: '5s', times: 1 });
    const headers = { 'X-Sandbox-Error': 'rate_limited', 'X-Sandbox-Delay': '1ms' };
    expectError(await client.get('/v1/me', headers), 429, 'rate_limited');
    expectError(await client.get('/v1/me', { 'X-Sandbox-Scenario': 'bussy' }), 400, 'validation_error');
    expectError(await clientOf(sandbox.url, 'svc_nobody').get('/v1/me'), 401, 'unauthorized');
    expect((await faults()).map(({ matched }) => matched)).toEqual([0, 0]);
  });

  it('meets requests of its own world alone, and survives no reset', async () => {
    const { client, set, statuses, faults } = newWorld();
    const first = await set({ ...error, probability: 0.5 });
    const drawn = await statuses(12);
    expect(await newWorld().statuses(1)).toEqual([200]);
    await client.post('/_sandbox/reset');
    expect(await faults()).toEqual([]);
    expect(await statuses(1)).toEqual([200]);
    await client.post('/_sandbox/reset');
    expect((await set({ ...error, probability: 0.5 })).id).toBe(first.id);
    expect(await statuses(12)).toEqual(drawn);
  });
});

it('happens in the same way for one seed and one order of requests, to the byte', async () => {
  const run = async (): Promise<string> => {
    const { client, set } = newWorld('repeated');
    await client.post('/_sandbox/reset');
    await set({ probability: 0.4, error: 'provider_api_error' });
    await set({ probability: 0.5, latency: '0ms..3ms' });
    await set({ probability: 0.5, drift: ['extra_fields', 'timestamps_offset'] });
    const seen = createHash('sha256');
    const kinds = new Set<string>();
    for (let number = 0; number < 40; number++) {
      const answer = await client.get('/v1/agents');
      kinds.add(`${answer.status} ${(answer.headers['x-sandbox-fault-applied'] ?? '').split(',').length}`);
      seen.update(answer.text + answer.headers['x-sandbox-fault-applied']);
    }
    const { data } = (await client.get('/_sandbox/requests')).body;
    for (const { faults } of data) seen.update(JSON.stringify(faults ?? null));
    expect(kinds.size).toBeGreaterThan(2);
    return seen.digest('hex');
  };
  expect(await run()).toBe(await run());
});

describe('the faults of a world', () => {
  it('are listed as they were set, replaced by a list, and deleted one by one or all', async () => {
    const { client, set, faults } = newWorld();
    const added = await set({ ...error, method: 'get', times: 3 });
    expect(added).toEqual({
      id: expect.stringMatching(/^flt_/),
      ...error,
      method: 'get',
      times: 3,
      when: 'before',
      probability: 1,
      created_at: '2026-01-05T15:00:00.000Z',
      expires_at: null,
      matched: 0,
      applied: 0,
    });
    await set({ fault: 'empty' });
    expect((await faults()).map(({ when }) => when)).toEqual(['before', 'after']);
    const replaced = await client.put('/_sandbox/faults', { faults: [error, { latency: '1s' }] });
    expect([replaced.status, replaced.body.data.faults.length]).toEqual([200, 2]);
    const [kept, gone] = await faults();
    expect((await client.delete(`/_sandbox/faults/${gone.id}`)).status).toBe(204);
    expectError(await client.delete(`/_sandbox/faults/${gone.id}`), 404, 'not_found');
    expect(await faults()).toEqual([kept]);
    expect((await client.delete('/_sandbox/faults')).status).toBe(204);
    expect(await faults()).toEqual([]);
    expect((await client.put('/_sandbox/faults', { faults: [] })).body.data).toEqual({ faults: [] });
  });

  it('are at most 100, of which spent ones make room', async () => {
    const { client, set, statuses } = newWorld();
    await set({ ...error, times: 1 });
    await statuses(1);
    await client.put('/_sandbox/faults', { faults: Array.from({ length: 99 }, () => ({ latency: '1ms', times: 1 })) });
    await set({ ...error, times: 1 });
    expectError(await client.put('/_sandbox/faults', error), 409, 'conflict');
    await statuses(1);
    await set(error);
  });

  it.each([
    ['body', {}],
    ['body', { operation: 'dialCall' }],
    ['fault', { ...error, fault: 'reset' }],
    ['respond', { ...error, respond: { status: 502 } }],
    ['drift', { fault: 'reset', drift: ['extra_fields'] }],
    ['probability', { ...error, probability: 2 }],
    ['probability', { ...error, probability: '1' }],
    ['operation', { ...error, operation: '' }],
    ['operation', { ...error, operation: 'dialCal' }],
    ['path', { ...error, path: '' }],
    ['path', { ...error, path: '/v2/**' }],
    ['path', { ...error, path: '/v1/agents', operation: 'dialCall' }],
    ['method', { ...error, method: 'GET', operation: 'dialCall' }],
    ['latency', { latency: '2s..200ms' }],
    ['latency', { latency: '61s' }],
    ['latency', { latency: 'soon' }],
    ['error', { error: 'internal_eror' }],
    ['fault', { fault: 'rest' }],
    ['respond.status', { respond: { status: 99 } }],
    ['respond.status', { respond: {} }],
    ['respond.headers.Content-Length', { respond: { status: 200, headers: { 'Content-Length': 1 } } }],
    ['respond.headers.a b', { respond: { status: 200, headers: { 'a b': 'c' } } }],
    ['respond.headers.X-A', { respond: { status: 200, headers: { 'X-A': 'a\r\nb: c' } } }],
    ['respond.headers.x-sandbox-world', { respond: { status: 200, headers: { 'x-sandbox-world': 'b' } } }],
    ['respond.headers.via', { respond: { status: 200, headers: { Via: 'a', via: 'b' } } }],
    ['respond.content_type', { respond: { status: 200, headers: { 'content-type': 'a' }, content_type: 'b' } }],
    ['respond.body', { respond: { status: 204, body: 'a' } }],
    ['drift', { drift: [] }],
    ['drift.0', { drift: ['extra_field'] }],
    ['drift', { drift: ['extra_fields', 'extra_fields'] }],
    ['when', { drift: ['extra_fields'], when: 'before' }],
    ['when', { ...error, when: 'during' }],
    ['nth', { ...error, nth: 0 }],
    ['skip', { ...error, skip: -1 }],
    ['times', { ...error, times: 0 }],
    ['ttl', { ...error, ttl: '0s' }],
    ['tims', { ...error, tims: 1 }],
    ['faults.1.nth', { faults: [error, { ...error, nth: 0 }] }],
    ['faults', { faults: {} }],
    ['body', '[]'],
    ['body', 'null'],
  ])('are refused where they cannot happen, with the field that says so: %s', async (field, body) => {
    const { client, faults } = newWorld('refusing');
    const answer = await client.put('/_sandbox/faults', body);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect(await faults()).toEqual([]);
  });

  it('are refused with a suggestion', async () => {
    const { client } = newWorld('refusing');
    const fieldsOf = async (body: object) => (await client.put('/_sandbox/faults', body)).body.error.fields;
    expect((await fieldsOf({ ...error, operation: 'dialCal' })).operation).toContain('did you mean dialCall?');
    expect((await fieldsOf({ error: 'internal_eror' })).error).toContain('did you mean internal_error?');
    expect((await fieldsOf({ ...error, tims: 1 })).tims).toContain('did you mean times?');
  });

  it('are set by the library too, which refuses what cannot happen', async () => {
    const world = sandbox.world('from_library');
    const { id } = await world.fault({ operation: 'getMe', error: 'internal_error', times: 1 });
    const client = clientOf(sandbox.url, world.apiKey);
    expect((await client.get('/v1/me')).headers['x-sandbox-fault-applied']).toBe(id);
    await expect(world.fault({ error: 'internal_error', probability: 2 })).rejects.toThrow(
      'probability must be at most 1',
    );
    await world.fault({ fault: 'reset' });
    await world.clearFaults();
    expect((await client.get('/v1/me')).status).toBe(200);
  });
});
