// Idempotency keys on every operation that takes one, as openapi.yaml lists them: the assumption `idempotency`,
// `spec.md` "Common rules" under "Endpoints". After many identical requests a world must show exactly what it shows
// after one, on a stopped clock. `test/http/idempotency-*.test.ts` cover the key itself.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, expectError } from '../support/client.ts';
import { operations } from '../support/operations.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { runs, sample, thorough } from '../support/thorough.ts';
import { needsPreparation, type ValidRequest, validRequest, worldSnapshot } from '../support/valid-request.ts';
import { subscribe } from '../support/webhooks.ts';
import { JSON_TYPE } from '../support/wire.ts';

/** The write that `npm test` sends 200 times at once too. */
const REPRESENTATIVE = 'dialCall';

const { sandbox, client, wire } = useSandbox({ clock: 'manual', rateLimit: 'off' });
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});
beforeEach(() => sandbox.reset());
afterAll(() => receiver.close());

type Sender = (body?: object, headers?: object) => Promise<Answer>;

/** Sends a request under one key; another body or more headers in place of its own. */
function senderOf({ method, path, body, headers: own }: ValidRequest, key: string = randomUUID()): Sender {
  return (changed = body, headers = {}) => {
    const json = changed === undefined ? {} : { body: JSON.stringify(changed) };
    return wire.send({ method, path, headers: { ...JSON_TYPE, 'Idempotency-Key': key, ...own, ...headers }, ...json });
  };
}

type Operation = (typeof operations)[number];

/** The types of the events that an operation and its preparation cause. The snapshots have any other event, too. */
async function typesCausedBy(operation: Operation): Promise<string[]> {
  await sandbox.reset();
  await senderOf(await validRequest(operation, client))();
  await sandbox.clock.advance('1h');
  return [...new Set((await sandbox.events()).map(({ event_type }) => event_type))];
}

/** Resets the world so that the request succeeds in it, and subscribes a receiver to events of these types. */
async function ready(operation: Operation, types: readonly string[]): Promise<ValidRequest> {
  await sandbox.reset();
  const request = await validRequest(operation, client);
  await sandbox.clock.advance('0s');
  await subscribe(client, receiver.url, ...types);
  receiver.got.length = 0;
  return request;
}

/** What the world shows and the receiver got, once everything due has run. */
async function effect(): Promise<unknown> {
  return [await worldSnapshot(client), receiver.got.map(({ raw }) => raw.toString())];
}

const isReplay = ({ headers }: Answer): boolean => headers['idempotency-replayed'] === 'true';

/** The part of a response that a replay repeats: all but what is signed for each response. */
function repeatable({ status, text, body }: Answer): string {
  if (body?.data?.token === undefined) return `${status} ${text}`;
  const { token: _, ice_servers: _i, expires_at: _e, identity: _d, ...rest } = body.data;
  return `${status} ${JSON.stringify({ ...body, data: rest })}`;
}

const writes = operations.filter(({ takesKey }) => takesKey);

it('every operation that writes takes an idempotency key', () => {
  expect(operations.filter(({ method, takesKey }) => (method !== 'GET') !== takesKey)).toEqual([]);
  expect(writes.length).toBeGreaterThan(0);
});

/** `npm test` tries one write of each resource and method: they all go through the same code. */
const tried = sample(writes, ({ method, template }) => `${method} ${template.split('/', 3).join('/')}`);

/** Which of the four tests of a write run: one, another one for each write, in `npm test`. */
const isTried = ({ id, takesBody }: Operation, nth: number): boolean =>
  thorough || id === REPRESENTATIVE || tried.findIndex((each) => each.id === id) % (takesBody ? 4 : 3) === nth;

describe.each(tried)('$id', (operation) => {
  const { success, takesBody } = operation;
  let types: readonly string[] = [];

  beforeAll(async () => {
    types = await typesCausedBy(operation);
  });

  it.runIf(isTried(operation, 0))('sent many times at once has the effect of one, with equal responses', async () => {
    const times = operation.id === REPRESENTATIVE ? 200 : runs(4, 200);
    const once = await senderOf(await ready(operation, types))();
    expect(once.status, once.text).toBe(success);
    const expected = await effect();

    const send = senderOf(await ready(operation, types));
    const answers = await Promise.all(Array.from({ length: times }, () => send()));
    expect([...new Set(answers.map(repeatable))]).toEqual([repeatable(once)]);
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect(await effect()).toEqual(expected);
  });

  it.runIf(isTried(operation, 1))('repeated an hour later returns the same and emits nothing', async () => {
    const send = senderOf(await ready(operation, types));
    const first = await send();
    expect([first.status, isReplay(first)]).toEqual([success, false]);
    await sandbox.clock.advance('1h');
    const before = await effect();
    const again = await send();
    expect([repeatable(again), isReplay(again)]).toEqual([repeatable(first), true]);
    expect(await effect()).toEqual(before);
  });

  it.runIf(isTried(operation, 2))('can be repeated after a failure', async () => {
    const send = senderOf(await ready(operation, types));
    expectError(await send(undefined, { 'X-Sandbox-Error': 'internal_error' }), 500, 'internal_error');
    if (takesBody) expectError(await send([]), 400, 'validation_error');
    const answer = await send();
    expect([answer.status, isReplay(answer)], answer.text).toEqual([success, false]);
  });

  if (takesBody) {
    it.runIf(isTried(operation, 3))(
      'with another body is 409 idempotency_conflict, even if that is invalid, and changes nothing',
      async () => {
        const request = await ready(operation, types);
        const send = senderOf(request);
        const first = await send();
        const before = await effect();
        expectError(await send({ ...request.body, more: 1 }), 409, 'idempotency_conflict');
        expectError(await send({ from_number: 7 }), 409, 'idempotency_conflict');
        expect(await effect()).toEqual(before);
        expect([repeatable(await send()), first.status]).toEqual([repeatable(first), success]);
      },
    );
  }

  if (needsPreparation(operation)) {
    it('stores no 404 or 409: once the state allows it, the same request succeeds under the same key', async () => {
      // The same requests create the same ids after a reset, so the path is known before the record exists.
      const send = senderOf(await validRequest(operation, client));
      await sandbox.reset();
      const early = await send();
      expect([404, 409], early.text).toContain(early.status);
      await validRequest(operation, client);
      const answer = await send();
      expect([answer.status, isReplay(answer)], answer.text).toEqual([success, false]);
    });
  }
});
