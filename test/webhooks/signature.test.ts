// The signature of number-lifecycle deliveries: `spec.md` "Signature" and `interface.md` section 6.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifySignature } from '../../src/index.ts';
import { anyText } from '../support/any-text.ts';
import { expectError } from '../support/client.ts';
import { type Received, useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { runs } from '../support/thorough.ts';
import { fire, freshWorld, subscribe } from '../support/webhooks.ts';
import { hmac, hook, SIGNATURE, UNLIMITED } from './setup.ts';

const { sandbox } = useSandbox(UNLIMITED);
const newReceiver = useReceivers();

describe('the signature of number-lifecycle deliveries', () => {
  const sign = async (secret: string | null | undefined, type = 'number_purchased'): Promise<Received> => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const [id] = await subscribe(client, hook(receiver), type);
    if (secret !== undefined) {
      const answer = await client.put(`/_sandbox/webhook-subscriptions/${id}`, { signing_secret: secret });
      expect(answer.body.data).toMatchObject({ id, signing_secret: secret });
    }
    await fire(client, type);
    await world.clock.advance('0s');
    return receiver.got[0] as Received;
  };

  it("uses the world's secret unless the subscription has its own", async () => {
    for (const type of ['number_purchased', 'number_released']) {
      const { raw, headers } = await sign(undefined, type);
      expect(headers[SIGNATURE]).toBe(hmac(raw, 'sandbox_signing_secret'));
      expect(headers[SIGNATURE]).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  it.each(['s', 'a secret of its own', 'ключ-секрет-電話', ' with spaces '])(
    'uses the secret %j of the subscription',
    async (secret) => {
      const { raw, headers } = await sign(secret);
      expect(headers[SIGNATURE]).toBe(hmac(raw, secret));
    },
  );

  it('is the literal no-secret-provided when the secret was removed', async () => {
    expect((await sign(null)).headers[SIGNATURE]).toBe('no-secret-provided');
  });

  it('follows the secret of each subscription as it is replaced, removed and set again', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const [id] = await subscribe(client, `${receiver.url}/changed`, 'number_purchased');
    await subscribe(client, `${receiver.url}/unchanged`, 'number_purchased');
    const secrets = ['first', 'second', null, 'third'];
    for (const signing_secret of secrets) {
      await client.put(`/_sandbox/webhook-subscriptions/${id}`, { signing_secret });
      expect((await client.get(`/_sandbox/webhook-subscriptions/${id}`)).body.data.signing_secret).toBe(signing_secret);
      await fire(client, 'number_purchased');
      await world.clock.advance('0s');
    }
    const at = (path: string): Received[] => receiver.got.filter((each) => each.path === path);
    expect(at('/changed').map(({ headers }) => headers[SIGNATURE])).toEqual(
      at('/changed').map(({ raw }, index) => {
        const secret = secrets[index] ?? null;
        return secret === null ? 'no-secret-provided' : hmac(raw, secret);
      }),
    );
    for (const { raw, headers } of at('/unchanged')) {
      expect(headers[SIGNATURE]).toBe(hmac(raw, 'sandbox_signing_secret'));
    }
    expect(receiver.got).toHaveLength(8);
  });

  it('keeps its secret after a PUT without one; an empty secret, unknown fields and foreign ids are rejected', async () => {
    const { client } = freshWorld(sandbox);
    const [id] = await subscribe(client, 'https://hooks.example.com/', 'number_purchased');
    const path = `/_sandbox/webhook-subscriptions/${id}`;
    expect((await client.put(path, {})).body.data.signing_secret).toBe('sandbox_signing_secret');
    expectError(await client.put(path, { signing_secret: '' }), 400, 'validation_error');
    expectError(await client.put(path, { secret: 'x' }), 400, 'validation_error');
    expectError(await freshWorld(sandbox).client.get(path), 404, 'not_found');
    expectError(await freshWorld(sandbox).client.put(path, { signing_secret: 'x' }), 404, 'not_found');
  });

  it('covers exactly the bytes that arrive, for any text', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    // Number events have no free text; a world can assume that other events are signed like them.
    await client.put('/_sandbox/assumptions/event_payloads', { value: 'enveloped_and_signed' });
    await subscribe(client, hook(receiver), 'contact_created');
    const text = fc.oneof(
      anyText(60),
      fc.constantFrom('Zoë Łęcka 電話 \u{1f3a7}', '\u2028\u2029', '\ud800', '</script>', '\\u0041', '\u0000', ''),
    );
    await fc.assert(
      fc.asyncProperty(text, async (name) => {
        receiver.got.length = 0;
        await fire(client, 'contact_created', { name });
        await world.clock.advance('0s');
        const [{ raw, headers, body }] = receiver.got as [Received];
        expect(headers[SIGNATURE]).toBe(hmac(raw, 'sandbox_signing_secret'));
        expect(headers['content-length']).toBe(String(raw.length));
        expect(body.payload.name).toBe(name);
        expect(verifySignature(raw, headers[SIGNATURE], 'sandbox_signing_secret')).toBe(true);
      }),
      { numRuns: runs(4, 60) },
    );
  });
});
