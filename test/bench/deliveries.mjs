// 10,000 deliveries fanned out to a local receiver, against a bare undici loop that POSTs the same body to the same
// receiver, as many at once as Ringback allows to one receiver: both with a connection for each, and with kept ones.
import { figure, median } from './figures.mjs';
import { ringback, run, serve } from './processes.mjs';

const ROUNDS = 5;
const SUBSCRIPTIONS = 100;
const EVENTS = 100;
/** What `Deliverer` allows to one receiver. */
const AT_ONCE = 64;

export async function deliveries() {
  const receiver = await serve('receiver.mjs', {}, 1);
  const lanes = [];
  try {
    for (const connections of ['fresh', 'reuse']) lanes.push(await openLane(connections, receiver));
    for (let round = -1; round < ROUNDS; round++) {
      for (const lane of lanes) await lane.run(round >= 0);
    }
    return lanes.map(({ connections, bares, ours }) => {
      const ratio = median(ours.map((own, round) => own / bares[round]));
      const detail = `${Math.round(median(ours))} of ${Math.round(median(bares))} deliveries a second, ${AT_ONCE} at once`;
      const loop = connections === 'fresh' ? 'connects each time' : 'keeps connections';
      return figure(`10,000 deliveries, of an undici loop that ${loop}`, ratio, '', { least: 0.9 }, detail);
    });
  } finally {
    for (const lane of lanes) await lane.stop();
    await receiver.stop();
  }
}

/** A sandbox with subscriptions to the receiver; `run` measures a round of its deliveries and of the loop. */
async function openLane(connections, receiver) {
  const flags = ['--clock', 'manual', '--rate-limit', 'off', '--concurrent-calls', 'off', '--journal-limit', '20000'];
  const server = await ringback([...flags, '--webhook-connections', connections]);
  const headers = { Authorization: 'Bearer svc_test_fanout', 'Content-Type': 'application/json' };
  const post = async (path, body) => {
    const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  for (let n = 0; n < SUBSCRIPTIONS; n++) {
    const webhook_url = `${receiver.url}/hook/${n}`;
    await post('/api/v1/webhook_subscriptions', { webhook_url, event_type: 'call_busy' });
  }
  const bares = [];
  const ours = [];
  return {
    connections,
    bares,
    ours,
    stop: server.stop,
    async run(counts) {
      const [own, delivery] = await ownRate(post, receiver);
      const bare = await loopRate(receiver, connections, delivery);
      if (!counts) return;
      ours.push(own);
      bares.push(bare);
    },
  };
}

/** Deliveries a second, and one of them. */
async function ownRate(post, receiver) {
  for (let n = 0; n < EVENTS; n++) {
    await post('/v1/calls/dial', { from_number: '+14155550190', to_number: '+12125550101' });
  }
  const count = async () => Number(await (await fetch(receiver.url)).text());
  const before = await count();
  const began = performance.now();
  const { data } = await post('/_sandbox/clock/advance', { by: '1h', timeout: '60s' });
  const own = (SUBSCRIPTIONS * EVENTS) / ((performance.now() - began) / 1000);
  const came = (await count()) - before;
  if (!data.complete || came !== SUBSCRIPTIONS * EVENTS) throw new Error(`${came} deliveries came`);
  return [own, data.deliveries[0].attempts[0].request];
}

/** POSTs a second of the loop, with the headers and the body of a delivery. */
async function loopRate(receiver, connections, { body, headers: sent }) {
  const headers = Object.fromEntries(Object.entries(sent).filter(([name]) => !/^(host|content-length)$/i.test(name)));
  const times = SUBSCRIPTIONS * EVENTS;
  const options = { url: `${receiver.url}/hook/0`, times, atOnce: AT_ONCE, body, headers, connections };
  return (await run('undici-loop.mjs', options, 0)).perSecond;
}
