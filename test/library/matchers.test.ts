// The matchers for test runners.
import { describe, expect, it } from 'vitest';
import '../../src/vitest.ts';
import { createReceiver, destinationFor } from '../../src/index.ts';
import { clientOf } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';

const { sandbox } = useSandbox({ clock: 'manual' });

describe('the matchers', () => {
  it('tell what was delivered, received and ended, and print what came nearest', async () => {
    await using receiver = await createReceiver();
    const world = sandbox.world('matchers');
    await world.subscribe(receiver.url, 'call_busy');
    const to_number = destinationFor('busy');
    const call_id = await clientOf(sandbox.url, world.apiKey).call(to_number);
    await expect(expect(world).toHaveEnded(call_id)).rejects.toThrow(`the call ${call_id} is QUEUED`);
    await expect(expect(world).toHaveDelivered('call_busy')).rejects.toThrow('Only these have happened: new_call');
    await world.clock.untilIdle();
    await expect(world).toHaveEnded(call_id, 'BUSY');
    await expect(world).not.toHaveEnded(call_id, 'COMPLETED');
    await expect(world).toHaveDelivered('call_busy', { id: call_id });
    const other = expect(world).toHaveDelivered('call_busy', { id: 'other' });
    await expect(other).rejects.toThrow(/not delivered call_busy with \{"id":"other"\}.*Nearest:\n {2}delivered /s);
    await expect(expect(world).toHaveDelivered('new_call')).rejects.toThrow('nobody heard it');
    await expect(world).toHaveReceivedRequest({ operation: 'dialCall', body: { to_number } }, 1);
    const twice = expect(world).toHaveReceivedRequest({ operation: 'dialCall' }, 2);
    await expect(twice).rejects.toThrow('has received 1 such requests');
  });
});
