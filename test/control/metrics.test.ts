// The metrics of a server, as Prometheus text: `interface.md` section 5.
import { describe, expect, it } from 'vitest';
import { clientOf, expectError } from '../support/client.ts';
import { isOnRedis } from '../support/on-redis.ts';
import { useSandbox } from '../support/sandbox.ts';
import { fire, subscribe } from '../support/webhooks.ts';

const { sandbox, client } = useSandbox({ clock: 'manual' });

/** The samples by name and labels, as they are in the text. */
async function samplesOf(by = client): Promise<Record<string, number>> {
  const answer = await by.get('/_sandbox/metrics');
  expect(answer.status, answer.text).toBe(200);
  const lines = answer.text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

/** How much samples have grown; those that have not are left out. */
async function growthBy(action: () => Promise<unknown>, prefix = 'ringback_'): Promise<Record<string, number>> {
  const before = await samplesOf();
  await action();
  const grown = Object.entries(await samplesOf()).map(([name, value]): [string, number] => [
    name,
    value - (before[name] ?? 0),
  ]);
  return Object.fromEntries(grown.filter(([name, value]) => value !== 0 && name.startsWith(prefix)));
}

describe('the metrics', () => {
  it('are Prometheus text: each sample has a help and a type, and none is there twice', async () => {
    await client.get('/v1/me');
    const answer = await client.get('/_sandbox/metrics');
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    const lines = answer.text.split('\n').filter((line) => line !== '');
    const samples = lines.filter((line) => !line.startsWith('#'));
    expect(
      samples.filter((line) => !/^[a-z_\d]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? ([-+.\de]+|Nan)$/.test(line)),
    ).toEqual([]);
    const names = samples.map((line) => line.slice(0, line.lastIndexOf(' ')));
    expect(new Set(names).size).toBe(names.length);
    const described = new Set(lines.filter((line) => line.startsWith('# TYPE')).map((line) => line.split(' ')[2]));
    const families = names.map((name) => name.split('{')[0] as string);
    const family = (name: string): string => (described.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ''));
    expect(families.filter((name) => !described.has(family(name)))).toEqual([]);
  });

  it('count requests by operation and class of the status, whatever world and path they have', async () => {
    const grown = await growthBy(async () => {
      await client.dial('+12125550100');
      await client.dial('911');
      await clientOf(sandbox.url, 'svc_test_another').get('/v1/calls');
      await clientOf(sandbox.url, 'svc_live_x').get('/v1/calls');
      await client.get('/v1/nowhere/secret-path');
      await client.dial('+12125550100', { 'X-Sandbox-Fault': 'empty;when=before' }).catch(() => {});
    }, 'ringback_requests_total');
    expect(grown).toEqual({
      'ringback_requests_total{operation="dialCall",status="2xx"}': 1,
      'ringback_requests_total{operation="dialCall",status="4xx"}': 1,
      'ringback_requests_total{operation="dialCall",status="none"}': 1,
      'ringback_requests_total{operation="listCalls",status="2xx"}': 1,
      'ringback_requests_total{operation="listCalls",status="4xx"}': 1,
      'ringback_requests_total{operation="none",status="4xx"}': 1,
    });
    const text = (await client.get('/_sandbox/metrics')).text;
    for (const secret of ['another', 'secret-path', 'svc_', '2125550100']) expect(text).not.toContain(secret);
  });

  it('have a histogram of how long requests take, in which a delay that was asked for does not count', async () => {
    const own = 'ringback_request_duration_seconds';
    let seconds = 0;
    const grown = await growthBy(async () => {
      const began = performance.now();
      await client.get('/v1/agents', { 'X-Sandbox-Delay': '60ms' });
      seconds = (performance.now() - began) / 1000;
    }, own);
    expect(grown[`${own}_count{operation="listAgents"}`]).toBe(1);
    expect(grown[`${own}_bucket{operation="listAgents",le="+Inf"}`]).toBe(1);
    // A timer may fire a millisecond early.
    expect(grown[`${own}_sum{operation="listAgents"}`]).toBeLessThanOrEqual(seconds - 0.058);
    const all = Object.entries(await samplesOf()).filter(([name]) =>
      name.startsWith(`${own}_bucket{operation="listAgents"`),
    );
    const counts = all.map(([, value]) => value);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(all).toHaveLength(14);
  });

  it('count requests of the control API', async () => {
    const grown = await growthBy(async () => {
      await client.get('/_sandbox/clock');
      await client.put('/_sandbox/clock', { mode: 'never' });
    }, 'ringback_control_requests_total');
    expect(grown).toEqual({
      'ringback_control_requests_total{operation="getClock",status="2xx"}': 1,
      'ringback_control_requests_total{operation="setClock",status="4xx"}': 1,
      'ringback_control_requests_total{operation="getMetrics",status="2xx"}': 1,
    });
  });

  it('count events by type and attempts of deliveries by how they ended', async () => {
    const by = clientOf(sandbox.url, 'svc_test_deliveries');
    await by.put('/_sandbox/inbox/orders', { respond: [503] });
    const url = `${sandbox.url}/_sandbox/inbox/orders?world=deliveries`;
    await subscribe(by, url, 'call_busy');
    await subscribe(by, `${sandbox.url}/v1/me`, 'call_busy');
    const attempts = await growthBy(async () => {
      await fire(by, 'call_busy');
      await fire(by, 'call_busy');
      await sandbox.world('deliveries').clock.untilIdle();
    }, 'ringback_delivery_attempts_total');
    expect(attempts).toEqual({
      'ringback_delivery_attempts_total{outcome="delivered"}': 1,
      'ringback_delivery_attempts_total{outcome="http_status"}': 1,
      'ringback_delivery_attempts_total{outcome="blocked_address"}': 2,
    });
    const events = await growthBy(() => fire(by, 'call_busy'), 'ringback_events_total');
    expect(events).toEqual({ 'ringback_events_total{type="call_busy"}': 1 });
    // What a restore brings back has not happened again.
    const kept = await sandbox.world('deliveries').snapshot();
    expect(await growthBy(() => kept.restore(), 'ringback_events_total')).toEqual({});
  });

  it('show worlds, keys, tasks, connections and the memory budget as they are', async () => {
    const grown = await growthBy(async () => {
      const fresh = clientOf(sandbox.url, 'svc_test_fresh-one');
      await fresh.post('/_sandbox/keys', {});
      await fresh.call('+12125550108');
      await client.post('/_sandbox/worlds', { name: 'posted-one' });
    });
    expect(grown).toMatchObject({
      'ringback_worlds{origin="auto"}': 1,
      'ringback_worlds{origin="posted"}': 1,
      // A replica counts them in the worlds that it runs, and none runs one whose clock stands still.
      ...(isOnRedis ? {} : { ringback_keys: 1 }),
      'ringback_memory_used_bytes{share="records"}': expect.any(Number),
    });
    if (!isOnRedis) expect(grown.ringback_scheduled_tasks).toBeGreaterThan(0);
    const samples = await samplesOf();
    const { memory } = (await client.get('/_sandbox/health')).body.data;
    for (const [share, { limit_bytes }] of Object.entries<{ limit_bytes: number }>(memory.shares)) {
      expect(samples[`ringback_memory_limit_bytes{share="${share}"}`]).toBe(limit_bytes);
      expect(samples[`ringback_dropped_total{share="${share}"}`]).toBe(0);
    }
    expect(samples.ringback_connections).toBeGreaterThan(0);
    expect(samples['ringback_worlds{origin="bundled"}']).toBe(5);
    expect(samples).toMatchObject({
      process_resident_memory_bytes: expect.any(Number),
      nodejs_eventloop_lag_p99_seconds: expect.any(Number),
    });
  });

  it('need no world: a test key that names one does not create it', async () => {
    await samplesOf(clientOf(sandbox.url, 'svc_test_never-there'));
    const worlds = (await client.get('/_sandbox/worlds?page_size=1000')).body.data;
    expect(worlds.map(({ name }: { name: string }) => name)).not.toContain('never-there');
    await samplesOf(clientOf(sandbox.url, null));
    expectError(await clientOf(sandbox.url, 'svc_live_unknown').get('/_sandbox/metrics'), 401, 'unauthorized');
  });
});

describe('the metrics of a server of which nobody has asked anything', () => {
  const { client: own } = useSandbox({ clock: 'manual' });

  it('have none of its worlds make the records of its fixture, which can be thousands', async () => {
    const recordsIn = async (): Promise<number> =>
      (await own.get('/_sandbox/health')).body.data.memory.shares.records.used_bytes;
    const before = await recordsIn();
    // On Redis there is none yet: a process counts those of the worlds that it has in memory.
    expect(await samplesOf(own)).toHaveProperty('ringback_keys');
    expect(await recordsIn()).toBe(before);
  });
});

describe('the metrics of a server with a control token', () => {
  const { sandbox: shared } = useSandbox({ clock: 'manual', controlToken: 'the-token' });

  it('take the token, and no key of a world', async () => {
    const token = clientOf(shared.url, 'the-token');
    await samplesOf(token);
    const { control_key } = (await token.post('/_sandbox/worlds', { name: 'own' })).body.data;
    expectError(await clientOf(shared.url, control_key).get('/_sandbox/metrics'), 403, 'forbidden');
    expectError(await clientOf(shared.url, 'svc_sandbox_default').get('/_sandbox/metrics'), 401, 'unauthorized');
    expectError(await clientOf(shared.url, null).get('/_sandbox/metrics'), 401, 'unauthorized');
  });
});
