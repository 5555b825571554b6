// Dials on several servers at once, over 32 connections each: by each server in the worlds that are its own, or in all.
// Prints as JSON how many in all and a second, and how many failed.
import { connectTo, requestIn } from './dial-sockets.mjs';

const { urls, worlds, isSticky, seconds, connections = 32 } = JSON.parse(process.argv[2]);

/** Every connection in an order of its own: else all would be in one world at a time. */
function shuffled(list) {
  const left = [...list];
  return list.map(() => left.splice(Math.floor(Math.random() * left.length), 1)[0]);
}

/** One connection, which sends its next dial when the one before is answered. */
function dials(url, requests, until) {
  const counts = { total: 0, failed: 0 };
  return new Promise((resolve) => {
    let sent = 0;
    const send = (connection) => {
      connection.send(requests[sent % requests.length]);
      sent += 1;
    };
    connectTo(url, (isGood, connection) => {
      counts[isGood ? 'total' : 'failed'] += 1;
      if (performance.now() < until) return send(connection);
      connection.close();
      resolve(counts);
    }).then(send);
  });
}

const began = performance.now();
const until = began + seconds * 1000;
const counts = await Promise.all(
  urls.flatMap((url, n) => {
    const served = worlds.filter((_, world) => !isSticky || world % urls.length === n).map(requestIn);
    return Array.from({ length: connections }, () => dials(url, shuffled(served), until));
  }),
);
const sum = (name) => counts.reduce((all, each) => all + each[name], 0);
const perSecond = (sum('total') * 1000) / (performance.now() - began);
console.log(JSON.stringify({ total: sum('total'), failed: sum('failed'), perSecond }));
