// The machine's clock, when someone sets it: the time of a world never goes back, and its tasks go on.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { clientOf } from '../support/client.ts';
import { isOnRedis } from '../support/on-redis.ts';
import { eventually } from '../support/until.ts';
import { msOf, nowOf } from './setup.ts';

const HOUR = 3_600_000;
const running: Sandbox[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const each of running.splice(0)) await each.close();
});

async function start(clock: string) {
  const sandbox = await createSandbox({ clock });
  running.push(sandbox);
  return { sandbox, client: clientOf(sandbox.url) };
}

/** The machine's clock is set, and goes on from there; what counts the time that passes is not. */
function setMachineClock(by: number): void {
  const { now } = Date;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + by);
}
afterEach(() => void vi.restoreAllMocks());

describe.each(['real', '1000x'])('a %s clock, when the clock of the machine is set back by an hour', (clock) => {
  it('does not go back, and its tasks go on', async () => {
    const { client } = await start(clock);
    const id = await client.call('+12125550100', { 'X-Sandbox-Scenario': 'busy;ring=20ms' });
    const before = await nowOf(client);
    setMachineClock(-HOUR);
    const after = await nowOf(client);
    expect(after >= before, `${after} after ${before}`).toBe(true);
    await eventually(async () => expect((await client.readCall(id)).status).toBe('BUSY'), 5);
    expect((await nowOf(client)) > after).toBe(true);
  });
});

describe.skipIf(isOnRedis)('a sandbox whose machine has its clock set', () => {
  it('back keeps its tokens valid and its rate windows as long as they were', async () => {
    const { client } = await start('manual');
    const { token } = (await client.post('/v1/client-tokens', {})).body.data;
    const reset = Number((await client.get('/v1/me')).headers['x-ratelimit-reset']);
    setMachineClock(-HOUR);
    expect((await clientOf(running[0]?.url ?? '', token).get('/v1/me')).status).toBe(200);
    expect(Number((await client.get('/v1/me')).headers['x-ratelimit-reset'])).toBeGreaterThanOrEqual(reset);
  });

  it('forward follows it on a real clock, and runs what is due by then within a second or two', async () => {
    const { client } = await start('real');
    const before = await msOf(client);
    const id = await client.call('+12125550100', { 'X-Sandbox-Scenario': 'busy;ring=20m' });
    setMachineClock(HOUR);
    const events = `/_sandbox/events?event_type=call_busy`;
    await eventually(async () => expect((await client.get(events)).body.data).toHaveLength(1));
    expect((await client.readCall(id)).status).toBe('BUSY');
    expect(await msOf(client)).toBeGreaterThanOrEqual(before + HOUR);
  });
});
