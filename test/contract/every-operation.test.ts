// Every operation of the contract without a key, with every scope but its own, with its own scope alone, and on the
// records of another tenant. `spec.md` "Authentication" and "What the service does" (tenant isolation), `interface.md`
// sections 2 and 9 (`operation_scopes`, `success_statuses`, `scope_missing_status`). The operations are read from
// openapi.yaml, so a new one is tested at once. Lead intake takes no key (`test/contacts/leads.test.ts`).
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Client, clientOf, expectError, NOWHERE } from '../support/client.ts';
import { type ContractOperation, keyedOperations, type Schema } from '../support/operations.ts';
import { useSandbox } from '../support/sandbox.ts';
import { sample } from '../support/thorough.ts';
import { send, type ValidRequest, validPath, validRequest, withField } from '../support/valid-request.ts';
import { childOf, clientWith } from '../support/world.ts';

const { sandbox } = useSandbox({ clock: 'manual', rateLimit: 'off' });
/** Prepares what a request needs; has every scope. */
let owner: Client;
let other: Client;
let anonymous: Client;
let scopes: readonly string[];

beforeAll(async () => {
  owner = clientOf(sandbox.url, 'svc_sandbox_compliance');
  other = clientOf(sandbox.url, 'svc_sandbox_other');
  anonymous = clientOf(sandbox.url, null);
  scopes = (await owner.get('/_sandbox/catalog')).body.data.scopes;
});
beforeEach(async () => {
  await sandbox.reset();
  await sandbox.world('other').reset();
});

const keyWith = (granted: readonly string[], by = owner): Promise<Client> =>
  clientWith(sandbox.url, by, { scopes: granted });

/** The example of the contract about a record that does not exist: refused before the lookup. */
const bare = ({ method, path, example }: ContractOperation): ValidRequest => ({
  method,
  path,
  ...(example ? { body: example } : {}),
});

describe.each(keyedOperations)('$id', (operation) => {
  const { success, template } = operation;

  it('without a key is 401, with a Bearer challenge', async () => {
    const answer = await send(anonymous, bare(operation));
    expectError(answer, 401, 'unauthorized');
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="voice-platform"');
  });

  it('with every scope but its own is 403 scope_missing, naming its own', async () => {
    const key = await keyWith(scopes.filter((scope) => !operation.scopes.includes(scope)));
    const answer = await send(key, bare(operation));
    expectError(answer, 403, 'scope_missing');
    for (const scope of operation.scopes) expect(answer.body.error.message).toContain(scope);
    expect(answer.headers['www-authenticate']).toContain(`scope="${operation.scopes.join(' ')}"`);
  });

  it.each(sample(operation.scopes, () => 'one'))(`with %s alone is ${success}`, async (scope) => {
    const request = await validRequest(operation, owner);
    const answer = await send(await keyWith([scope]), request);
    expect(answer.status, answer.text).toBe(success);
  });

  if (template.includes('{')) {
    it('with an unknown id is 404', async () => {
      expectError(
        await send(owner, { ...bare(operation), path: template.replace(/\{\w+\}/, NOWHERE) }),
        404,
        'not_found',
      );
    });

    it('with the id of a record of another tenant is 404, and that tenant still has it', async () => {
      const theirs = await validPath(operation, other);
      expectError(await send(owner, { ...bare(operation), path: theirs }), 404, 'not_found');
      expect((await send(other, { ...bare(operation), path: theirs })).status).not.toBe(404);
    });

    it('with the id of a record of the umbrella organization is 404 for a child, or 403 on sub-entities', async () => {
      const child = await childOf(sandbox.url, owner);
      const answer = await send(child, { ...bare(operation), path: await validPath(operation, owner) });
      if (template.startsWith('/v1/sub-entities')) expectError(answer, 403, 'forbidden');
      else expectError(answer, 404, 'not_found');
    });
  }

  const named = referencesIn(operation);
  if (named.length > 0) {
    it.each(sample(named, () => 'one'))(
      'with a foreign record under %s is 404, naming the field',
      async (name, field) => {
        const request = await validRequest(operation, owner);
        const foreign = name.endsWith('numbers') ? ['+14155550194'] : name.endsWith('s') ? [NOWHERE] : NOWHERE;
        const answer = await send(owner, { ...request, body: withField(request.body, name, foreign) });
        expectError(answer, 404, 'not_found');
        expect(Object.keys(answer.body.error.fields), answer.text).toEqual([field]);
      },
    );
  }
});

it('scope_missing has the status of the assumption scope_missing_status on every operation', async () => {
  const world = clientOf(sandbox.url, 'svc_test_scope-status');
  expect((await world.put('/_sandbox/assumptions/scope_missing_status', { value: 401 })).status).toBe(200);
  const [webrtc, usage] = [await keyWith(['voice:webrtc'], world), await keyWith(['usage:read'], world)];
  for (const operation of keyedOperations) {
    const key = operation.scopes.includes('voice:webrtc') ? usage : webrtc;
    expectError(await send(key, bare(operation)), 401, 'scope_missing');
  }
});

/** The fields of a body that name records, each with the name that a refusal lists. */
function referencesIn({ bodySchema }: ContractOperation): [name: string, field: string][] {
  // Voices are not records of this API; a subscription's workflow is stored and shown only (`subscription_filters`).
  const free = ['voice_id', 'workflow_id'];
  return Object.entries(bodySchema?.properties ?? {})
    .filter(([name]) => (/_ids?$/.test(name) || name === 'phone_numbers') && !free.includes(name))
    .map(([name, { type }]: [string, Schema]) => [name, [type].flat().includes('array') ? `${name}.0` : name]);
}
