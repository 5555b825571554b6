// Determinism: the seed and the order of requests decide every byte (`interface.md` section 4).
import { describe, expect, it } from 'vitest';
import { clientOf } from '../support/client.ts';
import { useReceivers } from '../support/receiver.ts';
import { CALL_EVENTS, fire, subscribe } from '../support/webhooks.ts';
import { useSandboxes } from './setup.ts';

const newReceiver = useReceivers();
const newSandbox = useSandboxes();

describe('two runs with the same seed and order of requests', () => {
  const run = async (seed: number): Promise<string[]> => {
    const made = await newSandbox({ clock: 'manual', seed });
    const client = clientOf(made.url, 'svc_test_twin');
    const receiver = await newReceiver();
    await subscribe(client, receiver.url, ...CALL_EVENTS, 'number_purchased');
    for (const last of ['00', '01', '02', '03', '04', '05', '06', '09']) {
      await client.dial(`+121255501${last}`);
      await made.world('twin').clock.advance('1s');
    }
    await fire(client, 'number_purchased');
    await made.world('twin').clock.untilIdle();
    const calls = (await client.get('/v1/calls')).text.replaceAll(made.url, '');
    const sent = receiver.got.map(({ raw, headers }) => `${raw} ${headers['x-service-signature-256']}`);
    return [calls, ...sent.sort()];
  };

  it('have byte-identical bodies and webhooks; a run with another seed does not', async () => {
    const first = await run(7);
    expect(first.length).toBeGreaterThan(25);
    expect(await run(7)).toEqual(first);
    const other = await run(8);
    expect(other).toHaveLength(first.length);
    expect(other[0]).not.toBe(first[0]);
  });
});
