// Dials at a steady pace on several servers in turn, each in a world drawn at random, whether or not those before have been
// answered: one for which no connection is free waits, and its time counts. Prints as JSON how many were answered and failed,
// and how long the slowest took from when they were due, in milliseconds. Those of its first second are not counted among
// these: it compiles itself then.
import { setTimeout as sleep } from 'node:timers/promises';
import { connectTo, requestIn } from './dial-sockets.mjs';

const { urls, worlds, seconds, perSecond, connections = 32 } = JSON.parse(process.argv[2]);
/** In milliseconds. */
const WARM_UP = 1000;
const requests = worlds.map(requestIn);
const took = [];
let failed = 0;
let open = 0;

/** The connections to a server that are free, and when the dials that wait for one were due. */
async function serverAt(url) {
  const server = { free: [], waiting: [], dues: new Map() };
  const onAnswer = (isGood, connection) => {
    const due = server.dues.get(connection);
    if (!isGood) failed += 1;
    else if (due - began >= WARM_UP) took.push(performance.now() - due);
    open -= 1;
    server.free.push(connection);
    sendTo(server);
  };
  for (let n = 0; n < connections; n++) server.free.push(await connectTo(url, onAnswer));
  return server;
}

function sendTo({ free, waiting, dues }) {
  while (free.length > 0 && waiting.length > 0) {
    const connection = free.pop();
    dues.set(connection, waiting.shift());
    connection.send(requests[Math.floor(Math.random() * requests.length)]);
  }
}

const servers = await Promise.all(urls.map(serverAt));
const began = performance.now();
const all = Math.round(perSecond * (seconds + WARM_UP / 1000));
for (let sent = 0; sent < all; ) {
  const due = began + (sent / perSecond) * 1000;
  if (due > performance.now()) {
    await sleep(1);
    continue;
  }
  const server = servers[sent % servers.length];
  server.waiting.push(due);
  open += 1;
  sent += 1;
  sendTo(server);
}
while (open > 0) await sleep(1);
took.sort((a, b) => a - b);
const quantile = (part) => took[Math.min(took.length - 1, Math.floor(part * took.length))];
console.log(JSON.stringify({ total: took.length, failed, median: quantile(0.5), p99: quantile(0.99) }));
for (const { free } of servers) for (const connection of free) connection.close();
