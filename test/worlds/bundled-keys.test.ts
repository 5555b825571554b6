// The keys of the bundled worlds: `interface.md` section 2, row by row.
import { describe, expect, it } from 'vitest';
import { type Answer, type Client, expectError } from '../support/client.ts';
import { operations } from '../support/operations.ts';
import { BUNDLED, dataOf, organizationOf, useWorlds, withSandbox } from './setup.ts';

const { client, withKey } = useWorlds();

describe('the bundled keys', () => {
  it.each([
    ['svc_sandbox_default', 'default', 'harbor-street-dental'],
    ['svc_sandbox_compliance', 'default', 'harbor-street-dental'],
    ['svc_sandbox_metadata', 'default', 'harbor-street-dental'],
    ['svc_sandbox_demo', 'demo', 'meridian-home-services'],
    ['svc_sandbox_hipaa', 'hipaa', 'larkspur-clinic'],
    ['svc_sandbox_regulated', 'regulated', 'copperfield-outreach'],
    ['svc_sandbox_other', 'other', 'quayside-motors'],
  ])('%s leads to the world %s', async (key, world, slug) => {
    const answer = await withKey(key).get('/v1/account');
    expect(answer.status).toBe(200);
    expect(answer.headers['x-sandbox-world']).toBe(world);
    expect(answer.body.data.organization.slug).toBe(slug);
  });

  it('belong to five organizations', async () => {
    const ids = await Promise.all(BUNDLED.map((world) => organizationOf(withKey(`svc_sandbox_${world}`))));
    expect(new Set(ids).size).toBe(5);
  });

  it('svc_sandbox_webrtc can only issue browser calling tokens', async () => {
    const user = withKey('svc_sandbox_webrtc');
    const others = operations.filter(({ scopes }) => scopes.length > 0 && !scopes.includes('voice:webrtc'));
    expect(others.length).toBeGreaterThanOrEqual(18);
    for (const { method, path } of others) {
      const answer = await user[method.toLowerCase() as 'get'](path);
      expectError(answer, 403, 'scope_missing');
      expect(answer.headers['x-sandbox-world']).toBe('default');
    }
    expectError(await user.get('/v1/me'), 403, 'scope_missing');
    expect((await user.post('/v1/webrtc-token')).status).toBe(201);
  });

  it('svc_sandbox_revoked gets 401, also from the control API', async () => {
    for (const path of ['/v1/account', '/v1/calls', '/_sandbox/clock', '/_sandbox/requests']) {
      const answer = await withKey('svc_sandbox_revoked').get(path);
      expectError(answer, 401, 'unauthorized');
      expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
    }
  });

  it('svc_sandbox_demo is a demo key with 120 requests per minute', async () => {
    await withSandbox({}, async (own) => {
      const client = withKey('svc_sandbox_demo', own);
      const first = await client.get('/v1/account');
      expect(first.body.data.is_demo).toBe(true);
      expect(first.headers['x-ratelimit-limit']).toBe('120');
      expect(first.headers['x-ratelimit-remaining']).toBe('119');
      expect(first.headers['ratelimit-policy']).toBe('"default";q=120;w=60');
      for (let requests = 2; requests <= 120; requests++) expect((await client.get('/v1/me')).status).toBe(200);
      expectError(await client.get('/v1/me'), 429, 'rate_limited');
    });
  });

  it('svc_sandbox_demo shows numbers, agents, and finished calls with a transcript', async () => {
    const client = withKey('svc_sandbox_demo');
    expect((await dataOf(client, '/v1/phone-numbers')).length).toBeGreaterThanOrEqual(4);
    expect((await dataOf(client, '/v1/agents')).length).toBeGreaterThanOrEqual(1);
    const calls = (await dataOf(client, '/v1/calls')) as { id: string; has_transcript: boolean }[];
    const spoken = calls.filter(({ has_transcript }) => has_transcript);
    expect(spoken.length).toBeGreaterThanOrEqual(1);
    for (const { id } of spoken) expect((await dataOf(client, `/v1/calls/${id}/transcript`)).call_id).toBe(id);
  });

  it('svc_sandbox_hipaa shows a finished call whose transcript the content policy withholds', async () => {
    const client = withKey('svc_sandbox_hipaa');
    const calls = (await dataOf(client, '/v1/calls')) as Answer['body'][];
    const spoken = calls.find(({ has_transcript }) => has_transcript);
    expect(spoken).toMatchObject({ status: 'COMPLETED', recording_url: null });
    expectError(await client.get(`/v1/calls/${spoken.id}/transcript`), 403, 'content_policy_forbidden');
  });

  it('svc_sandbox_other shows a second tenant with its own ids', async () => {
    const idsOf = async (user: Client): Promise<string[]> => {
      const lists = await Promise.all(
        ['/v1/calls', '/v1/agents', '/v1/caller-ids', '/v1/phone-numbers'].map((path) => dataOf(user, path)),
      );
      const rows = lists.flat().map(({ id, caller_id_id }) => String(id ?? caller_id_id));
      return [...rows, (await dataOf(user, '/v1/me')).user.id];
    };
    const [ours, theirs] = [await idsOf(client), await idsOf(withKey('svc_sandbox_other'))];
    expect(theirs.length).toBeGreaterThan(5);
    expect(ours.filter((id) => theirs.includes(id))).toEqual([]);
  });
});
