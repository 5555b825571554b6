// The key of a sub-entity sees the requests, events and deliveries of that child alone (`interface.md` section 2).
import { describe, expect, it } from 'vitest';
import { type Client, expectError } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { freshWorld, subscribe } from '../support/webhooks.ts';
import { childOf } from '../support/world.ts';

type Json = Awaited<ReturnType<Client['get']>>['body'];

const { sandbox } = useSandbox();

/** What both have done: a call each, heard by a subscription each. */
async function twoOrganizations(): Promise<{ client: Client; child: Client }> {
  const { client, world } = freshWorld(sandbox);
  const child = await childOf(sandbox.url, client);
  for (const each of [client, child])
    await subscribe(each, `${sandbox.url}/_sandbox/inbox/calls?world=${world.name}`, 'call_busy');
  await client.call('+12125550101');
  const dialed = await child.post('/v1/calls/dial', { from_number: '+14155550194', to_number: '+12125550101' });
  expect(dialed.status, dialed.text).toBe(202);
  await world.clock.untilIdle();
  return { client, child };
}

const idsOf = async (client: Client, path: string): Promise<string[]> =>
  (await client.get(`/_sandbox/${path}`)).body.data.map(({ id }: Json) => id);

describe('the key of a sub-entity', () => {
  it.each([
    ['requests', 'requests?path=/v1/calls/dial'],
    ['events', 'events?event_type=call_busy'],
    ['deliveries', 'deliveries?event_type=call_busy'],
  ])('is shown the %s of that child alone, and the world its own and those', async (_, list) => {
    const { client, child } = await twoOrganizations();
    const [own, all] = [await idsOf(child, list), await idsOf(client, list)];
    expect(own).toHaveLength(1);
    expect(all).toHaveLength(2);
    expect(all).toContain(own[0]);
  });

  it('finds no request and no delivery of another, and sends none of them again', async () => {
    const { client, child } = await twoOrganizations();
    for (const [list, filter] of [
      ['requests', '?operation=dialCall'],
      ['deliveries', '?event_type=call_busy'],
    ] as const) {
      const [own] = await idsOf(child, list + filter);
      const other = (await idsOf(client, list + filter)).find((id) => id !== own);
      expect(other).toBeDefined();
      expectError(await child.get(`/_sandbox/${list}/${other}`), 404, 'not_found');
      expect((await child.get(`/_sandbox/${list}/${own}`)).status).toBe(200);
      for (const id of [own, other]) expect((await client.get(`/_sandbox/${list}/${id}`)).status).toBe(200);
    }
    const [own] = await idsOf(child, 'deliveries');
    const other = (await idsOf(client, 'deliveries')).find((id) => id !== own);
    expectError(await child.post(`/_sandbox/deliveries/${other}/redeliver`), 404, 'not_found');
    expect((await child.post(`/_sandbox/deliveries/${own}/redeliver`)).status).toBe(200);
  });

  it('verifies and waits for what that child did and what happened to it', async () => {
    const { client, child } = await twoOrganizations();
    const match = { operation: 'dialCall' };
    expect((await child.post('/_sandbox/requests/verify', { match, exactly: 1 })).status).toBe(200);
    expect((await client.post('/_sandbox/requests/verify', { match, exactly: 2 })).status).toBe(200);
    const own = await idsOf(child, 'events?event_type=call_busy');
    const events: Json[] = (await client.get('/_sandbox/events?event_type=call_busy')).body.data;
    for (const { id, subject } of events) {
      const wait = `/_sandbox/wait?event_type=call_busy&subject_id=${subject.id}&timeout=1ms`;
      expect((await client.get(wait)).status).toBe(200);
      expect((await child.get(wait)).status).toBe(own.includes(id) ? 200 : 408);
    }
  });
});
