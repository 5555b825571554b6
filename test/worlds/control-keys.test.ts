// Keys made by the control API: `interface.md` section 5. Their plaintext is shown once and never stored.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Answer, type Client, clientOf, expectError } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { childOrganization, START } from '../support/world.ts';
import { dataOf, defaultScopes, organizationOf, useWorlds, withSandbox } from './setup.ts';

const folderOf = temporaryFolders();
const { sandbox, client, withKey, inWorld } = useWorlds();

describe('the keys of the control API', () => {
  const make = async (client: Client, body: object): Promise<Answer['body']> => {
    const answer = await client.post('/_sandbox/keys', body);
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data;
  };

  it('are shown once in plaintext, and then listed without it', async () => {
    const client = inWorld('keys');
    const made = await make(client, { scopes: ['calls:read', 'calls:write'] });
    expect(made).toEqual({
      id: expect.stringMatching(/./),
      api_key: expect.stringMatching(/^svc_/),
      scopes: ['calls:read', 'calls:write'],
    });
    const { text, body } = await client.get('/_sandbox/keys');
    expect(text).not.toContain(made.api_key);
    expect(text).not.toContain(createHash('sha256').update(made.api_key).digest('hex'));
    expect(body.data).toEqual([
      {
        id: made.id,
        scopes: ['calls:read', 'calls:write'],
        is_demo: false,
        requests_per_minute: 600,
        revoked: false,
        created_at: START,
        organization_id: await organizationOf(client),
      },
    ]);
    expect(body.meta).toEqual({ cursor: null, total_results: 1, page_size: 100 });
  });

  it('of the default world are the bundled keys', async () => {
    await withSandbox({}, async (own) => {
      const keys = (await dataOf(clientOf(own.url), '/_sandbox/keys')) as Answer['body'][];
      expect(keys).toHaveLength(5);
      expect(keys.filter(({ revoked }) => revoked)).toHaveLength(1);
      expect(keys.map(({ scopes }) => scopes.length).sort((a, b) => a - b)).toEqual([1, 13, 27, 27, 28]);
    });
  });

  it('have every scope except compliance:write by default', async () => {
    const { scopes } = await make(inWorld('keys-usual'), {});
    expect([...scopes].sort()).toEqual([...(await defaultScopes(client))].sort());
  });

  it('allow what their scopes say, and nothing else', async () => {
    const { api_key } = await make(client, { scopes: ['agents:read'] });
    const user = withKey(api_key);
    expect((await user.get('/v1/agents')).status).toBe(200);
    expectError(await user.get('/v1/me'), 403, 'scope_missing');
    expectError(await user.dial('+12125550100'), 403, 'scope_missing');
  });

  it('work on the control API with any scopes', async () => {
    const client = withKey((await make(inWorld('keys-control'), { scopes: ['agents:read'] })).api_key);
    await inWorld('keys-control').call('+12125550100');
    expect((await client.get('/_sandbox/events')).body.meta.total_results).toBe(1);
  });

  it('are demo keys if created with is_demo', async () => {
    const user = withKey((await make(client, { is_demo: true })).api_key);
    const answer = await user.get('/v1/account');
    expect(answer.body.data.is_demo).toBe(true);
    expect(answer.headers['x-ratelimit-limit']).toBe('120');
  });

  it('have the rate limit that they were created with', async () => {
    const user = withKey((await make(client, { requests_per_minute: 3 })).api_key);
    for (const remaining of ['2', '1', '0']) {
      const answer = await user.get('/v1/me');
      expect(answer.status).toBe(200);
      expect(answer.headers['x-ratelimit-limit']).toBe('3');
      expect(answer.headers['x-ratelimit-remaining']).toBe(remaining);
    }
    const refused = await user.get('/v1/me');
    expectError(refused, 429, 'rate_limited');
    expect(refused.headers['ratelimit-policy']).toBe('"default";q=3;w=60');
    const both = withKey((await make(client, { is_demo: true, requests_per_minute: 7 })).api_key);
    expect((await both.get('/v1/me')).headers['x-ratelimit-limit']).toBe('7');
  });

  it('of a sub-entity see only its records', async () => {
    const organization_id = await childOrganization(client);
    const made = await make(client, { organization_id });
    const user = withKey(made.api_key);
    const { organization } = await dataOf(user, '/v1/account');
    expect(organization).toMatchObject({ id: organization_id, slug: 'harbor-street-orthodontics' });
    const numbers = await dataOf(user, '/v1/phone-numbers');
    expect(numbers.map(({ phone_number }: { phone_number: string }) => phone_number)).toEqual(['+14155550194']);
    const listed = (await dataOf(client, '/_sandbox/keys')) as Answer['body'][];
    expect(listed.find(({ id }) => id === made.id).organization_id).toBe(organization_id);
  });

  it("created with the organization's own id belong to the organization", async () => {
    const organization_id = await organizationOf(client);
    const made = await make(client, { organization_id });
    expect(await organizationOf(withKey(made.api_key))).toBe(organization_id);
  });

  it.each([
    ['scopes.0', { scopes: ['calls:delete'] }],
    ['scopes.1', { scopes: ['calls:read', 5] }],
    ['scopes', { scopes: 'calls:read' }],
    ['is_demo', { is_demo: 'yes' }],
    ['requests_per_minute', { requests_per_minute: 0 }],
    ['requests_per_minute', { requests_per_minute: 1.5 }],
    ['requests_per_minute', { requests_per_minute: '60' }],
    ['organization_id', { organization_id: 5 }],
    ['organization_id', { organization_id: 'nonsense' }],
    ['organization_id', { organization_id: '' }],
    ['name', { name: 'ci' }],
  ])('an invalid %s is 400 with that field (case %#)', async (field, body) => {
    const answer = await client.post('/_sandbox/keys', body);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
  });

  it('an organization_id that does not exist in this world is 404 with that field', async () => {
    const elsewhere = await organizationOf(withKey('svc_sandbox_other'));
    for (const organization_id of ['00000000-0000-4000-8000-000000000000', elsewhere]) {
      const answer = await client.post('/_sandbox/keys', { organization_id });
      expectError(answer, 404, 'not_found');
      expect(Object.keys(answer.body.error.fields)).toEqual(['organization_id']);
    }
  });

  it('are all different', async () => {
    const client = inWorld('keys-many');
    const made = [];
    for (let keys = 0; keys < 12; keys++) made.push(await make(client, {}));
    expect(new Set(made.map(({ api_key }) => api_key)).size).toBe(12);
    expect(new Set(made.map(({ id }) => id)).size).toBe(12);
  });

  it('get 401 once deleted, also from the control API, while other keys still work', async () => {
    const [deleted, kept] = [await make(client, {}), await make(client, {})];
    const answer = await client.delete(`/_sandbox/keys/${deleted.id}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expectError(await withKey(deleted.api_key).get('/v1/me'), 401, 'unauthorized');
    expectError(await withKey(deleted.api_key).get('/_sandbox/clock'), 401, 'unauthorized');
    expect((await withKey(kept.api_key).get('/v1/me')).status).toBe(200);
  });

  it('are 404 to delete if they do not exist', async () => {
    expectError(await client.delete('/_sandbox/keys/key_nope'), 404, 'not_found');
  });

  it('are listed only in their own world', async () => {
    const made = await make(inWorld('keys-here'), {});
    expect((await dataOf(inWorld('keys-there'), '/_sandbox/keys')).length).toBe(0);
    expect((await dataOf(inWorld('keys-here'), '/_sandbox/keys'))[0].id).toBe(made.id);
  });
});

describe('the plaintext of a key', () => {
  it('does not appear in the keys and requests of the control API', async () => {
    const made = (await client.post('/_sandbox/keys', {})).body.data.api_key;
    await withKey(made).get('/v1/me');
    await client.get('/v1/me');
    const shown = [
      (await client.get('/_sandbox/keys')).text,
      (await client.get('/_sandbox/requests')).text,
      JSON.stringify(await sandbox.requests()),
    ].join('\n');
    for (const key of [made, 'svc_sandbox_default', 'svc_sandbox_metadata']) expect(shown).not.toContain(key);
  });

  it('is not in the state file, but its SHA-256 hash is', async () => {
    const file = join(folderOf(), 'state.json');
    let made = '';
    await withSandbox({ state: file }, async (own) => {
      const client = clientOf(own.url);
      made = (await client.post('/_sandbox/keys', {})).body.data.api_key;
      await withKey(made, own).get('/v1/me');
    });
    const written = readFileSync(file, 'utf8');
    expect(written).toContain(createHash('sha256').update(made).digest('hex'));
    expect(written).not.toContain(made);
    expect(written).not.toContain('svc_sandbox_default');
    await withSandbox({ state: file }, async (own) => {
      expect((await withKey(made, own).get('/v1/me')).status).toBe(200);
    });
  });
});
