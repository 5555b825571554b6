// Replicas that are asked at once, and replicas that are killed: what is exact, what is kept, how long it takes.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { figure, median } from './figures.mjs';
import { redis, replica } from './redis.mjs';

const headersOf = (world) => ({ Authorization: `Bearer svc_test_${world}`, 'Content-Type': 'application/json' });
const dialTo = (to_number) => JSON.stringify({ from_number: '+14155550190', to_number });
const dialOn = (url, world, to = '+14155550102', more = {}) =>
  fetch(`${url}/v1/calls/dial`, { method: 'POST', headers: { ...headersOf(world), ...more }, body: dialTo(to) });

async function withReplicas(count, flags, use) {
  const server = await redis();
  const running = [];
  try {
    for (let n = 0; n < count; n++) running.push(await replica(server.address, flags));
    return await use(running, server);
  } finally {
    for (const each of running) await each.stop();
    await server.stop();
  }
}

export const exactness = () =>
  withReplicas(3, ['--clock', 'manual', '--concurrent-calls', 'off'], async (three) => {
    // Worlds are loaded before, as they are on servers that run.
    await Promise.all(three.map(({ url }) => fetch(`${url}/v1/calls`, { headers: headersOf('once') })));
    const key = { 'Idempotency-Key': randomUUID() };
    const began = performance.now();
    const same = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const answer = await dialOn(three[n % 3].url, 'once', undefined, key);
        return `${answer.status} ${(await answer.json()).call_id}`;
      }),
    );
    const seconds = (performance.now() - began) / 1000;
    const limited = await Promise.all(
      Array.from({ length: 650 }, async (_, n) => {
        const answer = await fetch(`${three[n % 3].url}/v1/calls`, { headers: headersOf('limited') });
        await answer.arrayBuffer();
        return answer.status;
      }),
    );
    const passed = limited.filter((status) => status === 200).length;
    return [
      figure('requests of 650 over three replicas that pass', passed, '', { least: 600, most: 600 }),
      figure(
        'answers to 200 identical dials at once',
        new Set(same).size,
        '',
        { most: 1 },
        [...new Set(same)][0]?.slice(0, 3),
      ),
      figure('200 identical dials over three replicas', seconds, 's', { most: 2 }),
    ];
  });

/** Keeps which events have come, under which ids, and when. */
async function receiver() {
  const heard = new Map();
  const server = createServer((req, res) => {
    const chunks = [];
    req.on('data', (chunk) => chunks.push(chunk));
    req.on('end', () => {
      const { id } = JSON.parse(Buffer.concat(chunks).toString());
      const event = `${req.url} ${id}`;
      heard.set(event, [...(heard.get(event) ?? []), performance.now()]);
      res.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    heard,
    url: `http://127.0.0.1:${server.address().port}`,
    stop: () => server.closeAllConnections() ?? server.close(),
  };
}

async function subscribe(url, world, target, types) {
  for (const event_type of types) {
    const body = JSON.stringify({ webhook_url: `${target}/${event_type}`, event_type });
    const answer = await fetch(`${url}/api/v1/webhook_subscriptions`, {
      method: 'POST',
      headers: headersOf(world),
      body,
    });
    if (!answer.ok) throw new Error(`a subscription answered ${answer.status}`);
  }
}

const KILL_MS = 3000;

/** Every second event of a call is its end; one of three replicas is killed every three seconds, and replaced. */
export async function kills(events = 20_000) {
  const types = ['new_call', 'call_busy'];
  const worlds = Array.from({ length: 20 }, (_, n) => `kills-${n}`);
  const target = await receiver();
  const flags = ['--clock', '20x', '--rate-limit', 'off', '--concurrent-calls', 'off'];
  return withReplicas(3, flags, async (three, { address }) => {
    for (const world of worlds) await subscribe(three[0].url, world, target.url, types);
    const accepted = [];
    let isOver = false;
    let killed = 0;
    const killing = (async () => {
      for (; !isOver; killed += 1) {
        await sleep(KILL_MS);
        const at = killed % three.length;
        await three[at].stop();
        three[at] = await replica(address, flags);
      }
    })();
    const callers = worlds
      .flatMap((world) => [world, world])
      .map(async (world, n) => {
        for (let turn = n; accepted.length < events / types.length; turn++) {
          const answer = await dialOn(three[turn % 3].url, world, '+14155550101').catch(() => undefined);
          const call = answer?.status === 202 ? await answer.json().catch(() => undefined) : undefined;
          if (call) accepted.push(call.call_id);
          else await sleep(20);
        }
      });
    await Promise.all(callers);
    isOver = true;
    await killing;
    const missing = () => accepted.flatMap((call) => types.filter((type) => !target.heard.has(`/${type} ${call}`)));
    const deadline = performance.now() + 60_000;
    while (missing().length > 0 && performance.now() < deadline) await sleep(200);
    const twice = [...target.heard.values()].filter((times) => times.length > 1).length;
    const ids = await deliveriesTwice(three[0].url, worlds);
    target.stop();
    const detail = `${accepted.length} accepted calls, ${target.heard.size} events, ${killed} kills`;
    return [
      figure('events lost while a replica is killed every 3 s', missing().length, '', { most: 0 }, detail),
      figure(
        'events with more than one delivery id',
        ids,
        '',
        { most: 0 },
        `${twice} of them sent again under the same id`,
      ),
    ];
  });
}

/** How many events have two deliveries to one subscription. */
async function deliveriesTwice(url, worlds) {
  let twice = 0;
  for (const world of worlds) {
    const seen = new Set();
    for (let cursor = ''; cursor !== null; ) {
      const path = `/_sandbox/deliveries?page_size=1000${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const { data, meta } = await (await fetch(url + path, { headers: headersOf(world) })).json();
      for (const { event_id, subscription_id } of data) {
        const each = `${event_id} ${subscription_id}`;
        if (seen.has(each)) twice += 1;
        seen.add(each);
      }
      cursor = meta.cursor;
    }
  }
  return twice;
}

/** How long after the kill of the runner of a world its next event is heard, which was due at once. */
export async function takeOvers(times = 11) {
  const target = await receiver();
  const flags = ['--clock', '100x', '--rate-limit', 'off', '--concurrent-calls', 'off'];
  const took = [];
  await withReplicas(2, flags, async (two, { address }) => {
    for (let n = 0; n < times; n++) {
      const world = `over-${n}`;
      await subscribe(two[0].url, world, target.url, ['call_busy']);
      // Its calls end at about the time of the kill and after it.
      for (let call = 0; call < 20; call++) await dialOn(two[0].url, world, '+14155550101');
      const began = performance.now();
      await two[0].stop();
      const next = await longestWait(two[1].url, world, target, began);
      took.push(next / 1000);
      two[0] = await replica(address, flags);
      // It dies only once it has been seen to live.
      await sleep(2000);
    }
  });
  target.stop();
  const detail = `${times} kills, until the last event of 20 calls has arrived`;
  return [
    figure('take-over after SIGKILL, median', median(took), 's', { most: 2.5 }, detail),
    figure('take-over after SIGKILL, longest', Math.max(...took), 's', { most: 5 }),
  ];
}

async function longestWait(url, world, { heard }, began) {
  const { data } = await (await fetch(`${url}/v1/calls?page_size=100`, { headers: headersOf(world) })).json();
  const own = data.filter(({ to_number }) => to_number === '+14155550101').map(({ id }) => `/call_busy ${id}`);
  if (own.length < 20) throw new Error(`${own.length} of 20 calls are there`);
  const deadline = performance.now() + 60_000;
  while (!own.every((event) => heard.has(event))) {
    if (performance.now() > deadline) throw new Error('events have not arrived in 60 s');
    await sleep(10);
  }
  return Math.max(...own.map((event) => heard.get(event).at(-1))) - began;
}
