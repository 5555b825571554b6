// The hostile worlds of a bench: one process, so many worlds, each with an attack of its kind that goes on until the
// process is killed. Every attack is over loopback, and bounded in how much it has open at once. Says when all have begun.
import { createServer as createHttp } from 'node:http';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { WebSocket } from 'ws';

const { url, worlds, shared, kinds: wanted, paceMs } = JSON.parse(process.argv[2]);
const dispatcher = new Agent({ connections: 400, pipelining: 1 });
const counts = {};

/** One request of a hostile world; what becomes of it is only counted. */
async function ask(world, method, path, body, headers = {}) {
  try {
    const answer = await request(url + path, {
      method,
      dispatcher,
      headers: { Authorization: `Bearer svc_test_${world}`, 'Content-Type': 'application/json', ...headers },
      headersTimeout: 600_000,
      bodyTimeout: 600_000,
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await answer.body.text();
    const seen = `${method} ${path.split('?')[0].replace(/[\w-]{20,}/g, '…')} ${answer.statusCode}`;
    counts[seen] = (counts[seen] ?? 0) + 1;
    return answer.statusCode < 300 && text !== '' ? JSON.parse(text) : undefined;
  } catch (error) {
    const seen = `${method} ${path.split('?')[0]} ${error.code ?? error.message}`;
    counts[seen] = (counts[seen] ?? 0) + 1;
    await sleep(100);
    return undefined;
  }
}

async function forever(thing) {
  for (;;) {
    await thing();
    await sleep(paceMs);
  }
}

/** Several at once, for as long as the attack goes on. */
const lanes = (count, thing) => Promise.all(Array.from({ length: count }, () => forever(thing)));

const dial = (world, to = '+12125550101', headers = {}) =>
  ask(world, 'POST', '/v1/calls/dial', { from_number: '+14155550190', to_number: to }, headers);
const subscribe = (world, webhook_url, event_type) =>
  ask(world, 'POST', '/api/v1/webhook_subscriptions', { webhook_url, event_type });
const setClock = (world, mode) => ask(world, 'PUT', '/_sandbox/clock', { mode });

/** A job that waits for the one line, which a call that never ends has taken. */
async function startStuckJobs(world, count) {
  const endless = { kind: 'call', summary: 'Rings forever.', timeline: [{ after: '1s', trigger: 'ring' }] };
  await ask(world, 'PUT', '/_sandbox/scenarios/endless', endless);
  await ask(world, 'PUT', '/_sandbox/assumptions/concurrent_calls', { value: 1 });
  await dial(world, '+12125550199', { 'X-Sandbox-Scenario': 'endless' });
  const agents = await ask(world, 'GET', '/v1/agents');
  for (let n = 0; n < count; n++) {
    const job = { agent_id: agents.data[0].id, to_numbers: ['+12125550100'], from_number: '+14155550190' };
    await ask(world, 'POST', '/v1/jobs', job);
  }
}

/** Accepts connections and never answers. */
const silent = createServer((socket) => socket.on('error', () => {}));
await new Promise((resolve) => silent.listen(0, '127.0.0.1', resolve));
/** Answers without end. */
const endless = createHttp((_req, res) => {
  const timer = setInterval(() => res.write('x'.repeat(1024)), 1000);
  res.on('close', () => clearInterval(timer)).on('error', () => {});
});
await new Promise((resolve) => endless.listen(0, '127.0.0.1', resolve));
const at = (server) => `http://127.0.0.1:${server.address().port}`;

const eventTypes = ['new_call', 'call_busy', 'phone_call.ended'];
const document = (megabytes) => ({
  filename: 'x.pdf',
  content_type: 'application/pdf',
  content_base64: Buffer.alloc(megabytes * 1024 * 1024, '%PDF-1.7 ').toString('base64'),
});

const kinds = {
  /** Jobs that look for a line forever, as fast as a clock can go. */
  async jobs(world) {
    await startStuckJobs(world, 10);
    await setClock(world, '1000000x');
    await forever(() => ask(world, 'GET', '/v1/jobs'));
  },
  /** Receivers that accept and never answer, or never end. */
  async receivers(world) {
    for (let n = 0; n < 20; n++) {
      for (const type of eventTypes) await subscribe(world, `${at(n % 2 ? silent : endless)}/${n}`, type);
    }
    await forever(() => dial(world));
  },
  /** Deliveries that hold every place of the receiver that the good world uses too. */
  async shared(world) {
    for (let n = 0; n < 80; n++) await subscribe(world, `${shared}/never/${n}`, 'new_call');
    await forever(() => dial(world));
  },
  /** Dials, reads and refused requests without a pause. */
  async flood(world) {
    await lanes(2, () => dial(world));
    await lanes(2, () => ask(world, 'GET', '/v1/calls?page_size=100'));
  },
  /** The largest bodies that are accepted, and larger ones. */
  async bodies(world) {
    const large = JSON.stringify(document(15));
    await forever(async () => {
      await ask(world, 'POST', '/v1/caller-trust/documents', large);
      await ask(world, 'POST', '/v1/calls/dial', `{"from_number":"${'9'.repeat(250_000)}"}`);
      await sleep(1000);
    });
  },
  /** Large bodies without a key. */
  async anonymous(world) {
    const large = 'x'.repeat(20 * 1024 * 1024);
    await forever(async () => {
      await ask(world, 'POST', '/v1/caller-trust/documents', large, { Authorization: 'Bearer nobody' });
      await sleep(1000);
    });
  },
  /** Advances over years, with jobs that never end. */
  async years(world) {
    await setClock(world, 'manual');
    await startStuckJobs(world, 5);
    await forever(async () => {
      await ask(world, 'POST', '/_sandbox/clock/advance', { by: '3650d', timeout: '20s' });
      await ask(world, 'POST', '/_sandbox/clock/advance', { until: 'idle', timeout: '20s' });
    });
  },
  /** Webhooks to names that no DNS server answers for. */
  async names(world) {
    for (let n = 0; n < 20; n++) await subscribe(world, `https://n${n}.${world}.silent.test/`, 'new_call');
    await forever(() => dial(world));
  },
  /** The whole life of a call in each request, and campaigns that replay thousands of rows. */
  async instant(world) {
    await setClock(world, 'instant');
    const agents = await ask(world, 'GET', '/v1/agents');
    const to_numbers = Array.from({ length: 1000 }, (_, n) => `+1212555${String(2000 + n)}`);
    await forever(async () => {
      await ask(world, 'POST', '/v1/jobs', { agent_id: agents.data[0].id, to_numbers, from_number: '+14155550190' });
      await dial(world);
    });
  },
  /** Browsers that send and never read. */
  async sockets(world) {
    const agents = await ask(world, 'GET', '/v1/agents');
    await forever(async () => {
      const session = await ask(world, 'POST', `/v1/agents/${agents.data[0].id}/web-call`, {});
      const data = session?.data ?? session;
      if (!data?.room_url) return sleep(1000);
      const socket = new WebSocket(
        `${data.room_url}?access_token=${data.token ?? data.join_token ?? data.access_token}`,
      );
      socket.on('error', () => {});
      const opened = await new Promise((resolve) => {
        socket.once('open', () => resolve(true));
        socket.once('close', () => resolve(false));
      });
      counts[`socket ${opened}`] = (counts[`socket ${opened}`] ?? 0) + 1;
      if (!opened) return;
      socket.pause();
      for (let n = 0; n < 100_000 && socket.readyState === socket.OPEN; n++) {
        if (socket.bufferedAmount > 1_000_000) await sleep(20);
        else socket.send('x'.repeat(1000));
        if (n % 100 === 0) await sleep(1);
      }
      socket.terminate();
    });
  },
  /** Connections that send nothing, half a request, or headers a byte at a time. */
  async connections() {
    const { hostname, port } = new URL(url);
    await lanes(5, async () => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      socket.write('POST /v1/calls/dial HTTP/1.1\r\nHost: x\r\n');
      await sleep(1000);
      socket.write('Content-Length: 100000\r\n\r\n{');
      await sleep(1000);
      socket.destroy();
    });
  },
};

const chosen = wanted ?? Object.keys(kinds);
for (let n = 0; n < worlds; n++) {
  const kind = chosen[n % chosen.length];
  const run = async () => kinds[kind](`hostile-${kind}-${n}`);
  run().catch((error) => process.stderr.write(`${kind}: ${error.stack}\n`));
}
await sleep(1000);
process.send('ready');
process.on('message', () => process.send(counts));
process.on('disconnect', () => process.exit());
