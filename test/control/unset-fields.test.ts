// Null, and an empty list, in an optional field of a body of the control API: the same as leaving the field out.
import { expect, it } from 'vitest';
import { z } from 'zod';
import { controlRoutes } from '../../src/control/routes.ts';
import { withoutUnset } from '../../src/errors/unset-fields.ts';
import type { Answer } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { defaultScopes } from '../worlds/setup.ts';

const { client } = useSandbox({ clock: 'manual', rateLimit: 'off' });

const bodies = controlRoutes.flatMap(({ id, body }) => (body instanceof z.ZodObject ? [{ id, body }] : []));

it.each(bodies)('$id takes null in every field that it does not need', ({ body }) => {
  for (const [name, field] of Object.entries(body.shape)) {
    if (!z.safeParse(field, undefined).success) continue;
    const { error } = body.safeParse(withoutUnset(body, { [name]: null }));
    expect(error?.issues.filter(({ path }) => path[0] === name) ?? [], name).toEqual([]);
  }
});

const posted = async (path: string, body: object): Promise<Answer['body']> => {
  const answer = await client.post(path, body);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body.data;
};

it.each([[null], [[]]])('a key whose scopes are %j has the default ones', async (scopes) => {
  const key = await posted('/_sandbox/keys', {
    scopes,
    is_demo: null,
    requests_per_minute: null,
    organization_id: null,
  });
  expect([...key.scopes].sort()).toEqual([...(await defaultScopes(client))].sort());
});

it('a world, a verification, calling rules and a fault take null as not given, at any depth', async () => {
  const world = await posted('/_sandbox/worlds', { name: null, fixtures: null, clock: null, assumptions: null });
  expect(world).toMatchObject({ name: 'world-1' });
  await posted('/_sandbox/requests/verify', {
    match: { method: 'GET', path: null, operation: null, headers: null },
    exactly: null,
    at_least: 0,
  });
  const rules = await client.put('/_sandbox/calling-rules', { do_not_call: null, days: null, calls_per_day: null });
  expect(rules.body.data).toMatchObject({ do_not_call: [], calls_per_day: null });
  expect(rules.body.data.days).toHaveLength(7);
  const faults = { faults: [{ error: 'internal_error', path: '/v1/leads/*', drift: null, nth: null }] };
  expect((await client.put('/_sandbox/faults', faults)).status).toBe(200);
});

it('a list that must not be empty, and a field that is required, are refused as before', async () => {
  const rules = await client.put('/_sandbox/calling-rules', { days: [] });
  expect(rules.body.error.fields).toEqual({ days: 'must not be empty' });
  const verified = await client.post('/_sandbox/requests/verify', { match: null });
  expect(verified.body.error.fields).toEqual({ match: 'is null; must be an object' });
});
