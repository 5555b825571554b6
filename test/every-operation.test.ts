// Every operation of the contract, walked: without a key, with every scope but its own, with its own alone, about what
// belongs to someone else. `spec.md` "Authentication" and "What the service does" (tenant isolation), `interface.md`
// sections 2 and 9 (`operation_scopes`, `success_statuses`, `scope_missing_status`). What is walked is made from
// openapi.yaml, so that an operation is walked as soon as it stands there. Lead intake takes no key (`leads.test.ts`).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../src/index.ts';
import { type Client, clientOf, expectError } from './support/client.ts';
import { type ContractOperation, keyedOperations, type Schema } from './support/operations.ts';
import { type RightRequest, rightPath, rightRequest, send, withField } from './support/valid-request.ts';
import { childOf, clientWith } from './support/world.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';

let sandbox: Sandbox;
/** Prepares what a request needs; with every scope, so that none is missing on the way. */
let owner: Client;
let other: Client;
let nobody: Client;
let scopes: readonly string[];

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual', rateLimit: 'off' });
  owner = clientOf(sandbox.url, 'svc_sandbox_compliance');
  other = clientOf(sandbox.url, 'svc_sandbox_other');
  nobody = clientOf(sandbox.url, null);
  scopes = (await owner.get('/_sandbox/catalog')).body.data.scopes;
});
beforeEach(async () => {
  await sandbox.reset();
  await sandbox.world('other').reset();
});
afterAll(() => sandbox.close());

const keyWith = (granted: readonly string[], by = owner): Promise<Client> =>
  clientWith(sandbox.url, by, { scopes: granted });

/** The request as it stands in the contract, about an object that is not there: refused before it is looked up. */
const bare = ({ method, path, example }: ContractOperation): RightRequest => ({
  method,
  path,
  ...(example ? { body: example } : {}),
});

describe.each(keyedOperations)('$id', (operation) => {
  const { success, template } = operation;

  it('without a key is 401, with the Bearer challenge', async () => {
    const answer = await send(nobody, bare(operation));
    expectError(answer, 401, 'unauthorized');
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="voice-platform"');
  });

  it('with every scope but its own is 403 scope_missing, and names them', async () => {
    const key = await keyWith(scopes.filter((scope) => !operation.scopes.includes(scope)));
    const answer = await send(key, bare(operation));
    expectError(answer, 403, 'scope_missing');
    for (const scope of operation.scopes) expect(answer.body.error.message).toContain(scope);
    expect(answer.headers['www-authenticate']).toContain(`scope="${operation.scopes.join(' ')}"`);
  });

  it.each(operation.scopes)(`with %s alone is ${success}`, async (scope) => {
    const request = await rightRequest(operation, owner);
    const answer = await send(await keyWith([scope]), request);
    expect(answer.status, answer.text).toBe(success);
  });

  if (template.includes('{')) {
    it('with an id that names nothing is 404', async () => {
      expectError(
        await send(owner, { ...bare(operation), path: template.replace(/\{\w+\}/, NOWHERE) }),
        404,
        'not_found',
      );
    });

    it('with the id of an object of another tenant is 404, and that tenant still has it', async () => {
      const theirs = await rightPath(operation, other);
      expectError(await send(owner, { ...bare(operation), path: theirs }), 404, 'not_found');
      expect((await send(other, { ...bare(operation), path: theirs })).status).not.toBe(404);
    });

    it('with the id of an object of the umbrella organization, asked by its child, is 404, or 403 for children', async () => {
      const child = await childOf(sandbox.url, owner);
      const answer = await send(child, { ...bare(operation), path: await rightPath(operation, owner) });
      if (template.startsWith('/v1/sub-entities')) expectError(answer, 403, 'forbidden');
      else expectError(answer, 404, 'not_found');
    });
  }

  const named = referencesIn(operation);
  if (named.length > 0) {
    it.each(named)('with a foreign object under %s is 404 that names the field', async (name, field) => {
      const request = await rightRequest(operation, owner);
      const foreign = name.endsWith('numbers') ? ['+14155550194'] : name.endsWith('s') ? [NOWHERE] : NOWHERE;
      const answer = await send(owner, { ...request, body: withField(request.body, name, foreign) });
      expectError(answer, 404, 'not_found');
      expect(Object.keys(answer.body.error.fields), answer.text).toEqual([field]);
    });
  }
});

it('scope_missing takes the status that the ledger is set to, on every operation', async () => {
  const world = clientOf(sandbox.url, 'svc_test_scope-status');
  expect((await world.put('/_sandbox/assumptions/scope_missing_status', { value: 401 })).status).toBe(200);
  const key = await keyWith([], world);
  for (const operation of keyedOperations) expectError(await send(key, bare(operation)), 401, 'scope_missing');
});

/** The fields of a body that name objects, each with the name under which it is refused. */
function referencesIn({ bodySchema }: ContractOperation): [name: string, field: string][] {
  // Voices are no objects of this API; a subscription's filters are stored and shown only (`subscription_filters`).
  const free = ['voice_id', 'workflow_id', 'campaign_id'];
  return Object.entries(bodySchema?.properties ?? {})
    .filter(([name]) => (/_ids?$/.test(name) || name === 'phone_numbers') && !free.includes(name))
    .map(([name, { type }]: [string, Schema]) => [name, type === 'array' ? `${name}.0` : name]);
}
