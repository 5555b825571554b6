// Deliveries around a reset or a deletion: `interface.md` section 5. What was queued before is recorded and never sent.
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/until.ts';
import { subscribe } from '../support/webhooks.ts';
import { useWorlds, withHeldReceiver } from './setup.ts';

const { sandbox, inWorld } = useWorlds();

describe('a reset', () => {
  it('starts a new epoch: queued deliveries are recorded as canceled and never sent', async () => {
    const client = inWorld('reset-epoch');
    await withHeldReceiver(async (held, release) => {
      await subscribe(client, held.url, 'new_call');
      const calls = [
        await client.call('+12125550100'),
        await client.call('+12125550101'),
        await client.call('+12125550102'),
      ];
      await eventually(() => expect(held.got).toHaveLength(1));
      await client.post('/_sandbox/reset');
      release();
      await sandbox.world('reset-epoch').clock.untilIdle();
      expect(held.got.map(({ body }) => body.id)).toEqual(calls.slice(0, 1));
      const recorded = await sandbox.world('reset-epoch').deliveries();
      expect(recorded.map(({ body, status }) => [JSON.parse(body).id, status])).toEqual(
        calls.map((id) => [id, expect.stringMatching(/^(canceled|delivered)$/)]),
      );
      expect(recorded.slice(1).map(({ status }) => status)).toEqual(['canceled', 'canceled']);

      await subscribe(client, held.url, 'new_call');
      const next = await client.call('+12125550100');
      await sandbox.world('reset-epoch').clock.untilIdle();
      expect(held.got.map(({ body }) => body.id)).toEqual([calls[0], next]);
    });
  });
});

describe('the deliveries of a world that allocates its ids again', () => {
  it.each([
    ['a reset', 'was-reset', 'post', '/_sandbox/reset'],
    ['its deletion', 'was-deleted', 'delete', '/_sandbox/worlds/was-deleted'],
  ] as const)(
    'are each sent once and in order after %s, even if an earlier one is in flight',
    async (_, world, method, path) => {
      const client = inWorld(world);
      await withHeldReceiver(async (held, release) => {
        await subscribe(client, held.url, 'new_call');
        for (const last of [0, 1, 2]) await client.call(`+1212555010${last}`);
        await eventually(() => expect(held.got).toHaveLength(1));
        expect((await client[method](path)).status).toBe(204);
        await subscribe(client, held.url, 'new_call');
        for (const last of [5, 6, 7, 8]) await client.call(`+1212555010${last}`);
        release();
        await sandbox.world(world).clock.advance('1ms');
        expect(held.got.map(({ body }) => body.to_number.slice(-1))).toEqual(['0', '5', '6', '7', '8']);
      });
    },
  );
});
