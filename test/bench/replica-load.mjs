// Dials on several servers at once, over 32 connections each: by each server in the worlds that are its own, or in all.
// Prints as JSON how many in all and a second, and how many failed.
import autocannon from 'autocannon';

const { urls, worlds, isSticky, seconds, connections = 32 } = JSON.parse(process.argv[2]);
const body = JSON.stringify({ from_number: '+14155550190', to_number: '+12125550100' });

const requestIn = (world) => ({
  method: 'POST',
  path: '/v1/calls/dial',
  headers: { Authorization: `Bearer svc_test_${world}`, 'Content-Type': 'application/json' },
  body,
});

/** Every connection in an order of its own: else all would be in one world at a time. */
function shuffled(list) {
  const left = [...list];
  return list.map(() => left.splice(Math.floor(Math.random() * left.length), 1)[0]);
}

const results = await Promise.all(
  urls.map((url, n) => {
    const served = worlds.filter((_, world) => !isSticky || world % urls.length === n).map(requestIn);
    const setupClient = (client) => client.setRequests(shuffled(served));
    return autocannon({ url, connections, duration: seconds, setupClient, requests: served });
  }),
);
const sum = (read) => results.reduce((total, each) => total + read(each), 0);
console.log(
  JSON.stringify({
    total: sum((each) => each['2xx']),
    failed: sum((each) => each.non2xx + each.errors),
    perSecond: sum((each) => each['2xx'] / each.duration),
  }),
);
