// What the key of a sub-entity is told of an advance, which happens to all of its world (`interface.md` section 2).
import { describe, expect, it } from 'vitest';
import type { Answer, Client } from '../support/client.ts';
import { useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { freshWorld, subscribe } from '../support/webhooks.ts';
import { childOf } from '../support/world.ts';
import { advance, MANUAL } from './setup.ts';

const { sandbox } = useSandbox(MANUAL);
const newReceiver = useReceivers();

const BUSY = '+12125550101';

/** Two calls of the world's own organization and one of its child, all heard. */
async function threeCalls(): Promise<{ client: Client; child: Client; ids: string[]; own: string }> {
  const { client } = freshWorld(sandbox);
  const child = await childOf(sandbox.url, client);
  const { url } = await newReceiver();
  for (const each of [client, child]) await subscribe(each, url, 'call_busy');
  const ids = [await client.call(BUSY), await client.call(BUSY)];
  const dialed = await child.post('/v1/calls/dial', { from_number: '+14155550194', to_number: BUSY });
  return { client, child, ids, own: dialed.body.call_id };
}

const callsIn = ({ steps, deliveries }: Answer['body']): { steps: Set<string>; deliveries: Set<string> } => ({
  steps: new Set(steps.map(({ subject }: Answer['body']) => subject.id)),
  deliveries: new Set(deliveries.map(({ body }: { body: string }) => JSON.parse(body).id)),
});

describe('an advance', () => {
  it('by the key of a sub-entity lists and counts what happened to that child, and moves the whole world', async () => {
    const { client, child, ids, own } = await threeCalls();
    const advanced = await advance(child, { until: 'idle' });
    expect(callsIn(advanced)).toEqual({ steps: new Set([own]), deliveries: new Set([own]) });
    expect(advanced.totals).toEqual({ steps: advanced.steps.length, deliveries: 1 });
    for (const id of ids) expect((await client.readCall(id)).status).toBe('BUSY');
  });

  it("by the organization's own key lists everything", async () => {
    const { client, ids, own } = await threeCalls();
    const all = new Set([...ids, own]);
    const advanced = await advance(client, { until: 'idle' });
    expect(callsIn(advanced)).toEqual({ steps: all, deliveries: all });
    expect(advanced.totals.deliveries).toBe(3);
  });
});
