// The account of a key: `spec.md` "Account snapshot", `GET /v1/account` and `GET /v1/me`, and "Authentication" 4 and 6;
// the row me of `interface.md` section 9.
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { type Answer, type Client, clientOf, expectError } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { useSandbox } from '../support/sandbox.ts';
import { childOf, childOrganization, clientWith } from '../support/world.ts';
import { scopesOf } from './setup.ts';

const folderOf = temporaryFolders();
const { sandbox, client } = useSandbox({ clock: 'manual' });

let allScopes: string[];
beforeAll(async () => {
  allScopes = await scopesOf(client);
});

const accountOf = async (by: Client): Promise<Answer['body']> => (await by.get('/v1/account')).body.data;
const meOf = async (by: Client): Promise<Answer['body']> => (await by.get('/v1/me')).body.data;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const bundled = ['default', 'demo', 'hipaa', 'regulated', 'other'];

describe('the account', () => {
  it('shows plan, user, organization and footprint', async () => {
    expect(await accountOf(client)).toEqual({
      api_key_id: expect.stringMatching(/^key_/),
      plan: 'growth',
      user: { id: expect.stringMatching(uuid), email: 'robin@harborstreet.example', name: 'Robin Ashdown' },
      organization: {
        id: expect.stringMatching(uuid),
        name: 'Harbor Street Dental',
        slug: 'harbor-street-dental',
      },
      footprint: { phone_numbers: 4, enrolled_reputation_numbers: 3, own_brand_enterprise: false },
      is_demo: false,
    });
  });

  it('api_key_id is the id under which the control API lists the key', async () => {
    const made = await client.post('/_sandbox/keys', {});
    const own = clientOf(sandbox.url, made.body.data.api_key);
    expect((await accountOf(own)).api_key_id).toBe(made.body.data.id);
    const listed = (await client.get('/_sandbox/keys')).body.data.map(({ id }: { id: string }) => id);
    expect(listed).toContain((await accountOf(client)).api_key_id);
  });

  it('api_key_id differs between the keys of one account and is the same on every request', async () => {
    const keys = ['svc_sandbox_default', 'svc_sandbox_compliance', 'svc_test_default', 'svc_test_default.ci'];
    const ids = await Promise.all(keys.map(async (key) => (await accountOf(clientOf(sandbox.url, key))).api_key_id));
    expect(new Set(ids).size).toBe(4);
    expect((await accountOf(client)).api_key_id).toBe(ids[0]);
  });

  it.each(bundled)('of the world %s counts its numbers and its enrolled numbers', async (world) => {
    const by = clientOf(sandbox.url, `svc_sandbox_${world}`);
    const { data } = (await by.get('/v1/phone-numbers?page_size=100')).body;
    expect((await accountOf(by)).footprint).toEqual({
      phone_numbers: data.length,
      enrolled_reputation_numbers: data.filter(
        (number: { reputation_enrolled_at: string | null }) => number.reputation_enrolled_at !== null,
      ).length,
      own_brand_enterprise: world === 'demo',
    });
  });

  it('of a sub-entity names it and counts its own numbers', async () => {
    const child = await childOf(sandbox.url, client);
    const account = await accountOf(child);
    expect(account.organization).toEqual({
      id: await childOrganization(client),
      name: 'Harbor Street Orthodontics',
      slug: 'harbor-street-orthodontics',
    });
    expect(account.footprint).toEqual({
      phone_numbers: 1,
      enrolled_reputation_numbers: 1,
      own_brand_enterprise: false,
    });
  });

  it('has is_demo set for demo keys only', async () => {
    const demo = await clientWith(sandbox.url, client, { is_demo: true });
    expect((await accountOf(demo)).is_demo).toBe(true);
    expect((await accountOf(client)).is_demo).toBe(false);
    expect((await accountOf(clientOf(sandbox.url, 'svc_sandbox_demo'))).is_demo).toBe(true);
    expect((await accountOf(clientOf(sandbox.url, 'svc_test_demo'))).is_demo).toBe(false);
  });
});

describe('the footprint of a custom fixture', () => {
  const number = (last: number, more = ''): string =>
    `  - { id: ${last}, phone_number: "+141555501${last}", created: -1d${more} }`;
  const fixture = [
    'organization: { name: Tern Ferry, slug: tern-ferry, plan: starter }',
    'user: { name: Front Office, email: office@tern.example }',
    'sub_entities:',
    '  - { slug: tern-freight, name: Tern Freight, created: -1d }',
    'phone_numbers:',
    number(50),
    number(51, ', status: PROVISIONING'),
    number(52, ', status: PROVISIONING'),
    number(53),
    number(54),
    number(55, ', owner: tern-freight'),
  ].join('\n');

  it('counts its records', async () => {
    const file = join(folderOf({ 'mine.yaml': fixture }), 'mine.yaml');
    const own = await createSandbox({ clock: 'manual', fixtures: file });
    try {
      expect(await accountOf(clientOf(own.url, 'svc_test_tern'))).toMatchObject({
        plan: 'starter',
        organization: { name: 'Tern Ferry', slug: 'tern-ferry' },
        footprint: { phone_numbers: 5, enrolled_reputation_numbers: 3, own_brand_enterprise: false },
      });
    } finally {
      await own.close();
    }
  });
});

describe('me', () => {
  it('shows the user, the organization and the scopes of the key', async () => {
    const { user, organization } = await accountOf(client);
    expect(await meOf(client)).toEqual({ user, organization, scopes: expect.any(Array) });
  });

  const metadata = [
    'account:read',
    'voice:read',
    'calls:read',
    'agents:read',
    'phone_numbers:read',
    'sms:read',
    'webhooks:read',
    'caller_trust:read',
    'brand:read',
    'sub_entities:read',
    'usage:read',
    'jobs:read',
    'bookings:read',
  ];

  it('shows every scope but compliance:write for a key without restricted scopes', async () => {
    const usual = allScopes.filter((scope) => scope !== 'compliance:write');
    expect(usual).toHaveLength(27);
    const made = await clientWith(sandbox.url, client, {});
    for (const by of [client, made, clientOf(sandbox.url, 'svc_test_me.anything')]) {
      expect([...(await meOf(by)).scopes].sort()).toEqual([...usual].sort());
    }
  });

  it('shows compliance:write for a key that was created with it', async () => {
    expect([...(await meOf(clientOf(sandbox.url, 'svc_sandbox_compliance'))).scopes].sort()).toEqual(
      [...allScopes].sort(),
    );
    const made = await clientWith(sandbox.url, client, { scopes: ['compliance:write', 'account:read'] });
    expect([...(await meOf(made)).scopes].sort()).toEqual(['account:read', 'compliance:write']);
  });

  it('shows every :read scope but recordings:read and transcripts:read for the metadata key', async () => {
    expect(metadata.slice().sort()).toEqual(
      allScopes.filter((scope) => /:read$/.test(scope) && !/^(recordings|transcripts):/.test(scope)).sort(),
    );
    expect([...(await meOf(clientOf(sandbox.url, 'svc_sandbox_metadata'))).scopes].sort()).toEqual(metadata.sort());
  });

  it('names the sub-entity for its key', async () => {
    const child = await childOf(sandbox.url, client);
    const { organization, user } = await meOf(child);
    expect(organization.slug).toBe('harbor-street-orthodontics');
    expect(user.id).toMatch(uuid);
  });
});

describe('both account operations', () => {
  it.each(['/v1/account', '/v1/me'])('%s takes no query parameter', async (path) => {
    const answer = await client.get(`${path}?verbose=1`);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['verbose']);
  });
});
