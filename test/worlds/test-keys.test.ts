// The keys svc_test_<world>, which create their world on first use, and --auto-worlds off: `interface.md` sections 1, 2.
import { describe, expect, it } from 'vitest';
import { type Client, clientOf, expectError } from '../support/client.ts';
import { BUNDLED, dataOf, defaultScopes, organizationOf, useWorlds, withSandbox } from './setup.ts';

const { sandbox, client, withKey, inWorld, worldNames } = useWorlds();

describe('a svc_test_ key', () => {
  it.each([
    'a',
    '0',
    'nightly-42',
    '2026-01-05',
    '_',
    '-',
    'dials_a_busy_line',
    'toString',
    '__proto__',
    'a'.repeat(64),
  ])('creates the world %s on first use', async (world) => {
    expect(await worldNames()).not.toContain(world);
    const answer = await inWorld(world).get('/v1/account');
    expect(answer.status).toBe(200);
    expect(answer.headers['x-sandbox-world']).toBe(world.toLowerCase());
    expect(answer.body.data.organization.slug).toBe('harbor-street-dental');
    expect(await worldNames()).toContain(world.toLowerCase());
  });

  it('creates a world of its own for each name, underscores included', async () => {
    const [busy, voicemail] = [inWorld('test_busy'), inWorld('test_voicemail')];
    const id = await busy.call('+12125550101');
    expectError(await voicemail.get(`/v1/calls/${id}`), 404, 'not_found');
    expect(await organizationOf(busy)).not.toBe(await organizationOf(voicemail));
    expectError(await inWorld('test').get(`/v1/calls/${id}`), 404, 'not_found');
  });

  it('leads to the same world in upper and lower case, so that the name of a test will do', async () => {
    const id = await inWorld('Test_Dials_Twice').call('+12125550100');
    const answer = await inWorld('test_dials_twice').get(`/v1/calls/${id}`);
    expect([answer.status, answer.headers['x-sandbox-world']]).toEqual([200, 'test_dials_twice']);
    expect((await withKey('svc_test_DEFAULT').get('/v1/me')).headers['x-sandbox-world']).toBe('default');
    expect((await sandbox.world('TEST_dials_twice').requests()).map(({ path }) => path)).toContain('/v1/calls/dial');
  });

  it('creates the world on a first control request too', async () => {
    expect((await inWorld('by-control').get('/_sandbox/clock')).status).toBe(200);
    expect(await worldNames()).toContain('by-control');
  });

  it.each(['.', '.ci', '.CI.worker-7', '.a_b.c', '.%7Bx%7D', '.test_dial.py::test_busy[2]', `.${'x'.repeat(512)}`])(
    'with %.40s after the name leads to the same world',
    async (rest) => {
      const id = await inWorld('suffixed').call('+12125550100');
      const answer = await withKey(`svc_test_suffixed${rest}`).get(`/v1/calls/${id}`);
      expect(answer.status).toBe(200);
      expect(answer.headers['x-sandbox-world']).toBe('suffixed');
    },
  );

  it('has the scopes of svc_sandbox_default', async () => {
    const scopes = [...(await dataOf(inWorld('scoped.x'), '/v1/me')).scopes].sort();
    expect(scopes).toEqual([...(await dataOf(client, '/v1/me')).scopes].sort());
    expect(scopes).toEqual([...(await defaultScopes(client))].sort());
  });

  it.each(BUNDLED)('with the name of the bundled world %s leads to that world', async (world) => {
    const [own, test] = [withKey(`svc_sandbox_${world}`), inWorld(world)];
    expect(await organizationOf(test)).toBe(await organizationOf(own));
    const id = await test.call('+12125550199');
    expect((await own.readCall(id)).id).toBe(id);
    expect((await withKey(`svc_test_${world}.x`).get('/v1/me')).headers['x-sandbox-world']).toBe(world);
    await sandbox.world(world).reset();
  });

  it('has its own rate window for each suffix', async () => {
    const [plain, one, two] = ['svc_test_rated', 'svc_test_rated.1', 'svc_test_rated.2'].map((key) => withKey(key));
    const remaining = async (client: Client | undefined) =>
      (await client?.get('/v1/me'))?.headers['x-ratelimit-remaining'];
    expect([await remaining(plain), await remaining(plain), await remaining(plain)]).toEqual(['599', '598', '597']);
    expect([await remaining(one), await remaining(one)]).toEqual(['599', '598']);
    expect(await remaining(two)).toBe('599');
    expect(await remaining(plain)).toBe('596');
  });

  it('creates one world when many first requests arrive at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => inWorld('crowded').dial('+12125550100')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ body }) => body.call_id)).size).toBe(20);
    expect(new Set(answers.map(({ headers }) => headers['x-sandbox-world']))).toEqual(new Set(['crowded']));
    expect((await inWorld('crowded').get('/v1/calls')).body.meta.total_results).toBe(27);
  });

  it('does not report a world as recreated that was never deleted', async () => {
    const headers = [];
    for (let requests = 0; requests < 3; requests++) {
      headers.push((await inWorld('never-deleted').get('/v1/me')).headers['x-sandbox-world']);
    }
    expect(headers).toEqual(['never-deleted', 'never-deleted', 'never-deleted']);
  });
});

describe('--auto-worlds off', () => {
  it('creates no world on first use, but serves existing worlds', async () => {
    await withSandbox({ autoWorlds: 'off' }, async (own) => {
      for (const path of ['/v1/me', '/_sandbox/clock', '/_sandbox/worlds']) {
        const answer = await inWorld('unheard-of', own).get(path);
        expectError(answer, 401, 'unauthorized');
        expect(answer.body.error.message).toContain('--auto-worlds off');
        expect(answer.body.error.resolution_hint).toContain('POST /_sandbox/worlds');
      }
      expect((await worldNames(own)).sort()).toEqual([...BUNDLED].sort());
      expect((await inWorld('demo', own).get('/v1/me')).headers['x-sandbox-world']).toBe('demo');
      const { api_key } = (await clientOf(own.url).post('/_sandbox/worlds', { name: 'posted' })).body.data;
      expect((await withKey(api_key, own).get('/v1/me')).headers['x-sandbox-world']).toBe('posted');
      expect((await withKey(`${api_key}.x`, own).get('/v1/me')).status).toBe(200);
    });
  });
});
