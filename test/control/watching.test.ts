// What the dashboard reads and checks besides calls: messages, subscriptions, scenarios that are being written.
import { describe, expect, it } from 'vitest';
import { useFreshSandbox } from '../support/sandbox.ts';

describe('who watches a world', () => {
  const { client, sandbox } = useFreshSandbox({ clock: 'manual' });

  it('lists its messages newest first, or some by their ids, without a request in the journal', async () => {
    const [first, second] = [await sandbox.simulate.inboundSms(), await sandbox.simulate.inboundSms({ body: 'Again' })];
    const { data } = (await client.get('/_sandbox/messages?page_size=2')).body;
    expect(data.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id]);
    const named = (await client.get(`/_sandbox/messages?ids=${first.id},none`)).body;
    expect([named.data.length, named.meta.total_results]).toEqual([1, 1]);
    expect((await client.get(`/_sandbox/messages?ids=${Array(101).fill('a').join(',')}`)).status).toBe(400);
    expect((await client.get('/_sandbox/requests')).body.data).toEqual([]);
  });

  it('lists its webhook subscriptions with their secrets and plans', async () => {
    const url = `${sandbox.url}/_sandbox/inbox/hooks`;
    await sandbox.subscribe(url, ['call_busy', 'new_call'], { drop: 1 });
    const { data } = (await client.get('/_sandbox/webhook-subscriptions')).body;
    expect(data.slice(-2)).toMatchObject([
      { webhook_url: url, event_type: 'call_busy', plan: { drop: 1 } },
      { webhook_url: url, event_type: 'new_call', plan: { drop: 1 } },
    ]);
  });

  it('gets every fault of a scenario with its place, and nothing is stored', async () => {
    const check = async (text: string) => {
      const answer = await client.post('/_sandbox/scenarios/own/check', text, {
        'Content-Type': 'application/yaml',
      });
      return answer.body.data;
    };
    const bad = await check('kind: call\nsummary: One.\ntimeline:\n  - { after: 2, trigger: rign }\n');
    expect(bad.scenario).toBeNull();
    expect(bad.faults).toMatchObject([
      { line: 4, field: 'timeline.0.after' },
      { line: 4, field: 'timeline.0.trigger', reason: expect.stringContaining('did you mean ring?') },
    ]);
    expect((await check('kind: [')).faults).toMatchObject([{ field: '' }]);
    const good = await check('kind: call\nsummary: One.\nextends: busy\n');
    expect(good.scenario.drawing).toEqual({
      begins: { status: 'QUEUED', events: ['new_call'] },
      timeline: [
        { after: '$ring', trigger: 'busy', to: 'BUSY', events: ['call_completed', 'call_busy', 'phone_call.ended'] },
      ],
      choices: {},
    });
    expect(good).toMatchObject({
      faults: [],
      scenario: { name: 'own', origin: 'world', parameters: { ring: '1s..3s' } },
    });
    expect((await client.get('/_sandbox/scenarios/own')).status).toBe(404);
  });
});
