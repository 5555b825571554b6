// Dials at a steady pace on several servers in turn, each in a world drawn at random, whether or not those before have been
// answered. Prints as JSON how many were answered and failed, and how long the slowest took from when they were due, in
// milliseconds. Those of its first second are not counted among these: it opens its connections then, and compiles itself.
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

const { urls, worlds, seconds, perSecond, connections = 32 } = JSON.parse(process.argv[2]);
const dispatcher = new Agent({ connections });
const body = JSON.stringify({ from_number: '+14155550190', to_number: '+12125550100' });
/** In milliseconds. */
const WARM_UP = 1000;
const took = [];
let failed = 0;
const began = performance.now();

async function dial(url, due) {
  const world = worlds[Math.floor(Math.random() * worlds.length)];
  const headers = { Authorization: `Bearer svc_test_${world}`, 'Content-Type': 'application/json' };
  try {
    const answer = await request(`${url}/v1/calls/dial`, { method: 'POST', headers, body, dispatcher });
    await answer.body.dump();
    if (answer.statusCode !== 202) throw new Error(`a dial answered ${answer.statusCode}`);
    if (due - began >= WARM_UP) took.push(performance.now() - due);
  } catch {
    failed += 1;
  }
}

const all = Math.round(perSecond * (seconds + WARM_UP / 1000));
const dials = [];
while (dials.length < all) {
  const due = began + (dials.length / perSecond) * 1000;
  if (due > performance.now()) await sleep(1);
  else dials.push(dial(urls[dials.length % urls.length], due));
}
await Promise.all(dials);
took.sort((a, b) => a - b);
const quantile = (part) => took[Math.min(took.length - 1, Math.floor(part * took.length))];
console.log(JSON.stringify({ total: took.length, failed, median: quantile(0.5), p99: quantile(0.99) }));
