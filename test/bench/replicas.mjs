// Replicas on Redis: what a dial costs against a store in memory, on one and on three of them; that limits and idempotency
// keys are exact; what is left when replicas are killed; how much memory one takes. Needs redis-server.
import { readFileSync } from 'node:fs';
import { figure, median } from './figures.mjs';
import { canPin, pin, ringback, run } from './processes.mjs';
import { cpuOf, redis, replica } from './redis.mjs';
import { exactness, kills, takeOvers } from './replica-faults.mjs';

/** Many short ones, in turns: the machine itself is now and then slower for some seconds. */
const ROUNDS = 8;
const SECONDS = 1.5;
/** Longer than the first requests after the copies of all worlds are up to date. */
const SETTLE_SECONDS = 0.3;
const SPREADING_ROUNDS = 6;
const PACED_ROUNDS = 5;
const PACED_SECONDS = 3;
/**
 * How many dials a server has done before it is measured. It compiles itself meanwhile: the first thousand take several
 * times as long, and a replica that had done a third of what another has would be slower for that alone.
 */
const WARM_UP_DIALS = 12_000;
const REPLICAS = 3;
const flags = ['--clock', 'manual', '--rate-limit', 'off', '--concurrent-calls', 'off'];
const worlds = Array.from({ length: 96 }, (_, n) => `bench-${n}`);

export async function replicas() {
  return [
    ...(await dials()),
    ...(await spreading()),
    await trips(),
    ...(await exactness()),
    ...(await kills()),
    ...(await takeOvers()),
    await size(),
  ];
}

/** Has servers do so many dials each that they are as fast as they get. */
async function warmUp(servers) {
  const urls = servers.map(({ url }) => url);
  for (let done = 0, isSticky = true; done < WARM_UP_DIALS * servers.length; isSticky = !isSticky) {
    done += (await run('replica-load.mjs', { urls, worlds, isSticky, seconds: 2 * SECONDS }, null)).total;
  }
}

/**
 * Dials a second, and for each second of processor time of these servers, once they have been under that load for a while;
 * the load has a core, or any where it is null.
 */
async function measured(servers, { core = null, ...options }) {
  const load = { urls: servers.map(({ url }) => url), worlds, ...options };
  await Promise.all(load.urls.map(readAll));
  await run('replica-load.mjs', { ...load, seconds: SETTLE_SECONDS }, core);
  const before = servers.map(({ child }) => cpuOf(child.pid));
  const result = await run('replica-load.mjs', { ...load, seconds: SECONDS }, core);
  if (result.failed > 0) throw new Error(`${result.failed} dials have failed`);
  const cpu = servers.reduce((sum, { child }, n) => sum + cpuOf(child.pid) - before[n], 0);
  return { ...result, perCpu: result.total / cpu };
}

/** Runs servers of each store while they are used: a Redis server and its replicas, and servers with their stores in memory. */
async function withServers(inMemory, use) {
  const server = await redis();
  const [memory, three] = [[], []];
  try {
    while (memory.length < inMemory) memory.push(await ringback(flags, { core: null }));
    while (three.length < REPLICAS) three.push(await replica(server.address, flags));
    for (const servers of [memory, three]) await warmUp(servers);
    const resetBoth = async () => {
      for (const { url } of [...memory, three[0]]) await resetAll(url);
    };
    await resetBoth();
    await use({ server, memory, three, resetBoth });
  } finally {
    for (const each of [...memory, ...three]) await each.stop();
    await server.stop();
  }
}

export async function dials() {
  const found = { memory: [], one: [], sticky: [], random: [], half: [] };
  await withServers(1, async ({ memory, three, resetBoth }) => {
    for (let round = 0; round < ROUNDS; round++) {
      found.memory.push(await measured(memory, { isSticky: true }));
      found.one.push(await measured(three.slice(0, 1), { isSticky: true }));
      found.sticky.push(await measured(three, { isSticky: true }));
      found.random.push(await measured(three, { isSticky: false }));
      await resetBoth();
    }
    const full = median(found.random.map(({ perSecond }) => perSecond));
    for (let round = 0; round < PACED_ROUNDS; round++) {
      await Promise.all(three.map(({ url }) => readAll(url)));
      found.half.push(await paced(three, full / 2));
      await resetAll(three[0].url);
    }
  });
  return dialFigures(found);
}

/** What it costs to spread a load over three replicas, whatever cores there are: three have the one core that one has. */
export async function spreading() {
  if (!canPin) return [];
  const found = { redis: [], memory: [] };
  await withServers(REPLICAS, async ({ server, memory, three, resetBoth }) => {
    pin(server.pid, 1);
    for (const { child } of [...memory, ...three]) pin(child.pid, 0);
    for (let round = 0; round < SPREADING_ROUNDS; round++) {
      found.redis.push(await onOneCore(three));
      found.memory.push(await onOneCore(memory));
      await resetBoth();
    }
  });
  return spreadingFigures(found);
}

/** Dials a second of three servers, each with worlds of its own, and of one that has all, from as many connections. */
async function onOneCore(servers) {
  const options = { isSticky: true, core: 2 };
  const three = await measured(servers, options);
  const one = await measured(servers.slice(0, 1), { ...options, connections: 32 * servers.length });
  return { three: three.perSecond, one: one.perSecond };
}

function spreadingFigures({ redis: ofRedis, memory: ofMemory }) {
  const told = (text, rounds) => {
    const rates = ['three', 'one'].map((name) => Math.round(median(rounds.map((each) => each[name]))));
    const ratio = median(rounds.map(({ three, one }) => three / one));
    return figure(text, ratio, '', {}, `${rates.join(' of ')} dials a second`);
  };
  return [
    told('cost of spreading: three replicas that share one core, of one replica that has it', ofRedis),
    told('the same of servers with their stores in memory, which know nothing of one another', ofMemory),
  ];
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
  const result = await run('replica-pace.mjs', { urls, worlds, seconds: PACED_SECONDS, perSecond }, null);
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
