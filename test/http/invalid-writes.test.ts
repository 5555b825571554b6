// Invalid requests to every operation that takes a body, walked from openapi.yaml: each is the right 4xx of `spec.md`
// "Errors" and stores nothing. `interface.md` section 3 and the assumptions body_limits, extra_error_codes,
// idempotency and unknown_body_fields.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.ts';
import { operations } from '../support/operations.ts';
import { useSandbox } from '../support/sandbox.ts';
import { thorough } from '../support/thorough.ts';
import { ownHeaders, validPath, worldSnapshot } from '../support/valid-request.ts';
import { JSON_TYPE, type Outgoing } from '../support/wire.ts';
import { expectNoPollution, expectNothingInternal, expectRefusal } from './setup.ts';

const { sandbox, client, wire } = useSandbox({ clock: 'manual', rateLimit: 'off' });

const writes = operations.filter(({ takesBody }) => takesBody).map((operation) => [operation.id, operation] as const);

/** Which of the nine tests of every operation run: three, other ones for each operation, in `npm test`. */
const isTried = (id: string, nth: number): boolean =>
  thorough || (writes.findIndex(([each]) => each === id) + nth) % 3 === 0;

describe.each(writes)('%s', (id, operation) => {
  const { method, needsBody, maxBodyBytes, example: right = {} } = operation;
  let path: string;
  let before: unknown;
  beforeAll(async () => {
    await sandbox.reset();
    path = operation.template.includes('{') ? await validPath(operation, client) : operation.template;
    before = await worldSnapshot(client);
  });
  afterAll(async () => {
    expect(await worldSnapshot(client)).toEqual(before);
  });
  const send = (rest: Partial<Outgoing>): Promise<Answer> =>
    wire.send({
      method,
      path,
      body: JSON.stringify(right),
      ...rest,
      headers: { ...ownHeaders(operation), ...(rest.headers ?? JSON_TYPE) },
    });
  // Without its record an operation is 404; tokens need neither body nor record.
  const bodiless = needsBody ? 400 : ['createClientToken', 'createWebrtcToken'].includes(id) ? 201 : 404;

  it.runIf(isTried(id, 0))('refuses malformed JSON with 400 about the body', async () => {
    expectRefusal(await send({ body: JSON.stringify(right).slice(0, -1) }), 400, 'validation_error', 'body');
  });

  it.runIf(isTried(id, 1)).each(['null', '[]', '"text"', '7', 'true', '[{}]'])(
    'refuses the JSON %s, which is not an object, with 400',
    async (body) => {
      expectRefusal(await send({ body }), 400, 'validation_error', 'body');
    },
  );

  it.runIf(isTried(id, 2))(
    `answers a missing body with ${bodiless === 404 ? '404 about the record, since the body is optional' : bodiless}`,
    async () => {
      const answer = await send({ body: undefined });
      expect(answer.status, answer.text).toBe(bodiless);
      expectNothingInternal(answer.text);
    },
  );

  it.runIf(isTried(id, 2))('refuses another media type with 415, naming the header to send', async () => {
    const answer = await send({ headers: { 'Content-Type': 'text/plain' } });
    expectRefusal(answer, 415, 'unsupported_media_type');
    expect(answer.body.error.resolution_hint).toContain('Content-Type: application/json');
  });

  it.runIf(isTried(id, 0))('refuses a body over the limit with 413', async () => {
    const body = JSON.stringify({ ...right, note: 'x'.repeat(maxBodyBytes) });
    expectRefusal(await send({ body }), 413, 'payload_too_large');
    expectRefusal(await send({ body, chunked: true }), 413, 'payload_too_large');
  });

  it.runIf(isTried(id, 1))('refuses a prototype key with 400, and pollutes nothing', async () => {
    for (const key of ['"__proto__":{"polluted":1}', '"constructor":{"prototype":{"polluted":1}}']) {
      const body = JSON.stringify(right).replace('{', `{${key},`);
      expectRefusal(await send({ body }), 400, 'validation_error', 'body');
    }
    expectNoPollution();
  });

  it.runIf(isTried(id, 2))('refuses invalid UTF-8 with 400 about the body', async () => {
    const body = Buffer.concat([Buffer.from('{"note":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
    expectRefusal(await send({ body }), 400, 'validation_error', 'body');
  });

  it.runIf(isTried(id, 0))('refuses an unknown query parameter with 400, naming it', async () => {
    expectRefusal(await send({ path: `${path}?expand=all` }), 400, 'validation_error', 'expand');
  });

  it.runIf(isTried(id, 1))('refuses an idempotency key that is not a UUID with 400, naming the header', async () => {
    const answer = await send({ headers: { ...JSON_TYPE, 'Idempotency-Key': 'order-17' } });
    expectRefusal(answer, 400, 'validation_error', 'Idempotency-Key');
  });
});
