// Lead intake: `spec.md` "Lead intake endpoints do not use API keys" and the assumption lead_intake; the lead sources
// of the control API and their rotation (`interface.md` section 5).
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { type Answer, type Client, clientOf, expectError } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { useSandboxAndReceiver } from '../support/listening.ts';
import { LEAD, LEADS, SECRET, submitLead } from '../support/outbound.ts';
import { thorough } from '../support/thorough.ts';
import { subscribe } from '../support/webhooks.ts';
import { instant } from '../support/world.ts';

const folderOf = temporaryFolders();
const { sandbox, client, receiver } = useSandboxAndReceiver({ clock: 'manual' });

const submit = (body?: object, path?: string, headers?: object): Promise<Answer> =>
  submitLead(sandbox.url, body, path, headers);
const sources = async (by: Client = client): Promise<Answer['body'][]> =>
  (await by.get('/_sandbox/lead-sources')).body.data;
const contacts = async (by: Client = client): Promise<Answer['body'][]> => (await by.get('/v1/contacts')).body.data;
const withSecret = (source_secret: string) => ({ 'X-Source-Secret': source_secret });

const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`name ${n}`, null]));

describe('a lead', () => {
  it('becomes a contact without an API key, and contact_created is sent', async () => {
    await subscribe(client, receiver.url, 'contact_created');
    const body = { ...LEAD, email: 'lena@mail.example' };
    const answer = await submit(body);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...body,
      status: 'active',
      source: 'lead',
      created_at: instant(0),
      updated_at: instant(0),
    });
    expect(answer.headers['x-sandbox-world']).toBe('default');
    expect(answer.headers['x-sandbox-assumptions']).toContain('lead_intake');
    expect((await client.get(`/v1/contacts/${answer.body.data.id}`)).body.data).toEqual(answer.body.data);
    await sandbox.clock.advance('0s');
    expect(receiver.got.map(({ body: sent }) => sent)).toEqual([answer.body.data]);
    expect(receiver.got[0]?.headers).not.toHaveProperty('x-service-signature-256');
  });

  it('has metadata with up to 1,000 names', async () => {
    const metadata = { of: [named(499), { in: named(499) }] };
    expect((await submit({ metadata })).body.data.metadata).toEqual(metadata);
  });

  it('may omit every field, and its unknown fields are ignored', async () => {
    expect((await submit({})).body.data).toMatchObject({ name: null, phone_number: null, email: null, metadata: null });
    const { data } = (await submit({ name: 'Lena', utm_source: 'x', status: 'vip', source: 'me' })).body;
    expect(data).toMatchObject({ name: 'Lena', status: 'active', source: 'lead' });
    expect(data).not.toHaveProperty('utm_source');
  });

  it.each<[what: string, body: object, field: string]>([
    ['an invalid phone number', { phone_number: '555-0179' }, 'phone_number'],
    ['a phone number that is not a string', { phone_number: 14155550179 }, 'phone_number'],
    ['an invalid email address', { email: 'lena' }, 'email'],
    ['metadata that is an array', { metadata: [] }, 'metadata'],
    ['metadata that is a string', { metadata: 'x' }, 'metadata'],
    ['metadata that has 1,001 names', { metadata: named(1001) }, 'metadata'],
    ['metadata whose objects have 1,001 names', { metadata: { of: [named(500), { in: named(499) }] } }, 'metadata'],
    ['a name that is too long', { name: 'x'.repeat(256) }, 'name'],
    ['a name that is a number', { name: 5 }, 'name'],
  ])('with %s is 400 with the field, and creates no contact', async (_, body, field) => {
    const answer = await submit({ ...LEAD, ...body });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect(await contacts()).toHaveLength(3);
  });

  it.each([
    ['of an unknown world', '/v1/leads/lead_no-such-world'],
    ['of an unknown source of a world', '/v1/leads/lead_default.other'],
    ['in another format', '/v1/leads/__proto__'],
    ['that is an id', '/v1/leads/00000000-0000-4000-8000-000000000000'],
    ['of a world without sources', '/v1/leads/lead_hipaa'],
  ])('with a URL token %s is 404, with any secret or key', async (_, path) => {
    expectError(await submit(LEAD, path), 404, 'not_found');
    expectError(await submit(LEAD, path, {}), 404, 'not_found');
    expectError(await clientOf(sandbox.url).post(path, LEAD, SECRET), 404, 'not_found');
  });

  it('does not create a world, and is accepted once the world exists', async () => {
    const path = '/v1/leads/lead_leads-come-later';
    expectError(await submit(LEAD, path), 404, 'not_found');
    const { data } = (await client.get('/_sandbox/worlds?page_size=1000')).body;
    expect(data.map(({ name }: Answer['body']) => name)).not.toContain('leads-come-later');
    const world = clientOf(sandbox.url, 'svc_test_leads-come-later');
    expect(await contacts(world)).toHaveLength(3);
    const answer = await submit(LEAD, path);
    expect(answer.headers['x-sandbox-world']).toBe('leads-come-later');
    expect((await contacts(world))[0]).toEqual(answer.body.data);
    expect(await contacts()).toHaveLength(3);
  });

  it.each<[what: string, headers: object]>([
    ['no secret', {}],
    ['an empty secret', withSecret('')],
    ['a wrong secret', withSecret('sandbox_lead_secre')],
    ['an API key instead', { Authorization: 'Bearer svc_sandbox_default' }],
  ])('with %s is 401, and creates no contact', async (_, headers) => {
    const answer = await submit(LEAD, LEADS, headers);
    expectError(answer, 401, 'unauthorized');
    expect(answer.headers['www-authenticate']).toContain('SourceSecret');
    expect(answer.headers['x-sandbox-world']).toBe('default');
    expect(await contacts()).toHaveLength(3);
  });

  it('is checked for its path, then its secret, then its body', async () => {
    expectError(await clientOf(sandbox.url, null).post(LEADS, '{', {}), 401, 'unauthorized');
    expectError(await clientOf(sandbox.url, null).get(LEADS), 405, 'method_not_allowed');
    expectError(await clientOf(sandbox.url, null).post(LEADS, '{', SECRET), 400, 'validation_error');
  });

  it('has a rate window per URL token', async () => {
    const first = await submit();
    expect(first.headers['x-ratelimit-limit']).toBe('600');
    expect(first.headers['x-ratelimit-remaining']).toBe('599');
    await client.get('/v1/account');
    expect((await submit()).headers['x-ratelimit-remaining']).toBe('598');
  });

  it.runIf(thorough)('is refused past the quota of its URL token, which leaves others alone', async () => {
    for (let n = 0; n < 600; n++) await submit({});
    const answer = await submit();
    expectError(answer, 429, 'rate_limited');
    expect((await client.get('/v1/account')).status).toBe(200);
    const [{ id }] = await sources();
    const { data } = (await client.post(`/_sandbox/lead-sources/${id}/rotate`, { source_secret: false })).body;
    expect((await submit(LEAD, `/v1/leads/${data.url_token}`)).status).toBe(201);
  });

  it('fails with the error that a header requests, and creates no contact', async () => {
    expectError(await submit(LEAD, LEADS, { ...SECRET, 'X-Sandbox-Error': 'forbidden' }), 403, 'forbidden');
    expect(await contacts()).toHaveLength(3);
  });

  it('is in the journal of its world, without the secret', async () => {
    await submit();
    const { data, text } = { text: (await client.get('/_sandbox/requests')).text, data: await sandbox.requests() };
    expect(data[0]).toMatchObject({ operation: 'createLead', status: 201 });
    expect(text).not.toContain('sandbox_lead_secret');
  });
});

describe('a lead source', () => {
  it('is listed with its URL token and secret', async () => {
    expect(await sources()).toEqual([
      {
        id: expect.any(String),
        name: 'Website form',
        url_token: 'lead_default',
        source_secret: 'sandbox_lead_secret',
        organization_id: (await client.get('/v1/account')).body.data.organization.id,
        created_at: instant(-75 * 86_400_000),
        rotated_at: null,
      },
    ]);
    expect((await sources(clientOf(sandbox.url, 'svc_test_other-leads')))[0]?.url_token).toBe('lead_other-leads');
  });

  it.each<[what: string, body: object | undefined, token: boolean, secret: boolean]>([
    ['both', undefined, true, true],
    ['the URL token alone', { source_secret: false }, true, false],
    ['the secret alone', { url_token: false }, false, true],
  ])('is rotated: %s; the old values are no longer valid', async (_, body, token, secret) => {
    const [before] = await sources();
    await sandbox.clock.advance('1m');
    const answer = await client.post(`/_sandbox/lead-sources/${before?.id}/rotate`, body);
    expect(answer.status, answer.text).toBe(200);
    const after = answer.body.data;
    expect(await sources()).toEqual([after]);
    expect(after).toMatchObject({ id: before?.id, name: before?.name, rotated_at: instant(60_000) });
    expect(after.url_token !== before?.url_token).toBe(token);
    expect(after.source_secret !== before?.source_secret).toBe(secret);
    const path = `/v1/leads/${after.url_token}`;
    expect((await submit(LEAD, path, withSecret(after.source_secret))).status).toBe(201);
    if (token) expectError(await submit(LEAD, LEADS, withSecret(after.source_secret)), 404, 'not_found');
    if (secret) expectError(await submit(LEAD, path), 401, 'unauthorized');
  });

  it('can be rotated repeatedly, and is restored by a reset', async () => {
    const [{ id }] = await sources();
    const seen = new Set<string>();
    for (let n = 0; n < 3; n++) {
      const { data } = (await client.post(`/_sandbox/lead-sources/${id}/rotate`)).body;
      seen.add(data.url_token);
      for (const token of seen) {
        const answer = await submit(LEAD, `/v1/leads/${token}`, withSecret(data.source_secret));
        expect(answer.status).toBe(token === data.url_token ? 201 : 404);
      }
    }
    await sandbox.reset();
    expect((await submit()).status).toBe(201);
    for (const token of seen) expectError(await submit(LEAD, `/v1/leads/${token}`), 404, 'not_found');
    const { data } = (await client.post(`/_sandbox/lead-sources/${id}/rotate`)).body;
    expect(seen.has(data.url_token)).toBe(false);
  });

  it('that is unknown is 404, and an invalid body is 400', async () => {
    expectError(await client.post('/_sandbox/lead-sources/nope/rotate'), 404, 'not_found');
    const [{ id }] = await sources();
    const answer = await client.post(`/_sandbox/lead-sources/${id}/rotate`, { url_token: 'mine' });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['url_token']);
  });

  it('of a fixture can be one of several, and belong to a sub-entity', async () => {
    const fixture = `
organization: { name: One, slug: one, plan: growth }
user: { name: Robin, email: robin@one.example }
keys: [{ key: svc_one }]
sub_entities: [{ slug: child, name: Child, created: -1d }]
lead_sources:
  - { name: Website, created: -2d, source_secret: first }
  - { name: Fair, created: -1d, suffix: fair, source_secret: second, owner: child }
`;
    const own = await createSandbox({
      clock: 'manual',
      fixtures: folderOf({ 'one.yaml': fixture, 'default.yaml': fixture.replace('svc_one', 'svc_two') }),
    });
    try {
      const by = clientOf(own.url, 'svc_one');
      expect((await sources(by)).map(({ url_token }) => url_token)).toEqual(['lead_one.fair', 'lead_one']);
      expect((await submitLead(own.url, LEAD, '/v1/leads/lead_one', withSecret('first'))).status).toBe(201);
      expectError(await submitLead(own.url, LEAD, '/v1/leads/lead_one.fair', withSecret('first')), 401, 'unauthorized');
      const fair = await submitLead(own.url, LEAD, '/v1/leads/lead_one.fair', withSecret('second'));
      expect(fair.status).toBe(201);
      expect((await contacts(by)).map(({ id }) => id)).not.toContain(fair.body.data.id);
      expect(await contacts(by)).toHaveLength(1);
    } finally {
      await own.close();
    }
  });
});
