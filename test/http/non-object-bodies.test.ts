// Bodies that are JSON but no object, on every operation of the platform and every route of the control API: refused
// where a body is read (`null` is not an object, `interface.md` section 5), ignored where none is (`unknown_body_fields`).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { clientOf } from '../support/client.ts';
import { operations } from '../support/operations.ts';
import { useFreshSandbox, useSandbox } from '../support/sandbox.ts';
import { sample } from '../support/thorough.ts';
import { validRequest, worldSnapshot } from '../support/valid-request.ts';
import { JSON_TYPE } from '../support/wire.ts';
import { expectRefusal } from './setup.ts';

const bodies = ['null', '[]', '[{}]', '"x"', '5', 'true'];
const routes = await controlRoutes();

describe('a body that is not an object', () => {
  const platform = useSandbox({ clock: 'manual', rateLimit: 'off' });
  let before: unknown;
  beforeAll(async () => {
    before = await worldSnapshot(platform.client);
  });
  afterAll(async () => {
    expect(await worldSnapshot(platform.client)).toEqual(before);
  });

  it.each(
    sample(
      operations.filter(({ takesBody }) => takesBody),
      ({ path }) => path.split('/')[2],
    ),
  )('is 400 on $method $template', async (operation) => {
    const { method, path } = operation;
    const headers = path.includes('/leads/') ? { 'X-Source-Secret': 'sandbox_lead_secret' } : {};
    const target = path.replace('/leads/00000000-0000-4000-8000-000000000000', '/leads/lead_default');
    for (const body of bodies) {
      const answer = await platform.wire.send({ method, path: target, headers: { ...JSON_TYPE, ...headers }, body });
      expectRefusal(answer, 400, 'validation_error', 'body');
      expect(answer.body.error.fields.body).toMatch(/^is (null|an array|"x"|5|true|a string).*; must be an object$/);
    }
  });

  it.each(
    sample(
      routes.filter(({ takesBody }) => takesBody),
      ({ path }) => path.split('/')[2],
    ),
  )('is 400 on $method $path', async ({ method, path }) => {
    for (const body of bodies) {
      const answer = await platform.wire.send({ method, path, headers: JSON_TYPE, body });
      expectRefusal(answer, 400, 'validation_error', 'body');
      expect(answer.body.error.fields.body).toMatch(/^is (null|an array|a string|5|true).*; must be an object$/);
    }
  });
});

describe('a body where none is read', () => {
  const { sandbox, client, wire } = useFreshSandbox({ clock: 'manual', rateLimit: 'off' });

  it.each(
    sample(
      operations.filter(({ takesBody }) => !takesBody),
      ({ path }) => path.split('/')[2],
    ),
  )('is ignored on $method $template', async (operation) => {
    const request = await validRequest(operation, client);
    const { method, path, headers } = request;
    const [body] = bodies;
    const answer = await wire.send({ method, path, headers: { ...JSON_TYPE, ...headers }, body });
    expect(answer.status, answer.text).toBe(operation.success);
  });

  it.each(
    sample(
      routes.filter(({ takesBody, path }) => !takesBody && path !== '/_sandbox/wait'),
      ({ path }) => path.split('/')[2],
    ),
  )('is ignored on $method $path', async ({ method, path }) => {
    const without = await wire.send({ method, path });
    for (const body of ['null', '"x"']) {
      await sandbox.reset();
      const answer = await wire.send({ method, path, headers: JSON_TYPE, body });
      expect(answer.status, answer.text).toBe(without.status);
    }
  });
});

interface ControlRoute {
  readonly method: string;
  readonly path: string;
  readonly takesBody: boolean;
}

/** Every route of the control API, with a name in its path that no record has. */
async function controlRoutes(): Promise<ControlRoute[]> {
  const sandbox = await createSandbox();
  const { paths } = (await clientOf(sandbox.url).get('/_sandbox/openapi.json')).body as {
    paths: Record<string, Record<string, { requestBody?: object }>>;
  };
  await sandbox.close();
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { requestBody }]) => ({
      method: method.toUpperCase(),
      path: path.replace(/\{\w+\}/g, 'none'),
      takesBody: requestBody !== undefined,
    })),
  );
}
