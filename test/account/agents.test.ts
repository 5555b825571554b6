// Agents: `spec.md` "Agent" under "Resources and their fields" and "Agents" under "Endpoints"; the rows paging and
// unknown_body_fields of `interface.md` section 9.
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Answer, expectError } from '../support/client.ts';
import { useFreshSandbox } from '../support/sandbox.ts';
import { runs } from '../support/thorough.ts';
import { childOf, instant, pagesOf } from '../support/world.ts';

const { sandbox, client } = useFreshSandbox({ clock: 'manual' });

let first: string;
beforeEach(async () => {
  first = (await client.get('/v1/agents')).body.data[0].id;
});

const read = async (id = first): Promise<Answer['body']> => (await client.get(`/v1/agents/${id}`)).body.data;
const patch = (body: object | string, id = first): Promise<Answer> => client.patch(`/v1/agents/${id}`, body);

describe('the list of agents', () => {
  it('holds every agent of the organization, without system_prompt', async () => {
    const { status, body } = await client.get('/v1/agents');
    expect(status).toBe(200);
    expect(body.data.map(({ name, agent_type }: Answer['body']) => [name, agent_type])).toEqual([
      ['Front desk assistant', 'inbound'],
      ['Reminder caller', 'outbound'],
    ]);
    expect(body.meta).toEqual({ page_size: 25, cursor: null });
    for (const item of body.data) {
      const { system_prompt, ...shared } = await read(item.id);
      expect(item).toEqual(shared);
      expect(system_prompt).toMatch(/./);
    }
  });

  it('is paged by cursor and page_size', async () => {
    const { data } = (await client.get('/v1/agents')).body;
    const pages = await pagesOf(client, '/v1/agents', 1);
    expect(pages.map((page) => page.data)).toEqual([[data[0]], [data[1]]]);
    expect(pages.map(({ meta }) => Object.keys(meta).sort())).toEqual([
      ['cursor', 'page_size'],
      ['cursor', 'page_size'],
    ]);
    expect(pages.map(({ meta }) => [meta.page_size, typeof meta.cursor])).toEqual([
      [1, 'string'],
      [1, 'object'],
    ]);
  });

  it.each(['page_size=0', 'page_size=101', 'page_size=x', 'cursor=x', 'cursor=', 'enabled=true'])(
    'with %s is 400 and names the parameter',
    async (query) => {
      const answer = await client.get(`/v1/agents?${query}`);
      expectError(answer, 400, 'validation_error');
      expect(Object.keys(answer.body.error.fields)).toEqual([query.split('=')[0]]);
    },
  );

  it('of a sub-entity does not contain agents of the parent', async () => {
    const child = await childOf(sandbox.url, client);
    expect((await child.get('/v1/agents')).body).toEqual({ data: [], meta: { page_size: 25, cursor: null } });
    expectError(await child.get(`/v1/agents/${first}`), 404, 'not_found');
    expectError(await child.patch(`/v1/agents/${first}`, { name: 'Taken over' }), 404, 'not_found');
    expect((await read()).name).toBe('Front desk assistant');
  });
});

describe('one agent', () => {
  it('has every field of the specification, system_prompt included', async () => {
    expect(await read()).toEqual({
      id: first,
      name: 'Front desk assistant',
      enabled: true,
      agent_type: 'inbound',
      greeting: 'Harbor Street Dental, how can I help you today?',
      language: 'en-US',
      voice_id: 'voice_aurora',
      business_name: 'Harbor Street Dental',
      business_description: 'A family dental practice with two chairs and late hours on Thursdays.',
      system_prompt: 'You answer the phone of a dental practice. Be brief and kind, and offer appointments.',
      phone_number: { id: 4190, phone_number: '+14155550190', provider: 'carrier', is_active: true },
      created_at: instant(-80 * 86_400_000),
      updated_at: instant(-80 * 86_400_000),
    });
  });

  it.each(['nope', '00000000-0000-4000-8000-000000000000', '1'])('is 404 for an unknown id: %s', async (id) => {
    expectError(await client.get(`/v1/agents/${id}`), 404, 'not_found');
    expectError(await patch({ name: 'New' }, id), 404, 'not_found');
  });
});

describe('configuring an agent', () => {
  const values = {
    name: fc.string({ maxLength: 40, unit: 'grapheme' }),
    enabled: fc.boolean(),
    greeting: fc.string({ maxLength: 80, unit: 'grapheme' }),
    system_prompt: fc.string({ maxLength: 200, unit: 'grapheme' }),
    voice_id: fc.string({ minLength: 1, maxLength: 20 }),
    language: fc.constantFrom('en-US', 'de-DE', 'pt-BR'),
  };

  it('changes the fields that are sent and no others', async () => {
    await fc.assert(
      fc.asyncProperty(fc.record(values, { requiredKeys: [] }), async (body) => {
        await sandbox.reset();
        const [before, others] = [await read(), (await client.get('/v1/agents')).body.data.slice(1)];
        await sandbox.clock.advance('90s');
        const answer = await patch(body);
        expect(answer.status, answer.text).toBe(200);
        const { updated_at } = answer.body.data;
        expect(answer.body.data).toEqual({ ...before, ...body, updated_at });
        expect(await read()).toEqual(answer.body.data);
        expect((await client.get('/v1/agents')).body.data.slice(1)).toEqual(others);
      }),
      { numRuns: runs(6, 40) },
    );
  });

  it.each(Object.keys(values))('%s can be changed alone', async (field) => {
    const before = await read();
    const value = field === 'enabled' ? false : 'something else';
    expect((await patch({ [field]: value })).body.data).toEqual({
      ...before,
      [field]: value,
      updated_at: instant(0),
    });
  });

  it('sets updated_at and leaves created_at', async () => {
    const { created_at } = await read();
    await sandbox.clock.advance('2h');
    expect((await patch({ name: 'Later' })).body.data).toMatchObject({ created_at, updated_at: instant(7_200_000) });
  });

  it('accumulates over several requests', async () => {
    await patch({ name: 'Renamed' });
    await patch({ enabled: false });
    await patch({ greeting: 'Good day.' });
    expect(await read()).toMatchObject({
      name: 'Renamed',
      enabled: false,
      greeting: 'Good day.',
      voice_id: 'voice_aurora',
    });
  });

  it('refuses other fields with a 400 that names them, and changes nothing', async () => {
    const before = await read();
    for (const field of ['agent_type', 'business_name', 'phone_number', 'id', 'created_at', 'nmae', 'Name']) {
      const answer = await patch({ name: 'New', [field]: 'x' });
      expectError(answer, 400, 'validation_error');
      expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    }
    expect(await read()).toEqual(before);
  });

  it.each([
    ['name', null],
    ['name', 5],
    ['name', ['x']],
    ['enabled', 'true'],
    ['enabled', 1],
    ['enabled', null],
    ['greeting', {}],
    ['system_prompt', false],
    ['voice_id', null],
    ['language', 0],
  ])('refuses an invalid %s (case %#)', async (field, value) => {
    const before = await read();
    const answer = await patch({ [field]: value });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect(await read()).toEqual(before);
  });

  it.each(['[]', '"text"', '5', 'null', 'true'])('refuses a body that is not an object: %s', async (body) => {
    expectError(await patch(body), 400, 'validation_error');
  });

  it('is undone by a reset', async () => {
    const before = await read();
    await patch({ name: 'Renamed', system_prompt: 'Be loud.' });
    await sandbox.reset();
    expect(await read()).toEqual(before);
  });
});
