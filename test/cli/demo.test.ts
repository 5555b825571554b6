// The world of a demonstration: what is in it follows from the seed, and every page of the dashboard has something to show.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playDemo } from '../../src/cli/demo-traffic.ts';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { type Answer, clientOf } from '../support/client.ts';
import { thorough } from '../support/thorough.ts';

const KEY = 'svc_sandbox_demo';

async function demo(seed: number): Promise<Sandbox> {
  const sandbox = await createSandbox({ clock: 'manual', seed });
  await playDemo({ url: sandbox.url, token: null, seed });
  return sandbox;
}

const read = async (sandbox: Sandbox, path: string): Promise<Answer['body']> =>
  (await clientOf(sandbox.url, KEY).get(path)).body;

/** The calls since the traffic began, as a sequence of what became of them. */
const callsOf = async (sandbox: Sandbox): Promise<string> => {
  const { data } = await read(sandbox, '/_sandbox/calls?page_size=40');
  return data.map(({ call }: Answer['body']) => `${call.id} ${call.to_number} ${call.status}`).join(', ');
};

describe('the world of a demonstration', () => {
  let sandbox: Sandbox;
  let first: string;
  beforeAll(async () => {
    sandbox = await demo(1);
    first = await callsOf(sandbox);
  });
  afterAll(() => sandbox.close());

  it('has calls with many outcomes, some of them still going on, and texts in both directions', async () => {
    const calls: Answer['body'][] = (await read(sandbox, '/_sandbox/calls?page_size=60')).data;
    const statuses = new Set(calls.map(({ call }) => call.status));
    for (const status of ['COMPLETED', 'BUSY', 'NO_ANSWER', 'VOICEMAIL', 'IN_PROGRESS', 'QUEUED'])
      expect(statuses).toContain(status);
    const messages: Answer['body'][] = (await read(sandbox, '/_sandbox/messages')).data;
    expect(new Set(messages.map(({ direction }) => direction))).toEqual(new Set(['inbound', 'outbound']));
  });

  it('has deliveries that failed and were sent again, and requests that were refused', async () => {
    const deliveries: Answer['body'][] = (await read(sandbox, '/_sandbox/deliveries?page_size=200')).data;
    const retried = deliveries.filter(({ attempts }) => attempts.length > 1);
    expect(retried.some(({ status }) => status === 'delivered')).toBe(true);
    expect(retried.some(({ status }) => status === 'failed')).toBe(true);
    expect(deliveries.some(({ attempts }) => attempts[0]?.signed_with === 'world_secret')).toBe(true);
    const requests: Answer['body'][] = (await read(sandbox, '/_sandbox/requests?page_size=200')).data;
    const codes = new Set(requests.map(({ error_code }) => error_code));
    for (const code of ['not_found', 'dnc_suppressed']) expect(codes).toContain(code);
  });

  it('has a business in vetting, and a campaign that goes on calling', async () => {
    const jobs = await read(sandbox, '/v1/jobs');
    expect(jobs.data).toMatchObject([{ name: 'Spring campaign' }]);
    const requests: Answer['body'][] = (await read(sandbox, '/_sandbox/requests?operation=signAndSubmitEnterprise'))
      .data;
    expect(requests).toMatchObject([{ scenario: { name: 'vetting_slow' } }]);
    await sandbox.world('demo').clock.advance('10m');
    expect((await read(sandbox, '/v1/jobs')).data[0].progress.completed).toBeGreaterThan(3);
  });

  it.runIf(thorough)('is the same with the same seed, and another with another one', async () => {
    const [again, other] = await Promise.all([demo(1), demo(2)]);
    expect(await callsOf(again)).toBe(first);
    expect(await callsOf(other)).not.toBe(first);
    await Promise.all([again, other].map((each) => each.close()));
  });

  it('has a snapshot, from which it can be shown again', async () => {
    const { data } = await read(sandbox, '/_sandbox/snapshots');
    expect(data.map(({ name }: Answer['body']) => name)).toEqual(['demo']);
  });

  it('is played again where an earlier start was stopped in the middle of it', async () => {
    const stopped = await createSandbox({ clock: 'manual', seed: 1 });
    const world = stopped.world('demo');
    await world.subscribe(`${stopped.url}/_sandbox/inbox/billing?world=demo`, ['call_completed']);
    await clientOf(stopped.url, KEY).call('+12125550100');
    await playDemo({ url: stopped.url, token: null, seed: 1 });
    expect((await callsOf(stopped)).split(', ').length).toBe(first.split(', ').length);
    expect((await read(stopped, '/_sandbox/webhook-subscriptions')).data).toHaveLength(6);
    await stopped.close();
  });

  it('is not played twice', async () => {
    const before = await read(sandbox, '/_sandbox/calls');
    await playDemo({ url: sandbox.url, token: null, seed: 1 });
    expect((await read(sandbox, '/_sandbox/calls')).meta.total_results).toBe(before.meta.total_results);
  });
});
