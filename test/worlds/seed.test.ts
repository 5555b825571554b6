// The seed: one seed and one order of requests give the same bytes (`interface.md` sections 1 and 2).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { type Client, clientOf } from '../support/client.ts';
import { runs } from '../support/thorough.ts';
import { programs, run } from './random-programs.ts';
import { dataOf, organizationOf, useWorlds } from './setup.ts';

const { receiver, inWorld } = useWorlds();

describe('the seed', () => {
  it('two sandboxes with one seed respond alike to the same requests, down to the webhook bytes', async () => {
    await fc.assert(
      fc.asyncProperty(programs(['cedar'], 25), fc.nat(1_000_000), async (program, seed) => {
        const outcomes = [];
        for (let times = 0; times < 2; times++) {
          const own = await createSandbox({ clock: 'manual', rateLimit: 'off', seed });
          outcomes.push(await run(own, program, receiver));
          await own.close();
        }
        expect(outcomes[1]).toEqual(outcomes[0]);
      }),
      { numRuns: runs(2, 8) },
    );
  });

  it('another seed gives other ids to fixture records and to new records', async () => {
    const idsFor = async (seed: number): Promise<string[]> => {
      const own = await createSandbox({ clock: 'manual', seed });
      const client = clientOf(own.url);
      const { data: calls } = (await client.get('/v1/calls')).body;
      const { data: agents } = (await client.get('/v1/agents')).body;
      const { data: callerIds } = (await client.get('/v1/caller-ids')).body;
      const { user, organization } = await dataOf(client, '/v1/me');
      const dialled = await client.dial('+12125550100');
      const key = (await client.post('/_sandbox/keys', {})).body.data;
      await own.close();
      return [
        ...[...calls, ...agents].map(({ id }) => id),
        ...callerIds.map(({ caller_id_id }: { caller_id_id: string }) => caller_id_id),
        user.id,
        organization.id,
        dialled.body.call_id,
        dialled.headers['x-sandbox-request-id'],
        key.api_key,
      ];
    };
    const [first, again, other] = [await idsFor(7), await idsFor(7), await idsFor(8)];
    expect(again).toEqual(first);
    expect(other).toHaveLength(first.length);
    expect(other.filter((id) => first.includes(id))).toEqual([]);
  });

  it('the id of the nth record of a kind does not depend on other kinds of records or on other worlds', async () => {
    const third = async (between: (client: Client, own: Sandbox) => Promise<unknown>): Promise<string> => {
      const own = await createSandbox({ clock: 'manual' });
      const client = inWorld('ordinal', own);
      await client.call('+12125550100');
      await between(client, own);
      await client.call('+12125550101');
      await between(client, own);
      const id = await client.call('+12125550102');
      await own.close();
      return id;
    };
    const plain = await third(async () => {});
    expect(await third((client) => client.post('/v1/caller-ids', { phone_number: '+12125550160' }))).toBe(plain);
    expect(await third((client) => client.get('/v1/calls'))).toBe(plain);
    expect(await third((client) => client.dial('911'))).toBe(plain);
    expect(await third((client) => client.dial('+12125550111'))).toBe(plain);
    expect(await third((_, own) => inWorld('beside', own).call('+12125550100'))).toBe(plain);
  });

  it('a world is the same whether a test key or a POST created it', async () => {
    const first = async (post: boolean): Promise<unknown> => {
      const own = await createSandbox({ clock: 'manual' });
      if (post) await clientOf(own.url).post('/_sandbox/worlds', { name: 'either' });
      const client = inWorld('either', own);
      const shown = [
        await organizationOf(client),
        await client.call('+12125550100'),
        await dataOf(client, '/v1/agents'),
      ];
      await own.close();
      return shown;
    };
    expect(await first(true)).toEqual(await first(false));
  });
});
