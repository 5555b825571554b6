// The worlds of the control API and of the library: `interface.md` sections 5 and 6. Listed, created and deleted.
import { describe, expect, it } from 'vitest';
import { type Answer, expectError } from '../support/client.ts';
import { stretched } from '../support/until.ts';
import { START } from '../support/world.ts';
import { BUNDLED, dataOf, organizationOf, useWorlds } from './setup.ts';

const { sandbox, client, withKey, inWorld, worldNames } = useWorlds();

describe('the worlds of the control API', () => {
  it('are listed with their organization', async () => {
    await inWorld('listed').get('/v1/me');
    const answer = await client.get('/_sandbox/worlds?page_size=1000');
    expect(answer.status).toBe(200);
    const { data, meta } = answer.body;
    expect(meta).toEqual({ cursor: null, total_results: data.length, page_size: 1000 });
    const names = data.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining([...BUNDLED, 'listed']));
    expect(new Set(names).size).toBe(names.length);
    for (const world of [...BUNDLED, 'listed']) {
      const shown = data.find(({ name }: { name: string }) => name === world);
      expect(shown.organization_id).toBe(await organizationOf(inWorld(world)));
    }
  });

  it('are paged', async () => {
    const all = await worldNames();
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { data, meta }: Answer['body'] = (await client.get(`/_sandbox/worlds?page_size=3${from}`)).body;
      expect(data.length).toBeLessThanOrEqual(3);
      expect(meta.total_results).toBe(all.length);
      seen.push(...data.map(({ name }: { name: string }) => name));
      cursor = meta.cursor;
    }
    expect(seen).toEqual(all);
  });

  it('can be created by name: 201 with what a test needs', async () => {
    const answer = await client.post('/_sandbox/worlds', { name: 'made' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      data: {
        name: 'made',
        organization_id: expect.any(String),
        api_key: 'svc_test_made',
        signing_secret: 'sandbox_signing_secret',
      },
    });
    const own = await inWorld('made').get('/v1/account');
    expect(own.headers['x-sandbox-world']).toBe('made');
    expect(own.body.data.organization.id).toBe(answer.body.data.organization_id);
  });

  it('are named in lower case, whatever the case of the request', async () => {
    const { data } = (await client.post('/_sandbox/worlds', { name: 'Test_Made' })).body;
    expect(data).toMatchObject({ name: 'test_made', api_key: 'svc_test_test_made' });
    expectError(await client.post('/_sandbox/worlds', { name: 'test_MADE' }), 409, 'conflict');
  });

  it('can be created without a name, many at once, each with its own name', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.post('/_sandbox/worlds', {})));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const made = answers.map(({ body }) => body.data);
    expect(new Set(made.map(({ name }) => name)).size).toBe(8);
    for (const { name, api_key, organization_id } of made) {
      expect(name).toMatch(/^[a-z0-9-]{1,40}$/);
      expect(api_key).toBe(`svc_test_${name}`);
      expect(await organizationOf(withKey(api_key))).toBe(organization_id);
    }
  });

  it.each(['default', 'demo', 'taken-by-a-key', 'taken-by-a-post'])('an existing name is 409: %s', async (name) => {
    await inWorld('taken-by-a-key').get('/v1/me');
    await client.post('/_sandbox/worlds', { name: 'taken-by-a-post' });
    const before = await dataOf(inWorld(name), '/v1/account');
    expectError(await client.post('/_sandbox/worlds', { name }), 409, 'conflict');
    expect(await dataOf(inWorld(name), '/v1/account')).toEqual(before);
  });

  it.each([
    ['name', { name: '' }],
    ['name', { name: 'a.b' }],
    ['name', { name: 'a b' }],
    ['name', { name: 'a'.repeat(65) }],
    ['name', { name: 5 }],
    ['fixtures', { fixtures: 'nope' }],
    ['fixtures', { fixtures: ['default'] }],
    ['clock', { clock: 'slow' }],
    ['clock', { clock: '0x' }],
    ['speed', { speed: 2 }],
  ])('an invalid %s is 400 with that field (case %#)', async (field, body) => {
    const before = await worldNames();
    const answer = await client.post('/_sandbox/worlds', body);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect(await worldNames()).toEqual(before);
  });

  it('start with the given fixture and share its ids', async () => {
    await client.post('/_sandbox/worlds', { name: 'like-demo', fixtures: 'demo' });
    const [like, demo] = [inWorld('like-demo'), withKey('svc_sandbox_demo')];
    expect(await dataOf(like, '/v1/agents')).toEqual(await dataOf(demo, '/v1/agents'));
    expect(await organizationOf(like)).not.toBe(await organizationOf(demo));
    expect((await dataOf(like, '/v1/account')).is_demo).toBe(false);
  });

  it.each([
    ['manual', START],
    ['instant', START],
    ['real', null],
    ['20x', null],
  ])('start with the given clock: %s', async (clock, now) => {
    const name = `clock-${clock}`;
    await client.post('/_sandbox/worlds', { name, clock });
    const shown = await dataOf(inWorld(name), '/_sandbox/clock');
    expect(shown.mode).toBe(clock);
    if (now !== null) expect(shown.now).toBe(now);
    // A busy machine gets a minute.
    else expect(Math.abs(Date.parse(shown.now) - Date.now())).toBeLessThan(stretched(60_000));
  });

  it('can be deleted with all their records, and created again', async () => {
    const { api_key } = (await client.post('/_sandbox/worlds', { name: 'short-lived' })).body.data;
    const call = await withKey(api_key).call('+12125550100');
    const key = (await withKey(api_key).post('/_sandbox/keys', {})).body.data.api_key;
    const { token } = (await withKey(api_key).post('/v1/client-tokens')).body.data;
    const answer = await withKey(api_key).delete('/_sandbox/worlds/short-lived');
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await worldNames()).not.toContain('short-lived');
    expectError(await withKey(key).get('/v1/me'), 401, 'unauthorized');
    expectError(await client.delete('/_sandbox/worlds/short-lived'), 404, 'not_found');
    expect((await client.post('/_sandbox/worlds', { name: 'short-lived' })).status).toBe(201);
    expectError(await withKey(api_key).get(`/v1/calls/${call}`), 404, 'not_found');
    expectError(await withKey(key).get('/v1/me'), 401, 'unauthorized');
    expect((await withKey(api_key).post('/v1/client-tokens')).status).toBe(201);
    expectError(await withKey(token).get('/v1/me'), 401, 'unauthorized');
  });

  it('cannot be deleted if they are bundled', async () => {
    for (const world of BUNDLED) expectError(await inWorld(world).delete(`/_sandbox/worlds/${world}`), 409, 'conflict');
    expect(await worldNames()).toEqual(expect.arrayContaining(BUNDLED));
  });

  it.each(['unheard-of', 'a.b', '%00'])('are 404 to delete if they do not exist: %s', async (name) => {
    expectError(await client.delete(`/_sandbox/worlds/${name}`), 404, 'not_found');
  });
});

describe('the worlds of the library', () => {
  it('are the worlds of the test keys', async () => {
    const handle = sandbox.world('Handled');
    expect([handle.name, handle.apiKey]).toEqual(['handled', 'svc_test_handled']);
    const id = await withKey(handle.apiKey).call('+12125550101');
    await handle.clock.untilIdle();
    expect((await handle.events())[0]?.subject?.id).toBe(id);
    expect((await inWorld('handled').readCall(id)).status).toBe('BUSY');
  });

  it.each([['a.b'], ['a b'], [''], ['a'.repeat(65)]])(
    'do not exist under a name that no key can have: "%s"',
    async (name) => {
      const before = await worldNames();
      expect(() => sandbox.world(name)).toThrow('1 to 64 of A-Z, a-z, 0-9, _ and -');
      expect(await worldNames()).toEqual(before);
    },
  );
});
