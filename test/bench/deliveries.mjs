// 10,000 deliveries fanned out to a local receiver, against a bare undici loop that POSTs the same body to the same
// receiver, as many at once as Ringback allows to one receiver.
import { figure, median } from './figures.mjs';
import { ringback, run, serve } from './processes.mjs';

const ROUNDS = 5;
const SUBSCRIPTIONS = 100;
const EVENTS = 100;
/** What `Deliverer` allows to one receiver. */
const AT_ONCE = 64;
const json = { Authorization: 'Bearer svc_test_fanout', 'Content-Type': 'application/json' };

export async function deliveries() {
  const receiver = await serve('receiver.mjs', {}, 1);
  const flags = ['--clock', 'manual', '--rate-limit', 'off', '--concurrent-calls', 'off', '--journal-limit', '20000'];
  const server = await ringback(flags);
  const post = async (path, body) => {
    const answer = await fetch(server.url + path, { method: 'POST', headers: json, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const count = async () => Number(await (await fetch(receiver.url)).text());
  const times = SUBSCRIPTIONS * EVENTS;
  try {
    for (let n = 0; n < SUBSCRIPTIONS; n++) {
      const webhook_url = `${receiver.url}/hook/${n}`;
      await post('/api/v1/webhook_subscriptions', { webhook_url, event_type: 'call_busy' });
    }
    const bares = [];
    const ours = [];
    for (let round = -1; round < ROUNDS; round++) {
      for (let n = 0; n < EVENTS; n++) {
        await post('/v1/calls/dial', { from_number: '+14155550190', to_number: '+12125550101' });
      }
      const before = await count();
      const began = performance.now();
      const { data } = await post('/_sandbox/clock/advance', { by: '1h', timeout: '60s' });
      const own = times / ((performance.now() - began) / 1000);
      const came = (await count()) - before;
      if (!data.complete || came !== times) throw new Error(`${came} of ${times} deliveries came`);
      const [{ request }] = data.deliveries[0].attempts;
      const { body, headers: sent } = request;
      const headers = Object.fromEntries(
        Object.entries(sent).filter(([name]) => !/^(host|content-length)$/i.test(name)),
      );
      const options = { url: `${receiver.url}/hook/0`, times, atOnce: AT_ONCE, body, headers };
      const { perSecond } = await run('undici-loop.mjs', options, 0);
      if (round < 0) continue;
      bares.push(perSecond);
      ours.push(own);
    }
    const detail = `${Math.round(median(ours))} of ${Math.round(median(bares))} deliveries a second, ${AT_ONCE} at once`;
    const ratio = median(ours.map((own, round) => own / bares[round]));
    return [figure('10,000 deliveries, of a bare undici loop', ratio, '', { least: 0.5 }, detail)];
  } finally {
    await server.stop();
    await receiver.stop();
  }
}
