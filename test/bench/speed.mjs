// Requests a second against bare node:http that parses the same bodies and answers the same bytes, 32 connections,
// medians over interleaved rounds. Everything is on but the rate limit and the cap on calls in progress.
import { figure, median } from './figures.mjs';
import { load, ringback, serve } from './processes.mjs';

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

async function ratioOf(url, request, after) {
  const bare = await serve('bare.mjs', await answerTo(url, request));
  const bares = [];
  const ours = [];
  try {
    for (let round = -1; round < ROUNDS; round++) {
      const base = await load(bare.url + request.path, request, SECONDS);
      const own = await load(url + request.path, request, SECONDS);
      await after?.();
      // The first round warms both up.
      if (round < 0) continue;
      bares.push(base);
      ours.push(own);
    }
  } finally {
    await bare.stop();
  }
  const [base, own] = [median(bares), median(ours)];
  const detail = `${Math.round(own)} of ${Math.round(base)} requests a second`;
  return { ratio: median(ours.map((each, round) => each / bares[round])), detail };
}

async function measured(name, clock, least, request) {
  const server = await ringback(['--clock', clock, '--rate-limit', 'off', '--concurrent-calls', 'off']);
  const reset = () => fetch(`${server.url}/_sandbox/reset`, { method: 'POST', headers: auth });
  try {
    const { ratio, detail } = await ratioOf(server.url, await request(server.url), reset);
    return figure(name, ratio, '', { least }, detail);
  } finally {
    await server.stop();
  }
}

export async function speed() {
  const call = async (url) => {
    const list = await (await fetch(`${url}/v1/calls`, { headers: auth })).json();
    return { method: 'GET', path: `/v1/calls/${list.data[0].id}`, headers: auth };
  };
  return [
    await measured('dial on the manual clock, of bare node:http', 'manual', 0.22, async () => dial),
    await measured('read a call, of bare node:http', 'manual', 0.25, call),
    await measured('dial on the instant clock, its whole life played, of bare', 'instant', 0.12, async () => dial),
  ];
}
