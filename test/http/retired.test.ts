// Retired endpoints: `spec.md` "Other operations named without a shape" and "Versioning"; the row retired_status of
// `interface.md` section 9.
import { expect, it } from 'vitest';
import { clientOf, expectError } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';

const { sandbox, client } = useSandbox({ clock: 'manual' });

const retired = ['/v1/workflows', '/v1/workflows/wf_1/enroll', '/v1/workflow_contacts'];

it.each(retired)('%s is 404 for every method, and names its replacement', async (path) => {
  for (const answer of [
    await client.get(path),
    await client.post(path, { contact_id: 'c' }),
    await client.put(path, {}),
    await client.patch(path, {}),
    await client.delete(path),
  ]) {
    expectError(answer, 404, 'not_found');
    expect(answer.body.error.message).toContain('retired');
    expect(answer.body.error.resolution_hint).toContain('/v1/jobs');
    expect(answer.headers['x-sandbox-assumptions']).toBe('retired_status');
  }
});

it.each(retired)('%s is 404 without a key too', async (path) => {
  expectError(await clientOf(sandbox.url, null).get(path), 404, 'not_found');
});

it.each(['/v1/workflows/', '/v1/workflows/wf_1', '/v1/workflows//enroll', '/v1/workflow_contacts/1'])(
  '%s was never an endpoint, so its 404 is that of any unknown path',
  async (path) => {
    const answer = await client.get(path);
    expectError(answer, 404, 'not_found');
    expect(answer.body.error.message).not.toContain('retired');
  },
);

it('no scope for workflows exists', async () => {
  const { scopes } = (await client.get('/_sandbox/catalog')).body.data;
  expect(scopes.filter((scope: string) => scope.includes('workflow'))).toEqual([]);
  expectError(await client.post('/_sandbox/keys', { scopes: ['workflows:write'] }), 400, 'validation_error');
});
