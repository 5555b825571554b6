// Contacts: `spec.md` "Contact" under "Resources and their fields" and its operations.
import { describe, expect, it } from 'vitest';
import { type Answer, type Client, clientOf, expectError } from '../support/client.ts';
import { useFreshSandbox } from '../support/sandbox.ts';
import { childOf, instant, pagesOf } from '../support/world.ts';

const { sandbox, client } = useFreshSandbox({ clock: 'manual' });

const DAY = 86_400_000;
const listed = async (by: Client = client): Promise<Answer['body'][]> => (await by.get('/v1/contacts')).body.data;
const addContact = async (body: object): Promise<Answer['body']> => {
  const answer = await client.post('/_sandbox/simulate/new-contact', body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};

describe('the list of contacts', () => {
  it('holds every contact of the organization, newest first, with cursor, total_results and page_size', async () => {
    const { status, body } = await client.get('/v1/contacts');
    expect(status).toBe(200);
    expect(body.data.map(({ name }: Answer['body']) => name)).toEqual([
      'Tomas Brightwater',
      'Noor Castellan',
      'Avery Lindqvist',
    ]);
    expect(body.meta).toEqual({ cursor: null, total_results: 3, page_size: 25 });
  });

  it('starts with a contact that was just added', async () => {
    await sandbox.clock.advance('1m');
    const { id } = await addContact({ name: 'Latest' });
    const after = await listed();
    expect(after.map(({ id: each }) => each)[0]).toBe(id);
    expect(after).toHaveLength(4);
  });

  it('is paged by cursor and page_size, each contact once', async () => {
    const whole = await listed();
    const pages = await pagesOf(client, '/v1/contacts', 2);
    expect(pages.flatMap(({ data }) => data)).toEqual(whole);
    expect(pages.map(({ meta }) => [typeof meta.cursor, meta.total_results, meta.page_size])).toEqual([
      ['string', 3, 2],
      ['object', 3, 2],
    ]);
  });

  it('continues after its cursor when a contact is added in between', async () => {
    const whole = await listed();
    const first = await client.get('/v1/contacts?page_size=1');
    await addContact({ name: 'In between' });
    const second = await client.get(`/v1/contacts?page_size=1&cursor=${first.body.meta.cursor}`);
    expect(second.body.data).toEqual([whole[1]]);
  });

  it.each(['page_size=0', 'page_size=101', 'page_size=x', 'cursor=x', 'status=active'])(
    'with %s is 400 and names the parameter',
    async (query) => {
      const answer = await client.get(`/v1/contacts?${query}`);
      expectError(answer, 400, 'validation_error');
      expect(Object.keys(answer.body.error.fields)).toEqual([query.split('=')[0]]);
    },
  );

  it('of a sub-entity holds only its own contacts, which the parent cannot see', async () => {
    const child = await childOf(sandbox.url, client);
    const theirs = await listed(child);
    expect(theirs.map(({ name }) => name)).toEqual(['Ines Okonjo']);
    expectError(await client.get(`/v1/contacts/${theirs[0]?.id}`), 404, 'not_found');
    expectError(await child.get(`/v1/contacts/${(await listed())[0]?.id}`), 404, 'not_found');
  });
});

describe('one contact', () => {
  it('has every field of the specification, metadata as an object or null', async () => {
    const [latest, , earliest] = await listed();
    expect((await client.get(`/v1/contacts/${latest?.id}`)).body.data).toEqual({
      id: latest?.id,
      name: 'Tomas Brightwater',
      phone_number: '+14155550172',
      email: null,
      status: 'active',
      source: 'lead',
      metadata: { referred_by: 'website' },
      created_at: instant(-20 * DAY),
      updated_at: instant(-20 * DAY),
    });
    expect((await client.get(`/v1/contacts/${earliest?.id}`)).body.data).toEqual(earliest);
    expect(earliest?.metadata).toBeNull();
  });

  it.each(['nope', '00000000-0000-4000-8000-000000000000', '1'])('is 404 for an unknown id: %s', async (id) => {
    expectError(await client.get(`/v1/contacts/${id}`), 404, 'not_found');
  });

  it('of another tenant is 404', async () => {
    const [theirs] = await listed(clientOf(sandbox.url, 'svc_sandbox_other'));
    expectError(await client.get(`/v1/contacts/${theirs?.id}`), 404, 'not_found');
  });
});
