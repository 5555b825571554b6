// Replicas on Redis: what a dial costs against a store in memory, on one and on three of them; that limits and idempotency
// keys are exact; what is left when replicas are killed; how much memory one takes. Needs redis-server.
import { readFileSync } from 'node:fs';
import { figure, median } from './figures.mjs';
import { ringback, run } from './processes.mjs';
import { cpuOf, redis, replica } from './redis.mjs';
import { exactness, kills, takeOvers } from './replica-faults.mjs';

const ROUNDS = 5;
const SECONDS = 3;
/** Longer than the first requests after the copies of all worlds are up to date. */
const WARM_UP_SECONDS = 1;
const REPLICAS = 3;
const flags = ['--clock', 'manual', '--rate-limit', 'off', '--concurrent-calls', 'off'];
const worlds = Array.from({ length: 96 }, (_, n) => `bench-${n}`);

export async function replicas() {
  return [
    ...(await dials()),
    await trips(),
    ...(await exactness()),
    ...(await kills()),
    ...(await takeOvers()),
    await size(),
  ];
}

/** Dials a second, and for each second of processor time of these servers, once they have been under that load for a while. */
async function measured(servers, options) {
  const load = { urls: servers.map(({ url }) => url), worlds, ...options };
  await Promise.all(load.urls.map(readAll));
  await run('replica-load.mjs', { ...load, seconds: WARM_UP_SECONDS }, null);
  const before = servers.map(({ child }) => cpuOf(child.pid));
  const result = await run('replica-load.mjs', { ...load, seconds: SECONDS }, null);
  if (result.failed > 0) throw new Error(`${result.failed} dials have failed`);
  const cpu = servers.reduce((sum, { child }, n) => sum + cpuOf(child.pid) - before[n], 0);
  return { ...result, perCpu: result.total / cpu };
}

export async function dials() {
  const server = await redis();
  const memory = await ringback(flags, { core: null });
  const three = [];
  for (let n = 0; n < REPLICAS; n++) three.push(await replica(server.address, flags));
  const found = { memory: [], one: [], sticky: [], random: [], half: [] };
  try {
    for (let round = -1; round < ROUNDS; round++) {
      const results = {
        memory: await measured([memory], { isSticky: true }),
        one: await measured(three.slice(0, 1), { isSticky: true }),
        sticky: await measured(three, { isSticky: true }),
        random: await measured(three, { isSticky: false }),
      };
      results.half = await paced(three, results.random.perSecond / 2);
      for (const { url } of [memory, three[0]]) await resetAll(url);
      // The first round warms all of them up.
      if (round >= 0) for (const name of Object.keys(found)) found[name].push(results[name]);
    }
  } finally {
    for (const each of [memory, ...three]) await each.stop();
    await server.stop();
  }
  return dialFigures(found);
}

function dialFigures(found) {
  const ratio = (name, base, read) => median(found[name].map((each, n) => read(each) / read(found[base][n])));
  const both = (text, name, base, least, share = 1) => {
    const rates = [name, base].map((each) => Math.round(median(found[each].map(({ perSecond }) => perSecond))));
    const work = [name, base].map((each) => Math.round(median(found[each].map(({ perCpu }) => perCpu))));
    return [
      figure(
        text,
        ratio(name, base, ({ perSecond }) => perSecond) / share,
        '',
        { least },
        `${rates.join(' of ')} dials a second`,
      ),
      figure(
        `${text}, by CPU`,
        ratio(name, base, ({ perCpu }) => perCpu),
        '',
        { least },
        `${work.join(' of ')} dials a second of CPU`,
      ),
    ];
  };
  const halfRate = Math.round(median(found.half.map(({ perSecond }) => perSecond)));
  const halfMedian = median(found.half.map((each) => each.median));
  return [
    ...both('dial on one replica, of the store in memory', 'one', 'memory', 0.5),
    ...both('three replicas with sticky worlds, each, of one', 'sticky', 'one', 0.9, REPLICAS),
    ...both('three replicas at random, of sticky', 'random', 'sticky', 0.5),
    figure(
      'p99 of a dial over three replicas at half load',
      median(found.half.map(({ p99 }) => p99)),
      'ms',
      { most: 25 },
      `${halfRate} dials a second at random, half of them within ${halfMedian.toFixed(1)} ms`,
    ),
  ];
}

const headersOf = (world) => ({ Authorization: `Bearer svc_test_${world}`, 'Content-Type': 'application/json' });

/** How long dials take that come at a steady pace. */
async function paced(servers, perSecond) {
  const urls = servers.map(({ url }) => url);
  const result = await run('replica-pace.mjs', { urls, worlds, seconds: SECONDS, perSecond }, null);
  if (result.failed > 0) throw new Error(`${result.failed} dials have failed`);
  return { ...result, perSecond };
}

/** Has a server bring its copies of all worlds up to date. */
async function readAll(url) {
  for (const world of worlds) await (await fetch(`${url}/v1/calls`, { headers: headersOf(world) })).arrayBuffer();
}

async function resetAll(url) {
  for (const world of worlds) await fetch(`${url}/_sandbox/reset`, { method: 'POST', headers: headersOf(world) });
}

/** Round trips of dials, one after the other, in a world that nobody else uses. */
export async function trips() {
  const dialled = 200;
  const server = await redis();
  const one = await replica(server.address, flags);
  try {
    const body = JSON.stringify({ from_number: '+14155550190', to_number: '+12125550100' });
    const dial = async () => {
      const answer = await fetch(`${one.url}/v1/calls/dial`, { method: 'POST', headers: headersOf('trips'), body });
      if (!answer.ok) throw new Error(`a dial answered ${answer.status}`);
      await answer.arrayBuffer();
    };
    await dial();
    const monitor = await server.client.monitor();
    let count = 0;
    // Not what scripts do, nor that the replica says that it lives.
    monitor.on('monitor', (_time, args, source) => {
      if (source !== 'lua' && !args.includes('rb:alive')) count += 1;
    });
    for (let n = 0; n < dialled; n++) await dial();
    await server.client.ping();
    monitor.disconnect();
    return figure(
      'round trips for a dial on a fresh copy',
      count / dialled,
      '',
      { most: 1.2 },
      `${dialled} dials, commands of one reply counted each`,
    );
  } finally {
    await one.stop();
    await server.stop();
  }
}

/** The memory of a replica that serves few of many worlds. */
export async function size() {
  const [all, served] = [10_000, 100];
  const server = await redis();
  const filler = await replica(server.address, [...flags, '--max-worlds', '20000']);
  const ask = async (url, world) => {
    const answer = await fetch(`${url}/v1/calls`, { headers: headersOf(world) });
    if (!answer.ok) throw new Error(`${world} answered ${answer.status}`);
    await answer.arrayBuffer();
  };
  try {
    for (let at = 0; at < all; at += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, n) => ask(filler.url, `many-${at + n}`)));
    }
    await filler.stop();
    const one = await replica(server.address, flags);
    for (let n = 0; n < served; n++) await ask(one.url, `many-${n}`);
    const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${one.child.pid}/status`, 'utf8'))[1]) / 1024;
    await one.stop();
    return figure('memory of a replica that serves 100 of 10,000 worlds', resident, 'MB', { most: 150 }, 'resident');
  } finally {
    await filler.stop();
    await server.stop();
  }
}
