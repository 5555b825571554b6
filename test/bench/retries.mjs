// 10,000 deliveries with `retries: short` to a receiver that refuses half of what it gets: one advance of an hour ends with
// every event delivered once, or failed with all of its attempts.
import { figure } from './figures.mjs';
import { ringback, serve } from './processes.mjs';

const SUBSCRIPTIONS = 100;
const EVENTS = 100;
/** The first one, and three retries. */
const ATTEMPTS = 4;

export async function retries() {
  const receiver = await serve('receiver.mjs', { refuses: true }, 1);
  const flags = ['--clock', 'manual', '--rate-limit', 'off', '--concurrent-calls', 'off', '--journal-limit', '20000'];
  const server = await ringback(flags);
  const headers = { Authorization: 'Bearer svc_test_retries', 'Content-Type': 'application/json' };
  const ask = async (method, path, body) => {
    const answer = await fetch(server.url + path, { method, headers, body: body && JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  try {
    await ask('PUT', '/_sandbox/webhook-plan', { retries: 'short' });
    for (let n = 0; n < SUBSCRIPTIONS; n++) {
      const webhook_url = `${receiver.url}/hook/${n}`;
      await ask('POST', '/api/v1/webhook_subscriptions', { webhook_url, event_type: 'call_busy' });
    }
    for (let n = 0; n < EVENTS; n++)
      await ask('POST', '/v1/calls/dial', { from_number: '+14155550190', to_number: '+12125550101' });
    const began = performance.now();
    const { data } = await ask('POST', '/_sandbox/clock/advance', { by: '1h', timeout: '60s' });
    const seconds = (performance.now() - began) / 1000;
    const { delivered, failed, attempts } = await outcomes(ask);
    if (!data.complete || delivered + failed !== SUBSCRIPTIONS * EVENTS)
      throw new Error(`${delivered} delivered and ${failed} failed of ${SUBSCRIPTIONS * EVENTS}`);
    const detail = `${delivered} delivered, ${failed} failed after ${ATTEMPTS} attempts, ${attempts} attempts in all`;
    return [figure('10,000 deliveries with retries, a receiver that refuses half', seconds, 's', { most: 20 }, detail)];
  } finally {
    await server.stop();
    await receiver.stop();
  }
}

/** Throws for a delivery that has ended in another way than its plan allows. */
async function outcomes(ask) {
  const found = { delivered: 0, failed: 0, attempts: 0 };
  for (let cursor = ''; cursor !== null; ) {
    const { data, meta } = await ask('GET', `/_sandbox/deliveries?page_size=1000${cursor && `&cursor=${cursor}`}`);
    for (const { id, status, attempts } of data) {
      const accepted = attempts.filter(({ error_class }) => error_class === null).length;
      const isDone = status === 'delivered' ? accepted === 1 : accepted === 0 && attempts.length === ATTEMPTS;
      if (!isDone) throw new Error(`${id} is ${status} with ${accepted} of ${attempts.length} attempts accepted`);
      found[status] += 1;
      found.attempts += attempts.length;
    }
    cursor = meta.cursor && encodeURIComponent(meta.cursor);
  }
  return found;
}
