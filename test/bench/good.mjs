// The good world of the hostile bench: dials, reads and lists at a steady pace, and receives its webhooks. Prints how
// long each answer took, and what failed or never arrived.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

const { url, seconds, key, pauseMs, settleMs, pid } = JSON.parse(process.argv[2]);
const dispatcher = new Agent({ connections: 4 });
const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };

/** When the deliveries have come, by path and id of the call. */
const heard = new Map();
const receiver = createServer(async (req, res) => {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  // Another world subscribes here too, and is never answered.
  if (req.url.startsWith('/never')) return;
  const { id } = JSON.parse(Buffer.concat(chunks).toString());
  heard.set(`${req.url} ${id}`, performance.now());
  res.end();
});
await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const own = `http://127.0.0.1:${receiver.address().port}`;
process.send({ receiver: own });
await once(process, 'message');
process.send('begun');

const waits = [];
/** What the server's main thread worked while each answer was awaited: on a busy machine, this is what repeats. */
const works = [];
function worked() {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return Number.NaN;
  }
}
let failed = 0;
async function ask(method, path, body) {
  const before = worked();
  const began = performance.now();
  try {
    const answer = await request(url + path, {
      method,
      dispatcher,
      headers,
      headersTimeout: 30_000,
      body: body && JSON.stringify(body),
    });
    const text = await answer.body.text();
    waits.push(performance.now() - began);
    works.push(worked() - before);
    if (answer.statusCode < 300) return text === '' ? undefined : JSON.parse(text);
    process.stderr.write(`the good world: ${method} ${path}: ${answer.statusCode} ${text.slice(0, 300)}\n`);
  } catch (error) {
    process.stderr.write(`the good world: ${method} ${path}: ${error}\n`);
  }
  failed += 1;
  return undefined;
}

/** What the server says of a delivery that has not come. */
async function whyNot(each) {
  const [type, id] = each.slice(1).split(' ');
  const page = await ask('GET', `/_sandbox/deliveries?event_type=${type}&page_size=100`);
  const found = page?.data.find(({ body }) => body.includes(id));
  if (!found) return 'not among the last 100 deliveries of its type';
  const attempts = found.attempts.map(({ attempted_at, error_class, error }) => ({ attempted_at, error_class, error }));
  return JSON.stringify({ status: found.status, created_at: found.created_at, attempts });
}

const types = ['new_call', 'call_busy', 'phone_call.ended'];
await ask('POST', '/_sandbox/reset');
for (const event_type of types) {
  await ask('POST', '/api/v1/webhook_subscriptions', { webhook_url: `${own}/${event_type}`, event_type });
}
/** When the call of each delivery was placed. */
const expected = new Map();
const end = performance.now() + seconds * 1000;
waits.length = 0;
works.length = 0;
while (performance.now() < end) {
  const call = await ask('POST', '/v1/calls/dial', { from_number: '+14155550190', to_number: '+12125550101' });
  if (call) {
    for (const type of types) expected.set(`/${type} ${call.call_id}`, performance.now());
    await sleep(pauseMs);
    await ask('GET', `/v1/calls/${call.call_id}`);
  }
  await sleep(pauseMs);
  await ask('GET', '/v1/calls?page_size=10');
  await sleep(pauseMs);
}
const measured = { waits: [...waits], works: [...works] };
const missing = () => [...expected.keys()].filter((each) => !heard.has(each));
for (const until = performance.now() + settleMs; missing().length > 0 && performance.now() < until; ) await sleep(100);
const lost = missing();
for (const each of settleMs > 0 ? lost.slice(0, 10) : [])
  process.stderr.write(`the good world: ${each} has not come: ${await whyNot(each)}\n`);
const delays = [...heard].map(([each, at]) => at - (expected.get(each) ?? at));
const result = JSON.stringify({ ...measured, failed, expected: expected.size, lost: lost.length, delays });
// A pipe takes only so much at once.
process.stdout.write(result, () => process.exit());
