// Worlds of one fixture: they share the ids of its records and nothing else (`interface.md` section 2).
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { childOrganization } from '../support/world.ts';
import { dataOf, organizationOf, useWorlds } from './setup.ts';

const { sandbox, client, receiver, inWorld } = useWorlds();

describe('worlds of the default fixture', () => {
  const fixtureIds = async (client: Client): Promise<string[]> => {
    const lists = ['/v1/calls', '/v1/agents', '/v1/caller-ids', '/v1/phone-numbers'];
    const rows = (await Promise.all(lists.map((path) => dataOf(client, path)))).flat();
    const ids = rows.map(({ id, caller_id_id }) => String(id ?? caller_id_id));
    return [...ids, (await dataOf(client, '/v1/me')).user.id, await childOrganization(client)];
  };

  it('share the ids of their fixture records, but no organization', async () => {
    const [one, two] = [inWorld('twin-1'), inWorld('twin-2')];
    const ids = await fixtureIds(one);
    expect(ids).toHaveLength(7 + 2 + 5 + 4 + 2);
    expect(await fixtureIds(two)).toEqual(ids);
    expect(await fixtureIds(client)).toEqual(ids);
    const organizations = await Promise.all([one, two, client].map(organizationOf));
    expect(new Set(organizations).size).toBe(3);
    for (const [user, id] of [
      [one, organizations[0]],
      [two, organizations[1]],
    ] as const) {
      for (const { organization_id } of await dataOf(user, '/v1/phone-numbers')) expect(organization_id).toBe(id);
    }
  });

  it('share no id that is allocated at run time', async () => {
    const made = async (client: Client, world: string): Promise<string[]> => {
      const call = await client.dial('+12125550101');
      const callerId = await client.post('/v1/caller-ids', { phone_number: '+12125550160' });
      const body = { webhook_url: `${receiver.url}/`, event_type: 'call_busy' };
      const subscription = await client.post('/api/v1/webhook_subscriptions', body);
      const key = await client.post('/_sandbox/keys', {});
      await sandbox.world(world).clock.untilIdle();
      const events = await sandbox.world(world).events();
      const deliveries = await sandbox.world(world).deliveries();
      expect([events.length, deliveries.length]).toEqual([4, 1]);
      return [
        call.body.call_id,
        callerId.body.data.caller_id_id,
        subscription.body.id,
        key.body.data.id,
        key.body.data.api_key,
        call.headers['x-sandbox-request-id'] as string,
        ...events.map(({ id }) => id),
        ...deliveries.map(({ id }) => id),
      ];
    };
    const one = await made(inWorld('maker-1'), 'maker-1');
    const two = await made(inWorld('maker-2'), 'maker-2');
    expect(one.filter((id) => two.includes(id))).toEqual([]);
    expect(new Set([...one, ...two]).size).toBe(one.length * 2);
  });

  it('change only their own copy of a fixture record', async () => {
    const [one, two] = [inWorld('changer-1'), inWorld('changer-2')];
    const before = {
      agents: await dataOf(two, '/v1/agents'),
      callerIds: await dataOf(two, '/v1/caller-ids'),
    };
    const [{ id: agent }] = before.agents;
    const [{ caller_id_id: callerId }] = before.callerIds;
    expect((await one.patch(`/v1/agents/${agent}`, { name: 'Changed', enabled: false })).status).toBe(200);
    expect((await one.delete(`/v1/caller-ids/${callerId}`)).status).toBe(200);
    expect(await dataOf(two, '/v1/agents')).toEqual(before.agents);
    expect(await dataOf(two, '/v1/caller-ids')).toEqual(before.callerIds);
    expect((await dataOf(one, `/v1/agents/${agent}`)).name).toBe('Changed');
    expect((await dataOf(inWorld('changer-3'), `/v1/agents/${agent}`)).name).toBe('Front desk assistant');
  });
});
