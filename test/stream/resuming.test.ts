import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.ts';
import { useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { runs } from '../support/thorough.ts';
import { freshWorld, subscribe } from '../support/webhooks.ts';
import { journaled, latest, watch } from './setup.ts';

const { sandbox } = useSandbox({ clock: 'manual', rateLimit: false, concurrentCalls: 'off' });
const newReceiver = useReceivers();

type Json = Answer['body'];

describe('resuming', () => {
  const action = fc.constantFrom('dial', 'text', 'read', 'hang up', 'advance', 'burst', 'reconnect');

  it('loses nothing and repeats nothing, wherever the connection is cut', async () => {
    const receiver = await newReceiver();
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 14 }), async (actions) => {
        const { client, world } = freshWorld(sandbox);
        let watcher = await watch(sandbox.url, client.key);
        const messages: Json[] = [];
        await subscribe(client, receiver.url, 'call_busy', 'new_call');
        let call = '';
        for (const each of actions) {
          if (each === 'dial') call = await client.call('+12125550101');
          if (each === 'text') await client.post('/v1/sms', { to: '+12125550171', body: 'Hello' });
          if (each === 'read') await client.get('/v1/calls');
          if (each === 'hang up') await client.post(`/v1/calls/${call || 'none'}/hangup`);
          if (each === 'advance') await world.clock.advance('1s');
          if (each === 'burst') await Promise.all(Array.from({ length: 5 }, () => client.call('+12125550101')));
          if (each !== 'reconnect') continue;
          // Cut without a word, wherever it has got to.
          watcher.socket.terminate();
          await watcher.closed;
          const since = (watcher.messages.at(-1) ?? messages.at(-1)).entry;
          messages.push(...watcher.messages);
          watcher = await watch(sandbox.url, client.key, { since });
        }
        await world.clock.untilIdle();
        const end = await client.get('/v1/me');
        await watcher.until(({ data }) => data.id === end.headers['x-sandbox-request-id']);
        messages.push(...watcher.messages);
        await watcher.leave();
        const told = messages.filter(({ type }) => type !== 'open' && type !== 'clock');
        expect(new Set(told.map(({ entry }) => entry)).size).toBe(told.length);
        expect(latest(messages)).toEqual(await journaled(client));
      }),
      { numRuns: runs(5, 300) },
    );
  });
});
