// How many calls run at once: the limit of the organization, and `max_calls` of a number in a fixture.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Answer, type Client, clientOf, expectError } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { useFreshSandbox } from '../support/sandbox.ts';
import { childOf } from '../support/world.ts';
import { listed, withSandbox } from './setup.ts';

const folderOf = temporaryFolders();
const { client } = useFreshSandbox({ clock: 'manual' });

describe('the capacity of a world', () => {
  const overCapacity = (answer: Answer): void => {
    expectError(answer, 429, 'rate_limited');
    expect(answer.body.error.category).toBe('account_limit');
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.headers['x-ratelimit-limit']).toBe('600');
  };

  it('refuses one call too many, and accepts the next once a call has ended or was hung up', async () => {
    await withSandbox({ concurrentCalls: 2 }, async (two, own) => {
      const long = { 'X-Sandbox-Scenario': 'answered;ring=2s;talk=1h' };
      const first = await two.call('+12125550100', long);
      await two.call('+12125550100', { 'X-Sandbox-Scenario': 'busy;ring=2s' });
      overCapacity(await two.dial('+12125550100'));
      expect((await listed(two)).meta.total_results).toBe(9);

      await own.clock.advance('1999ms');
      overCapacity(await two.dial('+12125550100'));
      await own.clock.advance('1ms');
      await two.call('+12125550100', long);
      overCapacity(await two.dial('+12125550100'));

      await two.post(`/v1/calls/${first}/hangup`);
      await two.call('+12125550100', long);
      overCapacity(await two.dial('+12125550100'));
    });
  });

  it('is shared by the organization and its sub-entities, and separate in each world', async () => {
    await withSandbox({ concurrentCalls: 1 }, async (one, own) => {
      const child = await childOf(own.url, one);
      await one.call('+12125550100');
      const body = { from_number: '+14155550194', to_number: '+12125550100' };
      overCapacity(await child.post('/v1/calls/dial', body));
      expect((await clientOf(own.url, 'svc_test_elsewhere').dial('+12125550100')).status).toBe(202);
    });
  });

  it('is 100 calls by default', async () => {
    for (let calls = 0; calls < 100; calls++) await client.call('+12125550108');
    overCapacity(await client.dial('+12125550108'));
  });

  it('is unlimited when it is off', async () => {
    await withSandbox({ concurrentCalls: 'off' }, async (free) => {
      for (let calls = 0; calls < 120; calls++) await free.call('+12125550108');
    });
  });
});

describe('a number with max_calls in its fixture', () => {
  const fixture = `organization: { name: Narrow Lane, slug: narrow-lane, plan: starter }
user: { name: Front Office, email: office@narrow.example }
phone_numbers:
  - { id: 1, phone_number: "+14155550190", created: -1d, max_calls: 2 }
  - { id: 2, phone_number: "+14155550191", created: -1d }
caller_ids:
  - { phone_number: "+14155550190", status: VERIFIED, created: -1d }
  - { phone_number: "+14155550191", status: VERIFIED, created: -1d }
`;

  const agent = `agents:
  - name: Caller
    agent_type: outbound
    created: -1d
    greeting: Hello
    voice_id: voice_linden
    business_name: Narrow Lane
    business_description: A lane.
    system_prompt: You call.
    phone_number: "+14155550190"
`;
  const both = fixture.replace('0191", created: -1d', '0191", created: -1d, max_calls: 1') + agent;

  async function inNarrow(
    text: string,
    body: (narrow: Client, from: (number: string) => Promise<Answer>) => Promise<void>,
  ) {
    const file = join(folderOf({ 'narrow.yaml': text }), 'narrow.yaml');
    await withSandbox({ fixtures: file }, async (_, own) => {
      const narrow = clientOf(own.url, 'svc_test_narrow');
      await body(narrow, (from_number) => narrow.post('/v1/calls/dial', { from_number, to_number: '+12125550108' }));
    });
  }

  it('carries that many calls at once; a number without it is unlimited', async () => {
    await inNarrow(fixture, async (narrow, from) => {
      const first = await from('+14155550190');
      const second = await from('+14155550190');
      expect([first.status, second.status]).toEqual([202, 202]);

      const third = await from('+14155550190');
      expectError(third, 429, 'rate_limited');
      expect(third.body.error.category).toBe('account_limit');
      expect(third.body.error.resolution_hint).toContain('+14155550191');
      expect(third.headers['retry-after']).toBe('1');
      for (let calls = 0; calls < 5; calls++) expect((await from('+14155550191')).status).toBe(202);

      await narrow.post(`/v1/calls/${first.body.call_id}/hangup`);
      expect((await from('+14155550190')).status).toBe(202);
      expectError(await from('+14155550190'), 429, 'rate_limited');
    });
  });

  it('is 429 no_number_available only when no usable number is free', async () => {
    await inNarrow(both, async (narrow, from) => {
      for (let calls = 0; calls < 2; calls++) expect((await from('+14155550190')).status).toBe(202);
      expectError(await from('+14155550190'), 429, 'rate_limited');
      const last = await from('+14155550191');
      expect(last.status).toBe(202);
      for (const number of ['+14155550190', '+14155550191']) {
        const refused = await from(number);
        expectError(refused, 429, 'no_number_available');
        expect(refused.body.error.category).toBe('account_limit');
        expect(refused.headers['x-sandbox-assumptions']).toBe('concurrent_calls');
        expect(refused.headers['retry-after']).toBe('1');
      }
      await narrow.post(`/v1/calls/${last.body.call_id}/hangup`);
      expectError(await from('+14155550190'), 429, 'rate_limited');
    });
  });

  it('makes an agent call from another number, until none is free', async () => {
    await inNarrow(both, async (narrow) => {
      const agent_id = (await narrow.get('/v1/agents')).body.data[0].id;
      const place = () => narrow.post('/v1/calls', { agent_id, to_number: '+12125550108' });
      const used = [];
      for (let calls = 0; calls < 3; calls++) {
        used.push((await narrow.readCall((await place()).body.call_id)).from_number);
      }
      expect(used).toEqual(['+14155550190', '+14155550190', '+14155550191']);
      expectError(await place(), 429, 'no_number_available');
    });
  });
});
