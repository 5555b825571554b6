// What holds for every operation: `spec.md` "Conventions" under "Resources and their fields", "Common rules" under
// "Endpoints" and "Versioning".
import { beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type Client, clientOf, expectError } from '../support/client.ts';
import { type ContractOperation, operations } from '../support/operations.ts';
import { useSandbox } from '../support/sandbox.ts';
import { sample } from '../support/thorough.ts';
import { send, validRequest } from '../support/valid-request.ts';
import { JSON_TYPE } from '../support/wire.ts';

const { sandbox, client, wire } = useSandbox({ clock: 'manual' });
beforeEach(() => sandbox.reset());

const dataOf = async (path: string, by: Client = client): Promise<Answer['body']> => (await by.get(path)).body.data;
const shaped = (...shapes: readonly ContractOperation['shape'][]): [id: string, operation: ContractOperation][] =>
  operations.filter(({ shape }) => shapes.includes(shape)).map((operation) => [operation.id, operation]);

/** A success of an operation; a list has at least one entry. */
async function answerTo(operation: ContractOperation): Promise<Answer> {
  const answer = await send(client, await validRequest(operation, client));
  expect(answer.status, answer.text).toBe(operation.success);
  if (operation.shape !== 'list' || answer.body.data.length > 0) return answer;
  const post = operations.find(({ method, template }) => method === 'POST' && template === operation.template);
  expect(post, `${operation.id} is empty, and no operation creates an entry`).toBeDefined();
  await send(client, await validRequest(post as ContractOperation, client));
  return answerTo(operation);
}

/** Operations of one kind answer alike: by the shape of their answer and their method. */
const ofKind = ([, { shape, method }]: [string, ContractOperation]): string => `${method} ${shape}`;
const ofNoun = ({ template }: ContractOperation): string | undefined => template.split('/')[2];

describe('a success', () => {
  const answers = new Map<string, Promise<Answer>>();

  /** One answer of each operation, for all that is tested of it. */
  function sharedAnswerTo(operation: ContractOperation): Promise<Answer> {
    const answer = answers.get(operation.id) ?? answerTo(operation);
    answers.set(operation.id, answer);
    return answer;
  }

  it.each(sample(shaped('single', 'list', 'flat'), ofKind))('of %s is application/json', async (_, operation) => {
    const { headers, text } = await sharedAnswerTo(operation);
    expect(headers['content-type']).toBe('application/json');
    expect(JSON.parse(text)).toBeTypeOf('object');
  });

  it.each(shaped('single'))('of %s is one resource under data, and nothing else', async (_, operation) => {
    const { body } = await sharedAnswerTo(operation);
    expect(Object.keys(body)).toEqual(['data']);
    expect(body.data).toEqual(expect.any(Object));
    expect(Array.isArray(body.data)).toBe(false);
  });

  it.each(shaped('list'))(
    'of %s is an array under data, with cursor and page_size under meta',
    async (_, operation) => {
      const { body } = await sharedAnswerTo(operation);
      expect(Object.keys(body).sort()).toEqual(['data', 'meta']);
      expect(Array.isArray(body.data)).toBe(true);
      expect(body.data.length).toBeGreaterThan(0);
      expect(body.meta).toMatchObject({ cursor: null, page_size: 25 });
    },
  );

  it.each(sample(shaped('single', 'list', 'flat', 'empty'), ofKind))(
    'of %s carries the five rate-limit headers',
    async (_, operation) => {
      const { headers } = await sharedAnswerTo(operation);
      expect(headers).toMatchObject({
        ratelimit: expect.stringMatching(/^"default";r=\d+;t=\d+$/),
        'ratelimit-policy': '"default";q=600;w=60',
        'x-ratelimit-limit': '600',
        'x-ratelimit-remaining': expect.stringMatching(/^\d{3}$/),
        'x-ratelimit-reset': expect.stringMatching(/^\d{13}$/),
      });
      expect(headers).not.toHaveProperty('retry-after');
    },
  );
});

describe('a list', () => {
  it.each(shaped('list'))('refuses in %s a cursor that it did not return', async (_, operation) => {
    const request = await validRequest(operation, client);
    const answer = await send(client, { ...request, path: `${request.path}?cursor=rubbish` });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['cursor']);
  });
});

describe('a field', () => {
  /** By resource: the fields that the specification gives no other type than string. */
  const plain = {
    account: ['api_key_id', 'plan'],
    user: ['email', 'name'],
    organization: ['name', 'slug'],
    agent: [
      ...['name', 'agent_type', 'greeting', 'language', 'voice_id', 'business_name', 'business_description'],
      ...['system_prompt', 'created_at', 'updated_at'],
    ],
    callerId: [
      ...['caller_id_id', 'phone_number', 'status', 'verified_at', 'certification_method', 'cnam_display_name'],
      ...['cnam_status', 'rcd_display_name', 'rcd_status', 'created_at', 'updated_at'],
    ],
    call: [
      ...['id', 'status', 'direction', 'from_number', 'to_number', 'started_at', 'ended_at', 'phone_number_id'],
      ...['recording_url', 'failure_code', 'failure_category', 'call_outcome', 'disconnection_reason'],
    ],
    transcript: ['call_id', 'transcript', 'transcript_provider'],
    phoneNumber: [
      ...['phone_number', 'name', 'provider', 'iso_country', 'reputation_enrolled_at', 'cnam_display_name'],
      ...['cnam_status', 'texting_status', 'created_at'],
    ],
  };
  const uuids: Partial<Record<keyof typeof plain, string[]>> = {
    user: ['id'],
    organization: ['id'],
    agent: ['id'],
    phoneNumber: ['organization_id', 'user_id'],
  };

  /** Every record of a world by resource, as the operation that reads it shows it. */
  async function recordsOf(by: Client): Promise<Record<keyof typeof plain, Answer['body'][]>> {
    const each = (path: string, list: Answer['body'][]): Promise<Answer['body'][]> =>
      Promise.all(list.map(({ id }) => dataOf(path.replace('{id}', id), by)));
    const account = await dataOf('/v1/account', by);
    // A demo key has 120 requests a minute, and each call takes one.
    const calls = await dataOf('/v1/calls?page_size=20', by);
    const spoken = calls.filter(({ has_transcript }: Answer['body']) => has_transcript);
    return {
      account: [account],
      user: [account.user],
      organization: [account.organization],
      agent: await each('/v1/agents/{id}', await dataOf('/v1/agents', by)),
      callerId: await dataOf('/v1/caller-ids', by),
      call: await each('/v1/calls/{id}', calls),
      transcript: await each('/v1/calls/{id}/transcript', by.key === 'svc_sandbox_hipaa' ? [] : spoken),
      phoneNumber: await dataOf('/v1/phone-numbers', by),
    };
  }

  const worlds = ['default', 'demo', 'hipaa', 'regulated', 'other'];

  it.each(worlds)('of the world %s is a string or null where the specification shows no type', async (world) => {
    const by = clientOf(sandbox.url, `svc_sandbox_${world}`);
    await by.call('+12125550199');
    const records = await recordsOf(by);
    const types = new Set<string>();
    for (const [resource, names] of Object.entries(plain)) {
      for (const record of records[resource as keyof typeof plain]) {
        for (const name of names) {
          const type = record[name] === null ? 'null' : typeof record[name];
          expect(['string', 'null'], `${resource}.${name}: ${JSON.stringify(record[name])}`).toContain(type);
          types.add(type);
        }
      }
    }
    expect([...types].sort()).toEqual(['null', 'string']);
    await sandbox.world(world).reset();
  });

  it.each(worlds)('of the world %s with the type uuid is a UUID', async (world) => {
    const records = await recordsOf(clientOf(sandbox.url, `svc_sandbox_${world}`));
    for (const [resource, names] of Object.entries(uuids)) {
      expect(records[resource as keyof typeof plain].length, resource).toBeGreaterThan(0);
      for (const record of records[resource as keyof typeof plain]) {
        for (const name of names) {
          expect(record[name], `${resource}.${name}`).toMatch(
            /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
          );
        }
      }
    }
  });
});

describe('versioning', () => {
  it.each(sample(operations, ofNoun))('$id is served under its prefix only', async (operation) => {
    const { method, path: right } = await validRequest(operation, client);
    const [, prefix = '', rest = ''] = /^(\/v1|\/api\/v1)(\/.*)$/.exec(right) ?? [];
    expect(prefix).toBe(rest.startsWith('/webhook_subscriptions') ? '/api/v1' : '/v1');
    const under = (other: string): Promise<Answer> =>
      wire.send({ method, path: other + rest, headers: JSON_TYPE, body: '{}' });
    for (const other of ['', '/v1', '/api/v1', '/v2', '/api', '/api/v2'].filter((each) => each !== prefix)) {
      expectError(await under(other), 404, 'not_found');
    }
    // The same path under its own prefix exists.
    expect((await under(prefix)).status).not.toBe(404);
  });

  it('the interface description has version 1.0.0', async () => {
    const answer = await client.get('/openapi.yaml');
    expect(answer.status).toBe(200);
    expect(answer.text).toMatch(/^info:\n(?: .*\n)*? {2}version: 1\.0\.0\n/m);
  });
});
