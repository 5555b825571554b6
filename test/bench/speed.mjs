// Requests a second, and what the slowest take, against bare node:http that parses the same bodies and answers the same
// bytes; medians over interleaved rounds. Everything is on but the rate limit and the cap on calls in progress.
import { figure, median } from './figures.mjs';
import { loaded, ringback, serve } from './processes.mjs';
import { processorTimeOf } from './resident.mjs';

const ROUNDS = 5;
const SECONDS = 3;
const auth = { Authorization: 'Bearer svc_sandbox_default' };
const json = { ...auth, 'Content-Type': 'application/json' };
const dial = {
  method: 'POST',
  path: '/v1/calls/dial',
  headers: json,
  body: JSON.stringify({ from_number: '+14155550190', to_number: '+12125550100' }),
};

/** One answer of the server, for the baseline to give. */
async function answerTo(url, { method, path, headers, body }) {
  const answer = await fetch(url + path, { method, headers, body });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  const own = [...answer.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
  return { status: answer.status, headers: Object.fromEntries(own), body: await answer.text() };
}

/** By autocannon, as fast as it can: requests a second, and microseconds of the server's processor for each. */
async function throughput({ url, pid }, request) {
  const before = processorTimeOf(pid);
  const { total, perSecond } = await loaded(url + request.path, request, SECONDS);
  return { perSecond, processor: ((processorTimeOf(pid) - before) / total) * 1000 };
}

/** The same for every round and both servers, the first round left out, which warms both up. */
async function interleaved(bare, own, measure) {
  const rounds = [];
  for (let round = -1; round < ROUNDS; round++) {
    const each = { bare: await measure(bare), own: await measure(own) };
    await fetch(`${own.url}/_sandbox/reset`, { method: 'POST', headers: auth });
    if (round >= 0) rounds.push(each);
  }
  return rounds;
}

const ratioOf = (rounds, of) => median(rounds.map(({ own, bare }) => of(own) / of(bare)));
const rates = (rounds) => {
  const rate = (of) => Math.round(median(rounds.map((round) => of(round).perSecond)));
  return `${rate(({ own }) => own)} of ${rate(({ bare }) => bare)} requests a second`;
};

/** Figures of requests to a server with that clock. */
async function onServer(clock, requestFor, measureAll) {
  const server = await ringback(['--clock', clock, '--rate-limit', 'off', '--concurrent-calls', 'off']);
  const own = { url: server.url, pid: server.child.pid };
  try {
    const request = await requestFor(own.url);
    const bare = await serve('bare.mjs', await answerTo(own.url, request));
    try {
      return await measureAll(bare, own, request);
    } finally {
      await bare.stop();
    }
  } finally {
    await server.stop();
  }
}

function rateOf(name, clock, least, requestFor) {
  return onServer(clock, requestFor, async (bare, own, request) => {
    const rounds = await interleaved(bare, own, (server) => throughput(server, request));
    const byProcessor = 1 / ratioOf(rounds, ({ processor }) => processor);
    const detail = `${rates(rounds)}; ${byProcessor.toFixed(3)} by processor time`;
    return figure(
      `${name}, of bare node:http`,
      ratioOf(rounds, ({ perSecond }) => perSecond),
      '',
      { least },
      detail,
    );
  });
}

/** With every request timed. */
const timed = (request, connections) => (server) =>
  loaded(server.url, { ...request, connections }, SECONDS, 'latencies.mjs');

function aloneOf(name, requestFor) {
  return onServer('manual', requestFor, async (bare, own, request) => {
    const rounds = await interleaved(bare, own, timed(request, 1));
    const ratio = ratioOf(rounds, ({ perSecond }) => perSecond);
    return figure(`${name} over one connection, of bare`, ratio, '', { least: 0.4 }, rates(rounds));
  });
}

function slowest(name, requestFor) {
  return onServer('manual', requestFor, async (bare, own, request) => {
    const rounds = await interleaved(bare, own, timed(request, 32));
    const p99 = (of) => median(rounds.map((round) => of(round).p99)).toFixed(2);
    const detail = `${p99(({ own }) => own)} of ${p99(({ bare }) => bare)} ms at 32 connections`;
    return figure(
      `p99 of ${name}, of bare`,
      ratioOf(rounds, (each) => each.p99),
      '×',
      { most: 4 },
      detail,
    );
  });
}

export async function speed() {
  const toDial = async () => dial;
  const call = async (url) => {
    const list = await (await fetch(`${url}/v1/calls`, { headers: auth })).json();
    return { method: 'GET', path: `/v1/calls/${list.data[0].id}`, headers: auth };
  };
  return [
    await rateOf('dial on the manual clock', 'manual', 0.33, toDial),
    await rateOf('read a call', 'manual', 0.45, call),
    await rateOf('dial on the instant clock, its whole life played', 'instant', 0.22, toDial),
    await aloneOf('dial', toDial),
    await aloneOf('read a call', call),
    await slowest('a dial', toDial),
    await slowest('reading a call', call),
  ];
}
