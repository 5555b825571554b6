// A day in one advance: 24 h with 10,000 scheduled calls, while another world serves requests; and whether
// two processes with one seed write the same bytes.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, dialTo, timed, times } from './ask.mjs';
import { figure, percentile } from './figures.mjs';
import { ringback } from './processes.mjs';

const CALLS = 10_000;
const flags = ['--clock', 'manual', '--rate-limit', 'off', '--concurrent-calls', 'off', '--journal-limit', '200000'];

export const day = async () => [...(await advance()), await difference()];

async function advance() {
  const { url, stop } = await ringback(flags);
  try {
    // Their ends are spread over the day.
    await times(CALLS, (n) => {
      const scenario = `answered;ring=2s;talk=${Math.floor(((n + 1) * 86_000) / CALLS)}s`;
      const headers = { 'X-Sandbox-Scenario': scenario };
      return ask(url, 'POST', '/v1/calls/dial', { headers, ...dialTo('+12125551234') });
    });
    const waits = [];
    let over = false;
    const other = (async () => {
      while (!over) {
        waits.push(await timed(url, 'GET', '/v1/calls', { key: 'svc_test_other' }));
        await sleep(2);
      }
    })();
    const began = performance.now();
    const { data } = await ask(url, 'POST', '/_sandbox/clock/advance', { body: { by: '24h', timeout: '5m' } });
    const seconds = (performance.now() - began) / 1000;
    over = true;
    await other;
    const finished = await ask(url, 'GET', '/v1/calls?page_size=100');
    const open = finished.data.filter(({ status }) => status !== 'COMPLETED').length;
    const instants = data.steps.map(({ at }) => at);
    const disorder = instants.filter((at, n) => n > 0 && at < instants[n - 1]).length;
    if (!data.complete || open > 0 || disorder > 0) throw new Error(`${open} calls are open, ${disorder} steps late`);
    const detail = `${data.totals.steps} steps in order`;
    return [
      figure('advance over 24 h with 10,000 calls', seconds, 's', { most: 10 }, detail),
      figure('other worlds meanwhile, p99', percentile(waits, 0.99), 'ms', { most: 100 }, `${waits.length} requests`),
    ];
  } finally {
    await stop();
  }
}

/** The answers of a run in their order, and its webhooks, as two texts. */
async function bytesOf(run) {
  const received = [];
  const receiver = createServer(async (req, res) => {
    const chunks = [];
    for await (const chunk of req) chunks.push(chunk);
    received.push(`${req.headers['x-service-signature-256'] ?? ''} ${Buffer.concat(chunks)}`);
    res.end();
  });
  await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const webhook_url = `http://127.0.0.1:${receiver.address().port}/`;
  const { url, stop } = await ringback([...flags, '--seed', '7']);
  try {
    const answers = await run(url, webhook_url);
    // Each run has ports of its own; and order is promised within a subscription and a record, not between them.
    return [answers, received.sort()].map((each) =>
      JSON.stringify(each).replaceAll(webhook_url, 'the receiver').replaceAll(url, 'the sandbox'),
    );
  } finally {
    await stop();
    receiver.close();
    receiver.closeAllConnections();
  }
}

async function difference() {
  const run = async (url, webhook_url) => {
    const answers = [];
    const key = 'svc_test_same';
    const say = async (method, path, more) => answers.push(await ask(url, method, path, { key, ...more }));
    for (const event_type of ['new_call', 'call_completed', 'call_busy', 'phone_call.ended', 'number_purchased']) {
      await say('POST', '/api/v1/webhook_subscriptions', { body: { webhook_url, event_type } });
    }
    for (let n = 0; n < 200; n++) await say('POST', '/v1/calls/dial', dialTo(`+1212555010${n % 10}`));
    await say('POST', '/_sandbox/events', { body: { event_type: 'number_purchased' } });
    // Not the advance's own answer: it tells how long receivers took.
    await ask(url, 'POST', '/_sandbox/clock/advance', { key, body: { by: '24h', timeout: '60s' } });
    for (const path of ['/v1/calls?page_size=100', '/v1/account', '/v1/agents', '/v1/caller-ids'])
      await say('GET', path);
    await say('GET', '/_sandbox/events?page_size=100');
    return answers;
  };
  const [one, other] = [await bytesOf(run), await bytesOf(run)];
  const differing = one.filter((text, n) => text !== other[n]).length;
  const hash = createHash('sha256').update(one.join('')).digest('hex').slice(0, 12);
  const bytes = one.reduce((sum, text) => sum + text.length, 0);
  const detail = `${bytes} bytes of responses and webhooks, sha256 ${hash}…`;
  return figure('what differs between two processes with one seed', differing, '', { most: 0 }, detail);
}
