// Sub-entities: `spec.md` "Sub-entity (child organization)", listed, read and created; the rows forbidden and "Operations
// that `spec.md` names without a shape" of `interface.md` section 9.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Client, clientOf, expectError, NOWHERE } from '../support/client.ts';
import { useFreshSandbox } from '../support/sandbox.ts';
import { childOrganization, instant, pagesOf } from '../support/world.ts';
import { createSubEntity, keyOf, listed, organizationOf, scopesOf } from './setup.ts';

const { sandbox, client } = useFreshSandbox({ clock: 'manual' });

/** The same organization, with a key that has every scope. */
let officer: Client;
let allScopes: string[];
beforeAll(async () => {
  officer = clientOf(sandbox.url, 'svc_sandbox_compliance');
  allScopes = await scopesOf(client);
});

const DAY = 86_400_000;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('the list of sub-entities', () => {
  it('holds the child organizations with every field of the specification', async () => {
    const { status, body } = await client.get('/v1/sub-entities');
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        {
          id: await childOrganization(client),
          name: 'Harbor Street Orthodontics',
          slug: 'harbor-street-orthodontics',
          parent_organization_id: (await organizationOf(client)).id,
          hipaa_enabled: false,
          member_count: 0,
          phone_number_count: 1,
          created_at: instant(-40 * DAY),
        },
      ],
      meta: { cursor: null, total_results: 1, page_size: 25 },
    });
  });

  it('is empty without sub-entities', async () => {
    expect((await clientOf(sandbox.url, 'svc_sandbox_other').get('/v1/sub-entities')).body).toEqual({
      data: [],
      meta: { cursor: null, total_results: 0, page_size: 25 },
    });
  });

  it('is newest first and paged by cursor and page_size', async () => {
    const ids: string[] = [];
    for (const name of ['One', 'Two', 'Three']) ids.unshift((await createSubEntity(client, { name })).id);
    const whole = await listed(client);
    expect(whole.map(({ id }) => id)).toEqual([...ids, await childOrganization(client)]);
    const pages = await pagesOf(client, '/v1/sub-entities', 3);
    expect(pages.flatMap(({ data }) => data)).toEqual(whole);
    expect(pages.map(({ meta }) => [meta.total_results, meta.page_size])).toEqual([
      [4, 3],
      [4, 3],
    ]);
  });
});

describe('one sub-entity', () => {
  it('is the same as in the list', async () => {
    const [child] = await listed(client);
    expect((await client.get(`/v1/sub-entities/${child?.id}`)).body.data).toEqual(child);
  });

  it.each(['nope', NOWHERE, '1'])('is 404 for an unknown id: %s', async (id) => {
    expectError(await client.get(`/v1/sub-entities/${id}`), 404, 'not_found');
    expectError(await client.patch(`/v1/sub-entities/${id}`, { name: 'New' }), 404, 'not_found');
  });

  it('is 404 for the umbrella itself, and for a child of another tenant', async () => {
    const other = clientOf(sandbox.url, 'svc_sandbox_other');
    for (const id of [(await organizationOf(client)).id, (await organizationOf(other)).id]) {
      expectError(await client.get(`/v1/sub-entities/${id}`), 404, 'not_found');
      expectError(await officer.patch(`/v1/sub-entities/${id}`, { hipaa_enabled: true }), 404, 'not_found');
    }
    const theirs = (await other.post('/v1/sub-entities', { name: 'Quayside Rentals' })).body.data;
    expectError(await client.get(`/v1/sub-entities/${theirs.id}`), 404, 'not_found');
    expectError(await client.patch(`/v1/sub-entities/${theirs.id}`, { name: 'Taken over' }), 404, 'not_found');
    expect((await other.get(`/v1/sub-entities/${theirs.id}`)).body.data).toEqual(theirs);
    await sandbox.world('other').reset();
  });
});

describe('creating a sub-entity', () => {
  it('returns 201 with it, and keeps it', async () => {
    await sandbox.clock.advance('1h');
    const child = await createSubEntity(client, { name: 'Harbor Street Surgery' });
    expect(child).toEqual({
      id: expect.stringMatching(uuid),
      name: 'Harbor Street Surgery',
      slug: 'harbor-street-surgery',
      parent_organization_id: (await organizationOf(client)).id,
      hipaa_enabled: false,
      member_count: 0,
      phone_number_count: 0,
      created_at: instant(3_600_000),
    });
    expect((await client.get(`/v1/sub-entities/${child.id}`)).body.data).toEqual(child);
    expect((await listed(client))[0]).toEqual(child);
  });

  it('creates a separate organization, whose key sees nothing of the umbrella', async () => {
    const { id, name, slug } = await createSubEntity(client, { name: 'Harbor Street Surgery' });
    const child = await keyOf(sandbox, id);
    const account = (await child.get('/v1/account')).body.data;
    expect(account).toMatchObject({
      plan: 'growth',
      organization: { id, name, slug },
      footprint: { phone_numbers: 0, enrolled_reputation_numbers: 0, own_brand_enterprise: false },
    });
    for (const path of ['calls', 'contacts', 'appointments', 'agents', 'phone-numbers', 'caller-ids']) {
      expect((await child.get(`/v1/${path}`)).body.data, path).toEqual([]);
    }
    expect((await child.get('/v1/usage')).body.data).toMatchObject({ calls_placed: 0, phone_numbers_active: 0 });
  });

  it.each([
    ['Harbor Street Surgery', 'harbor-street-surgery'],
    ["  St. Anne's — Café & Bar  ", 'st-anne-s-cafe-bar'],
    ['ÅNGSTRÖM 2', 'angstrom-2'],
    ['東京', '東京'],
    ['!!!', 'sub-entity'],
  ])('derives the slug from the name %s', async (name, slug) => {
    expect(await createSubEntity(client, { name })).toMatchObject({ name, slug });
  });

  it('accepts a name of 255 characters, and shortens the slug', async () => {
    const name = 'x'.repeat(255);
    expect(await createSubEntity(client, { name })).toMatchObject({ name, slug: 'x'.repeat(80) });
  });

  it('numbers a slug that is taken', async () => {
    const slugs = [];
    for (let n = 0; n < 3; n++)
      slugs.push((await createSubEntity(client, { name: 'Harbor Street Orthodontics' })).slug);
    expect(slugs).toEqual([
      'harbor-street-orthodontics-2',
      'harbor-street-orthodontics-3',
      'harbor-street-orthodontics-4',
    ]);
  });

  it.each([
    ['no name', {}, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a blank name', { name: '   ' }, 'name'],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, 'name'],
    ['a name that is a number', { name: 5 }, 'name'],
    ['a name that is null', { name: null }, 'name'],
    ['a mode that is not a boolean', { name: 'Fine', hipaa_enabled: 'yes' }, 'hipaa_enabled'],
  ])('is 400 with %s, and creates none', async (_, body, field) => {
    const answer = await officer.post('/v1/sub-entities', body);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect(await listed(client)).toHaveLength(1);
  });

  it('ignores unknown fields', async () => {
    const child = await createSubEntity(client, { name: 'Fine', slug: 'mine', plan: 'scale' });
    expect(child.slug).toBe('fine');
    expect(child).not.toHaveProperty('plan');
  });

  it('is undone by a reset, after which a key of the child is 401', async () => {
    const { id } = await createSubEntity(client, { name: 'Short-lived' });
    const child = await keyOf(sandbox, id);
    expect((await child.get('/v1/account')).status).toBe(200);
    await sandbox.reset();
    expect(await listed(client)).toHaveLength(1);
    expectError(await child.get('/v1/account'), 401, 'unauthorized');
    expectError(await child.get('/_sandbox/clock'), 401, 'unauthorized');
  });
});

describe('a child organization', () => {
  it('is not an umbrella: every operation on sub-entities is 403 forbidden for its key', async () => {
    const id = await childOrganization(client);
    const child = await keyOf(sandbox, id, { scopes: allScopes });
    for (const answer of [
      await child.get('/v1/sub-entities'),
      await child.post('/v1/sub-entities', { name: 'Grandchild' }),
      await child.get(`/v1/sub-entities/${id}`),
      await child.get(`/v1/sub-entities/${NOWHERE}`),
      await child.patch(`/v1/sub-entities/${id}`, { hipaa_enabled: true }),
    ]) {
      expectError(answer, 403, 'forbidden');
      expect(answer.headers['x-sandbox-assumptions']).toContain('forbidden');
    }
    expect(await listed(client)).toHaveLength(1);
  });
});
