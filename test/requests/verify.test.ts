// `POST /_sandbox/requests/verify`: `interface.md` section 5.
import { describe, expect, it } from 'vitest';
import { clientOf, expectError } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';

const { sandbox } = useSandbox({ clock: 'manual', journalLimit: 20 });
let worlds = 0;

/** A client of a new world, and a function that verifies there. */
function newWorld() {
  worlds += 1;
  const client = clientOf(sandbox.url, `svc_test_verify_${worlds}`);
  return { client, verify: (body: object) => client.post('/_sandbox/requests/verify', body) };
}

describe('counting', () => {
  it('counts the requests that match, whatever they were answered', async () => {
    const { client, verify } = newWorld();
    await client.call('+12125550100');
    await client.dial('+12125550111');
    await client.get('/v1/calls');
    const dials = { match: { operation: 'dialCall' } };
    expect((await verify({ ...dials, exactly: 2 })).body).toEqual({ data: { passed: true, actual: 2 } });
    expect((await verify({ match: {}, exactly: 3 })).status).toBe(200);
    expect((await verify(dials)).status).toBe(200);
    expect((await verify({ ...dials, at_least: 1, at_most: 2 })).status).toBe(200);
    const failed = await verify({ ...dials, at_most: 1 });
    expect(failed.status).toBe(409);
    expect(failed.body).toEqual({ data: { passed: false, actual: 2, misses: [] } });
    expect((await verify({ match: { operation: 'createCall' } })).body.data).toMatchObject({
      passed: false,
      actual: 0,
    });
    expect((await verify({ match: { operation: 'createCall' }, at_most: 0 })).status).toBe(200);
  });

  it('matches methods in any case, paths by glob, headers by any spelling and bodies in part', async () => {
    const { client, verify } = newWorld();
    const id = await client.call('+12125550100', { 'X-Trace': 'a b' });
    await client.get(`/v1/calls/${id}`);
    await client.post('/v1/sms/send', {});
    const counts = async (match: object): Promise<number> => (await verify({ match })).body.data.actual;
    expect(await counts({ method: 'post' })).toBe(2);
    expect(await counts({ path: '/v1/calls/*' })).toBe(2);
    expect(await counts({ path: '/v1/**', method: 'GET' })).toBe(1);
    expect(await counts({ path: '/v1/sms/*' })).toBe(1);
    expect(await counts({ headers: { 'x-TRACE': 'a b' } })).toBe(1);
    expect(await counts({ headers: { 'x-trace': 'a' } })).toBe(0);
    expect(await counts({ body: { to_number: '+12125550100' } })).toBe(1);
    expect(await counts({ body: { to_number: '+12125550101' } })).toBe(0);
    expect(await counts({ body: {} })).toBe(2);
    expect(await counts({ body: '{}' })).toBe(1);
  });

  it('compares bodies in depth, lists item by item', async () => {
    const { client, verify } = newWorld();
    const body = { call_reasons: ['a', { deep: [1, null] }], more: true };
    await client.post('/v1/caller-trust/display-identities', body);
    const passes = async (expected: object) => (await verify({ match: { body: expected } })).body.data.passed;
    expect(await passes({ call_reasons: ['a', { deep: [1, null] }] })).toBe(true);
    expect(await passes({ call_reasons: ['a', {}] })).toBe(true);
    expect(await passes({ call_reasons: ['a'] })).toBe(false);
    expect(await passes({ call_reasons: ['a', { deep: [null, 1] }] })).toBe(false);
    expect(await passes({ more: 'true' })).toBe(false);
    expect(await passes({ gone: null })).toBe(false);
  });

  it('counts neither control requests nor those of another world', async () => {
    const { client, verify } = newWorld();
    await client.get('/_sandbox/clock');
    await newWorld().client.get('/v1/me');
    expect((await verify({ match: {}, exactly: 0 })).status).toBe(200);
  });
});

describe('misses', () => {
  it('name the nearest requests first, with the fields that differ', async () => {
    const { client, verify } = newWorld();
    await client.get('/v1/me');
    await client.call('+12125550101', { 'X-Trace': '1' });
    const near = await client.dial('+12125550102', { 'X-Trace': '2' });
    const match = { operation: 'dialCall', headers: { 'X-Trace': '2' }, body: { to_number: '+12125550100', tag: 'x' } };
    const { misses } = (await verify({ match })).body.data;
    expect(misses.map(({ operation }: { operation: string }) => operation)).toEqual(['dialCall', 'dialCall', 'getMe']);
    expect(misses[0]).toMatchObject({
      id: near.headers['x-sandbox-request-id'],
      method: 'POST',
      path: '/v1/calls/dial',
      status: 202,
      differences: [
        { field: 'body.to_number', expected: '+12125550100', actual: '+12125550102' },
        { field: 'body.tag', expected: 'x' },
      ],
    });
    expect(misses[1].differences[0]).toEqual({ field: 'headers.X-Trace', expected: '2', actual: '1' });
    expect(misses[2].differences[0]).toEqual({ field: 'operation', expected: 'dialCall', actual: 'getMe' });
  });

  it('are at most five', async () => {
    const { client, verify } = newWorld();
    for (let count = 0; count < 7; count++) await client.get('/v1/me');
    expect((await verify({ match: { method: 'DELETE' } })).body.data.misses).toHaveLength(5);
  });
});

describe('what the journal does not have', () => {
  it('is 409 with the number dropped, unless the answer is the same whatever was dropped', async () => {
    const { client, verify } = newWorld();
    for (let count = 0; count < 23; count++) await client.get('/v1/me');
    const me = { match: { operation: 'getMe' } };
    const unsure = await verify({ ...me, exactly: 23 });
    expectError(unsure, 409, 'conflict');
    expect(unsure.body.error.message).toContain('dropped 3 requests');
    expectError(await verify({ match: { operation: 'dialCall' } }), 409, 'conflict');
    expectError(await verify({ ...me, at_most: 20 }), 409, 'conflict');
    expect((await verify({ ...me, at_least: 20 })).status).toBe(200);
    expect((await verify({ ...me, exactly: 19 })).body.data).toEqual({ passed: false, actual: 20, misses: [] });
    expect((await verify({ ...me, at_least: 24 })).body.data).toMatchObject({ passed: false, actual: 20 });
  });

  it('is 409 where only the beginning of a body is kept that could match', async () => {
    const { client, verify } = newWorld();
    const body = { content_base64: 'A'.repeat(70_000), filename: 'a.pdf' };
    await client.post('/v1/caller-trust/documents', body);
    const cut = await verify({ match: { operation: 'uploadDocument', body: { filename: 'a.pdf' } } });
    expectError(cut, 409, 'conflict');
    expect(cut.body.error.message).toContain('only the beginning of the bodies of 1 requests');
    expect((await verify({ match: { operation: 'uploadDocument' } })).status).toBe(200);
  });

  it('cannot be matched if it is redacted', async () => {
    const { verify } = newWorld();
    const fieldsOf = async (match: object) => Object.keys((await verify({ match })).body.error.fields);
    expect(await fieldsOf({ headers: { Authorization: 'Bearer x' } })).toEqual(['match.headers.Authorization']);
    expect(await fieldsOf({ body: { a: [{ token: 'x', b: 1 }] } })).toEqual(['match.body.a.0.token']);
    expect(await fieldsOf({ body: { note: 'svc_test_a' } })).toEqual(['match.body.note']);
    expect(await fieldsOf({ path: '/v1/leads/ltk_0123456789abcdef01234567' })).toEqual(['match.path']);
    expect((await verify({ match: { body: { token: null } }, at_most: 0 })).status).toBe(200);
  });
});

it.each([
  ['match', {}],
  ['match', { match: null }],
  ['match.operation', { match: { operation: 'dialCal' } }],
  ['match.path', { match: { path: '' } }],
  ['match.path', { match: { path: '/v1/calls?page_size=1' } }],
  ['match.headers', { match: { headers: [] } }],
  ['match.query', { match: { query: 'a' } }],
  ['exactly', { match: {}, exactly: 1, at_least: 1 }],
  ['exactly', { match: {}, exactly: -1 }],
  ['at_least', { match: {}, at_least: 1.5 }],
  ['at_most', { match: {}, at_least: 2, at_most: 1 }],
])('refuses a wrong %s (case %#)', async (field, body) => {
  const answer = await newWorld().verify(body);
  expectError(answer, 400, 'validation_error');
  expect(Object.keys(answer.body.error.fields)).toEqual([field]);
});

it('suggests the operation that was meant', async () => {
  const answer = await newWorld().verify({ match: { operation: 'dialCal' } });
  expect(answer.body.error.fields['match.operation']).toContain('did you mean dialCall?');
});
