// Idempotency keys on every operation that takes one, walked from openapi.yaml: the ledger's `idempotency`, `spec.md`
// "Common rules" under "Endpoints". What a world shows after many identical requests is held against what it shows
// after one, which is the same to the byte on a standing clock. `idempotency.test.ts` has what is about the key itself.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventTypes } from '../src/events/catalogue.ts';
import { createSandbox, type Sandbox } from '../src/index.ts';
import { type Answer, type Client, clientOf, expectError } from './support/client.ts';
import { operations } from './support/operations.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { runs } from './support/thorough.ts';
import { needsPreparation, type RightRequest, rightRequest, shownWorld } from './support/valid-request.ts';
import { subscribe } from './support/webhooks.ts';
import { JSON_TYPE, type Wire, wireTo } from './support/wire.ts';

/** Writes of each form, which are sent 200 times at once by `npm test` too. */
const representative = ['dialCall', 'createPhoneNumber', 'updateAgent', 'deleteWebhookSubscription'];

let sandbox: Sandbox;
let client: Client;
let wire: Wire;
let receiver: Receiver;

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual', rateLimit: 'off' });
  client = clientOf(sandbox.url);
  wire = wireTo(sandbox.url);
  receiver = await startReceiver();
});
beforeEach(() => sandbox.reset());
afterAll(async () => {
  wire.close();
  await sandbox.close();
  await receiver.close();
});

type Sender = (body?: object, headers?: object) => Promise<Answer>;

/** Sends a request under one key; another body or more headers in place of its own. */
function senderOf({ method, path, body, headers: own }: RightRequest, key: string = randomUUID()): Sender {
  return (changed = body, headers = {}) => {
    const json = changed === undefined ? {} : { body: JSON.stringify(changed) };
    return wire.send({ method, path, headers: { ...JSON_TYPE, 'Idempotency-Key': key, ...own, ...headers }, ...json });
  };
}

/** A world that tells a receiver of everything, in which the request will succeed. */
async function ready(operation: (typeof operations)[number]): Promise<RightRequest> {
  await sandbox.reset();
  const request = await rightRequest(operation, client);
  await sandbox.clock.advance('0s');
  await subscribe(client, receiver.url, ...eventTypes);
  receiver.got.length = 0;
  return request;
}

/** What the world shows and the receiver has heard, once all that was caused by now has happened. */
async function effect(): Promise<unknown> {
  await sandbox.clock.advance('0s');
  return [await shownWorld(client), receiver.got.map(({ raw }) => raw.toString())];
}

const isReplay = ({ headers }: Answer): boolean => headers['idempotency-replayed'] === 'true';

/** An answer as it must be repeated: all of it, but for what is signed for the moment it leaves, and for whom. */
function lasting({ status, text, body }: Answer): string {
  if (body?.data?.token === undefined) return `${status} ${text}`;
  const { token: _, ice_servers: _i, expires_at: _e, identity: _d, ...rest } = body.data;
  return `${status} ${JSON.stringify({ ...body, data: rest })}`;
}

const writes = operations.filter(({ takesKey }) => takesKey);

it('there is no operation that changes something and takes no key', () => {
  expect(operations.filter(({ method, takesKey }) => (method !== 'GET') !== takesKey)).toEqual([]);
  expect(writes.length).toBeGreaterThan(0);
});

describe.each(writes)('$id', (operation) => {
  const { success, takesBody } = operation;

  it('asked many times at once has the effect of one, and equal answers', async () => {
    const times = representative.includes(operation.id) ? 200 : runs(5, 200);
    const once = await senderOf(await ready(operation))();
    expect(once.status, once.text).toBe(success);
    const expected = await effect();

    const send = senderOf(await ready(operation));
    const answers = await Promise.all(Array.from({ length: times }, () => send()));
    expect([...new Set(answers.map(lasting))]).toEqual([lasting(once)]);
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect(await effect()).toEqual(expected);
  });

  it('asked again an hour later answers the same and emits nothing', async () => {
    const send = senderOf(await ready(operation));
    const first = await send();
    expect([first.status, isReplay(first)]).toEqual([success, false]);
    await sandbox.clock.advance('1h');
    const before = await effect();
    const again = await send();
    expect([lasting(again), isReplay(again)]).toEqual([lasting(first), true]);
    expect(await effect()).toEqual(before);
  });

  it('that has failed is free to be asked again', async () => {
    const send = senderOf(await ready(operation));
    expectError(await send(undefined, { 'X-Sandbox-Error': 'internal_error' }), 500, 'internal_error');
    if (takesBody) expectError(await send([]), 400, 'validation_error');
    const answer = await send();
    expect([answer.status, isReplay(answer)], answer.text).toEqual([success, false]);
  });

  if (takesBody) {
    it('with another body is 409 idempotency_conflict, also with one that is not valid, and changes nothing', async () => {
      const request = await ready(operation);
      const send = senderOf(request);
      const first = await send();
      const before = await effect();
      expectError(await send({ ...request.body, more: 1 }), 409, 'idempotency_conflict');
      expectError(await send({ from_number: 7 }), 409, 'idempotency_conflict');
      expect(await effect()).toEqual(before);
      expect([lasting(await send()), first.status]).toEqual([lasting(first), success]);
    });
  }

  if (needsPreparation(operation)) {
    it('keeps no 404 and no 409: once the state is there, the same request succeeds under the same key', async () => {
      // The same requests make the same ids after a reset, so that the path is known before the object is there.
      const send = senderOf(await rightRequest(operation, client));
      await sandbox.reset();
      const early = await send();
      expect([404, 409], early.text).toContain(early.status);
      await rightRequest(operation, client);
      const answer = await send();
      expect([answer.status, isReplay(answer)], answer.text).toEqual([success, false]);
    });
  }
});
