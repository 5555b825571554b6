// Optional fields that a client has not set but sends: null, or an empty list, counts as not sent in the body of every POST
// and PUT; the description of openapi.yaml says so. In a PATCH, null is a value.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.ts';
import { type ContractOperation, operations } from '../support/operations.ts';
import { useSandbox } from '../support/sandbox.ts';
import { send, validRequest } from '../support/valid-request.ts';

const { sandbox, client } = useSandbox({ clock: 'manual', rateLimit: 'off' });
beforeEach(() => sandbox.reset());

interface Optional {
  readonly name: string;
  readonly nullable: boolean;
  readonly list: boolean;
}

function optionalFields({ bodySchema: { properties = {}, required = [] } = {} }: ContractOperation): Optional[] {
  return Object.entries(properties)
    .filter(([name]) => !required.includes(name))
    .map(([name, { type }]) => {
      const types = [type ?? []].flat();
      return { name, nullable: types.includes('null'), list: types.includes('array') };
    });
}

const creating = operations.filter(({ method, bodySchema }) => method !== 'PATCH' && bodySchema !== undefined);
const fields = creating.flatMap((operation) =>
  optionalFields(operation).map((field) => ({ id: operation.id, operation, ...field })),
);

/** What the operation answers in a fresh world, with these fields in place of those of its example. */
async function answerTo(operation: ContractOperation, more: object): Promise<Answer> {
  await sandbox.reset();
  const request = await validRequest(operation, client);
  return send(client, { ...request, body: { ...request.body, ...more } });
}

/** Without what differs from one call to the next: signatures. */
const shown = ({ status, body }: Answer): unknown =>
  JSON.parse(JSON.stringify([status, body]), (key, value) => (/^(token|expires_at)$/.test(key) ? null : value));

describe('an optional field of a POST or PUT', () => {
  it.each(fields)('$id $name may be null by its schema', ({ nullable }) => {
    expect(nullable).toBe(true);
  });

  it.each(fields)('$id $name that is null, or an empty list, counts as not sent', async ({ operation, name, list }) => {
    // A job needs one of two lists.
    const example = operation.example as Readonly<Record<string, unknown>>;
    const needed = operation.id === 'createJob' && name === 'to_numbers';
    const without = shown(await answerTo(operation, { [name]: undefined }));
    for (const unset of list ? [null, []] : [null]) {
      const answer = await answerTo(operation, { [name]: unset });
      expect(shown(answer), `${name}: ${JSON.stringify(unset)}`).toEqual(without);
      expect(answer.status, answer.text).toBe(needed ? 400 : operation.success);
    }
    expect(example).toBeDefined();
  });

  it('exists on at least ten operations', () => {
    expect(new Set(fields.map(({ id }) => id)).size).toBeGreaterThanOrEqual(10);
  });
});

describe('an idempotency key', () => {
  it('compares bodies as they were sent: null and nothing differ', async () => {
    const headers = { 'Idempotency-Key': '11111111-1111-4111-8111-111111111111' };
    const body = { webhook_url: 'https://hooks.example.com/x', event_type: 'new_call' };
    const path = '/api/v1/webhook_subscriptions';
    expect((await client.post(path, { ...body, workflow_id: null }, headers)).status).toBe(201);
    expect((await client.post(path, { ...body, workflow_id: null }, headers)).status).toBe(201);
    expect((await client.post(path, body, headers)).status).toBe(409);
  });
});

describe('an optional field of a PATCH', () => {
  it('that is null clears what may be null, and is 400 elsewhere', async () => {
    const [number] = (await client.get('/v1/phone-numbers')).body.data;
    const path = `/v1/phone-numbers/${number.id}`;
    await client.patch(path, { name: 'Front desk' });
    expect((await client.patch(path, { name: null })).body.data.name).toBeNull();
    const [agent] = (await client.get('/v1/agents')).body.data;
    const refused = await client.patch(`/v1/agents/${agent.id}`, { name: null });
    expect([refused.status, refused.body.error.fields]).toEqual([400, { name: 'is null; must be a string' }]);
  });
});
