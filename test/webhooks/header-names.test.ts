// Headers with names that every object has, in requests, in what receivers answer, and in what verify compares.
import { describe, expect, it } from 'vitest';
import { useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { deliveriesOf, fire, freshWorld, subscribe } from '../support/webhooks.ts';
import { hook, UNLIMITED } from './setup.ts';

/** The headers by these names alone, also those that an object inherits. */
const strange = (headers: object): (readonly [string, unknown])[] =>
  Object.entries(headers).filter(([name]) => name === '__proto__' || name === 'constructor');

describe.each(['fresh', 'reuse'])('over %s connections, a receiver', (webhookConnections) => {
  const { sandbox } = useSandbox({ ...UNLIMITED, webhookConnections });
  const newReceiver = useReceivers();

  it('may answer a header named __proto__, which its delivery shows', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    receiver.onDelivery = (_, res) => {
      res.writeHead(200, [
        ['__proto__', 'svc_test_planted'],
        ['constructor', 'y'],
      ]);
      res.end();
    };
    await subscribe(client, hook(receiver), 'call_busy');
    await fire(client, 'call_busy');
    await world.clock.advance('0s');
    const [{ attempts }] = await deliveriesOf(client);
    expect(attempts[0].error_class).toBeNull();
    const shown = strange(attempts[0].response.headers);
    expect(shown.sort()).toEqual([
      ['__proto__', '[redacted]'],
      ['constructor', 'y'],
    ]);
  });
});

describe('a request', () => {
  const { sandbox } = useSandbox(UNLIMITED);

  it('may have a header named __proto__, which the journal, a snapshot and an inbox keep', async () => {
    const { client, world } = freshWorld(sandbox);
    const odd = { ['__proto__']: 'svc_test_planted', constructor: 'y' };
    await client.get('/v1/me', odd);
    await client.post(`/_sandbox/inbox/odd?world=${world.name}`, '', odd);
    await client.post('/_sandbox/snapshots', { name: 'odd' });
    for (let times = 0; times < 2; times++) {
      const [{ request }] = (await client.get('/_sandbox/requests')).body.data;
      const [message] = (await client.get('/_sandbox/inbox/odd/messages')).body.data;
      for (const { headers } of [request, message])
        expect(strange(headers).sort()).toEqual([
          ['__proto__', '[redacted]'],
          ['constructor', 'y'],
        ]);
      await client.post('/_sandbox/snapshots/odd/restore');
    }
  });

  it('without a header has none, even if every object has a property of that name', async () => {
    const { client } = freshWorld(sandbox);
    await client.get('/v1/me');
    const match = { operation: 'getMe', headers: { constructor: 'x' } };
    const { body } = await client.post('/_sandbox/requests/verify', { match });
    expect(body.data).toMatchObject({ passed: false, actual: 0 });
    expect(body.data.misses[0].differences).toEqual([{ field: 'headers.constructor', expected: 'x' }]);
  });
});
