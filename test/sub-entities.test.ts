// Sub-entities: `spec.md` "Sub-entity (child organization)" and the scopes sub_entities:* and compliance:write; the
// rows forbidden and "Operations that `spec.md` names without a shape" of `interface.md` section 9.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../src/index.ts';
import { type Answer, type Client, clientOf, expectError } from './support/client.ts';
import { childOf, childOrganization, clientWith, instant, pagesOf } from './support/world.ts';

let sandbox: Sandbox;
let client: Client;
/** The same organization by a key with every scope. */
let officer: Client;
let every: string[];

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual' });
  client = clientOf(sandbox.url);
  officer = clientOf(sandbox.url, 'svc_sandbox_compliance');
  every = (await client.get('/_sandbox/catalog')).body.data.scopes;
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const DAY = 86_400_000;
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const listed = async (by: Client = client): Promise<Answer['body'][]> => (await by.get('/v1/sub-entities')).body.data;
const organizationOf = async (by: Client): Promise<Answer['body']> =>
  (await by.get('/v1/account')).body.data.organization;
const keyOf = (organization_id: string, body: object = {}): Promise<Client> =>
  clientWith(sandbox.url, client, { organization_id, ...body });

async function made(body: object, by: Client = client): Promise<Answer['body']> {
  const answer = await by.post('/v1/sub-entities', body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
}

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

  it('is empty where there is none', async () => {
    expect((await clientOf(sandbox.url, 'svc_sandbox_other').get('/v1/sub-entities')).body).toEqual({
      data: [],
      meta: { cursor: null, total_results: 0, page_size: 25 },
    });
  });

  it('is newest first and paged by cursor and page_size', async () => {
    const ids: string[] = [];
    for (const name of ['One', 'Two', 'Three']) ids.unshift((await made({ name })).id);
    const whole = await listed();
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
  it('is as the list shows it', async () => {
    const [child] = await listed();
    expect((await client.get(`/v1/sub-entities/${child?.id}`)).body.data).toEqual(child);
  });

  it.each(['nope', NOWHERE, '1'])('is 404 where the id names none: %s', async (id) => {
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

describe('making a sub-entity', () => {
  it('answers 201 with it, and it is there from then on', async () => {
    await sandbox.clock.advance('1h');
    const child = await made({ name: 'Harbor Street Surgery' });
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
    expect((await listed())[0]).toEqual(child);
  });

  it('makes an organization of its own: its key sees it, and nothing of the umbrella', async () => {
    const { id, name, slug } = await made({ name: 'Harbor Street Surgery' });
    const child = await keyOf(id);
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
  ])('makes the slug from the name %s', async (name, slug) => {
    expect(await made({ name })).toMatchObject({ name, slug });
  });

  it('takes a name of 255 characters, and makes a shorter slug from it', async () => {
    const name = 'x'.repeat(255);
    expect(await made({ name })).toMatchObject({ name, slug: 'x'.repeat(80) });
  });

  it('numbers a slug that is taken', async () => {
    const slugs = [];
    for (let n = 0; n < 3; n++) slugs.push((await made({ name: 'Harbor Street Orthodontics' })).slug);
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
    ['a mode that is no boolean', { name: 'Fine', hipaa_enabled: 'yes' }, 'hipaa_enabled'],
  ])('is 400 with %s, and makes none', async (_, body, field) => {
    const answer = await officer.post('/v1/sub-entities', body);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect(await listed()).toHaveLength(1);
  });

  it('accepts fields that it does not know, and ignores them', async () => {
    const child = await made({ name: 'Fine', slug: 'mine', plan: 'scale' });
    expect(child.slug).toBe('fine');
    expect(child).not.toHaveProperty('plan');
  });

  it('is undone by a reset; a key of the child is 401 then', async () => {
    const { id } = await made({ name: 'Short-lived' });
    const child = await keyOf(id);
    expect((await child.get('/v1/account')).status).toBe(200);
    await sandbox.reset();
    expect(await listed()).toHaveLength(1);
    expectError(await child.get('/v1/account'), 401, 'unauthorized');
    expectError(await child.get('/_sandbox/clock'), 401, 'unauthorized');
  });
});

describe('updating a sub-entity', () => {
  it('changes the name and nothing else', async () => {
    const [before] = await listed();
    const answer = await client.patch(`/v1/sub-entities/${before?.id}`, { name: 'Harbor Street Braces' });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ ...before, name: 'Harbor Street Braces' });
    expect(await listed()).toEqual([answer.body.data]);
    expect((await organizationOf(await keyOf(before?.id))).name).toBe('Harbor Street Braces');
  });

  it('changes nothing where nothing is sent', async () => {
    const [before] = await listed();
    expect((await client.patch(`/v1/sub-entities/${before?.id}`, {})).body.data).toEqual(before);
  });

  it.each([
    ['an empty name', { name: '' }, 'name'],
    ['a blank name', { name: ' \n' }, 'name'],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, 'name'],
    ['a name that is a boolean', { name: false }, 'name'],
    ['a mode that is null', { hipaa_enabled: null }, 'hipaa_enabled'],
    ['a mode that is a number', { hipaa_enabled: 1 }, 'hipaa_enabled'],
  ])('is 400 with %s, and changes nothing', async (_, body, field) => {
    const before = await listed();
    const answer = await officer.patch(`/v1/sub-entities/${before[0]?.id}`, body);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect(await listed()).toEqual(before);
  });
});

describe('the HIPAA mode', () => {
  const setTo = (id: string, hipaa_enabled: boolean): Promise<Answer> =>
    officer.patch(`/v1/sub-entities/${id}`, { hipaa_enabled });

  it("turns the content policy on for that child, as its own key sees, and the parent's calls stay open", async () => {
    const id = await childOrganization(client);
    const child = await childOf(sandbox.url, client);
    const [call] = (await child.get('/v1/calls')).body.data;
    const transcript = `/v1/calls/${call.id}/transcript`;
    expect(call.recording_url).toMatch(/^http/);
    expect((await child.get(transcript)).status).toBe(200);

    expect((await fetch(call.recording_url)).status).toBe(200);

    expect((await setTo(id, true)).body.data.hipaa_enabled).toBe(true);
    expectError(await child.get(transcript), 403, 'content_policy_forbidden');
    // An address that was given out before is no way round it.
    expect((await fetch(call.recording_url)).status).toBe(403);
    expect(await child.readCall(call.id)).toMatchObject({ has_recording: true, recording_url: null });
    const own = (await client.get('/v1/calls')).body.data.find((each: Answer['body']) => each.has_transcript);
    expect((await client.get(`/v1/calls/${own.id}/transcript`)).status).toBe(200);

    expect((await setTo(id, false)).body.data.hipaa_enabled).toBe(false);
    expect((await child.get(transcript)).status).toBe(200);
  });

  it.each([true, false])('is refused to a key without compliance:write, which changes nothing (%s)', async (mode) => {
    const id = await childOrganization(client);
    const before = await listed();
    const without = await clientWith(sandbox.url, client, {
      scopes: every.filter((one) => one !== 'compliance:write'),
    });
    for (const by of [client, without]) {
      for (const answer of [
        await by.patch(`/v1/sub-entities/${id}`, { name: 'New', hipaa_enabled: mode }),
        await by.post('/v1/sub-entities', { name: 'New', hipaa_enabled: mode }),
      ]) {
        expectError(answer, 403, 'scope_missing');
        expect(Object.keys(answer.body.error.fields)).toEqual(['hipaa_enabled']);
        expect(answer.headers['www-authenticate']).toContain('scope="compliance:write"');
      }
    }
    expect(await listed()).toEqual(before);
  });

  it('has the status that the ledger sets for a missing scope', async () => {
    const own = clientOf(sandbox.url, 'svc_test_hipaa-status');
    expect((await own.put('/_sandbox/assumptions/scope_missing_status', { value: 401 })).status).toBe(200);
    const answer = await own.post('/v1/sub-entities', { name: 'New', hipaa_enabled: true });
    expectError(answer, 401, 'scope_missing');
  });

  it('can be there from the beginning', async () => {
    const { id, hipaa_enabled } = await made({ name: 'Clinic', hipaa_enabled: true }, officer);
    expect(hipaa_enabled).toBe(true);
    expect((await client.get(`/v1/sub-entities/${id}`)).body.data.hipaa_enabled).toBe(true);
  });
});

describe('a child organization', () => {
  it('is no umbrella: every operation on sub-entities is 403 forbidden for its key', async () => {
    const id = await childOrganization(client);
    const child = await keyOf(id, { scopes: every });
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
    expect(await listed()).toHaveLength(1);
  });
});
