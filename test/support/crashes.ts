// A server that is killed again and again under load, with one state file: what it gave out, what its receiver got, and
// what was lost.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { FROM } from './client.ts';
import { freePort, type Program, type programs } from './program.ts';
import { stretched } from './until.ts';

const WORKERS = 8;
const TYPES = ['new_call', 'call_busy', 'call_completed', 'phone_call.ended', 'sms_sent', 'sms_delivered'];

export interface CrashFigures {
  rounds: number;
  requests: number;
  ids: number;
  webhooks: number;
  /** Calls that were answered and then lost. */
  lost: number;
  /** The longest time between the answer about a lost call and the kill, in milliseconds. */
  longestLoss: number;
  /** What it may be: 250, or more where the machine was too slow for it when the server was killed. */
  allowedLoss: number;
  /** What must not happen, in words. */
  violations: string[];
}

interface Dialed {
  readonly id: string;
  readonly key: string;
  readonly idempotencyKey: string;
  readonly at: number;
}

/** Kills a server every so often while clients send it requests; the last start is stopped in order. */
export async function crashRepeatedly(
  serve: ReturnType<typeof programs>['serve'],
  state: string,
  rounds: number,
  everyMs: number,
): Promise<CrashFigures> {
  const figures = {
    rounds,
    requests: 0,
    ids: 0,
    webhooks: 0,
    lost: 0,
    longestLoss: 0,
    allowedLoss: 250,
    violations: [] as string[],
  };
  const given = new Map<string, string>();
  const received = new Map<string, number>();
  const receiver = await listenForWebhooks(received);
  const port = await freePort();
  const args = [
    '--port',
    String(port),
    '--state',
    state,
    '--rate-limit',
    'off',
    '--concurrent-calls',
    'off',
    '--log',
    'error',
  ];
  const url = `http://127.0.0.1:${port}`;
  const keys = ['svc_sandbox_default', 'svc_test_posted', 'svc_test_passing'];

  const ask = async (key: string, method: string, path: string, body?: object, headers: object = {}) => {
    const init = {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
    };
    const answer = await fetch(url + path, body ? { ...init, body: JSON.stringify(body) } : init);
    figures.requests += 1;
    note(`request ${answer.headers.get('x-sandbox-request-id')}`, `${figures.requests}`, path.startsWith('/_sandbox'));
    // biome-ignore lint/suspicious/noExplicitAny: the tests of the platform check the shapes.
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any };
  };
  /** Notes an id and what it stands for; one that stood for something else before is a violation. */
  const note = (id: string, what: string, optional = false): void => {
    if (optional && id.endsWith('null')) return;
    const before = given.get(id);
    if (before === undefined) given.set(id, what);
    else if (before !== what) figures.violations.push(`${id} was ${before} and is ${what}`);
  };
  let serial = 0;
  const uuidOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

  /** One request of each kind that gives out an id. */
  async function work(key: string, dialed: Dialed[]): Promise<void> {
    serial += 1;
    const what = `made by ${serial}`;
    const idempotencyKey = uuidOf(serial);
    const headers = { 'Idempotency-Key': idempotencyKey, 'X-Sandbox-Scenario': 'busy;ring=40ms' };
    const dial = await ask(key, 'POST', '/v1/calls/dial', { from_number: FROM, to_number: '+12125550147' }, headers);
    if (dial.status === 202) {
      note(`call ${dial.body.call_id}`, what);
      dialed.push({ id: dial.body.call_id, key, idempotencyKey, at: performance.now() });
    } else figures.violations.push(`a dial was ${dial.status} ${JSON.stringify(dial.body)}`);
    const sms = await ask(key, 'POST', '/v1/sms/send', { to_number: '+12125550140', body: 'Hello' });
    if (sms.status === 202) note(`message ${sms.body.data.id}`, what);
    const contact = await ask(key, 'POST', '/_sandbox/simulate/new-contact', { name: 'Someone' });
    if (contact.status < 300) note(`contact ${contact.body.data.id}`, what);
    const made = await ask(key, 'POST', '/_sandbox/keys', {});
    if (made.status === 201) note(`key ${made.body.data.id} ${made.body.data.api_key}`, what);
    const token = await ask(key, 'POST', '/v1/client-tokens', { expires_in: 60 });
    if (token.status === 201) {
      const payload = JSON.parse(Buffer.from(token.body.data.token.split('.')[1], 'base64url').toString());
      note(`token ${payload.jti}`, what);
    }
  }

  /** What was there before the kill must be what it was, or be lost; and nothing that a webhook told about is lost. */
  async function checkAfterCrash(dialed: readonly Dialed[], killedAt: number): Promise<void> {
    for (const { id, key, idempotencyKey, at } of dialed) {
      if (key === 'svc_test_passing') continue;
      const { status } = await ask(key, 'GET', `/v1/calls/${id}`);
      if (status === 200) continue;
      figures.lost += 1;
      figures.longestLoss = Math.max(figures.longestLoss, killedAt - at);
      if ([...received.keys()].some((each) => each.includes(id)))
        figures.violations.push(`a webhook told about lost ${id}`);
      const headers = { 'Idempotency-Key': idempotencyKey };
      const again = await ask(key, 'POST', '/v1/calls/dial', { from_number: FROM, to_number: '+12125550147' }, headers);
      note(`call ${again.body.call_id}`, `the repeat of ${idempotencyKey}`);
    }
    for (const key of keys.slice(0, 2)) {
      for (const journal of ['events', 'deliveries']) {
        const { body } = await ask(key, 'GET', `/_sandbox/${journal}?page_size=100`);
        for (const { id, event_type, subject } of body.data) note(`${journal} ${id}`, `${event_type} ${subject?.id}`);
      }
    }
  }

  /** Sends requests until the server is killed; returns the calls that were answered, and when it was killed. */
  async function loadAndKill(server: Program): Promise<{ dialed: Dialed[]; killedAt: number }> {
    const dialed: Dialed[] = [];
    let running = true;
    const workers = Array.from({ length: WORKERS }, async (_, index) => {
      try {
        while (running) await work(keys[index % keys.length] ?? '', dialed);
      } catch (error) {
        // Any other request was cut off by the kill.
        if (running) figures.violations.push(`a request failed: ${error}`);
      }
    });
    const before = received.size;
    await sleep(everyMs);
    // A slow machine takes longer to send some webhooks.
    while (received.size <= before + 10) await sleep(20);
    running = false;
    const killedAt = performance.now();
    server.signal('SIGKILL');
    await Promise.all([server.ended, ...workers]);
    return { dialed, killedAt };
  }

  let server = await serve(args);
  await ask(keys[0] ?? '', 'POST', '/_sandbox/worlds', { name: 'posted' });
  for (const key of keys.slice(0, 2)) {
    for (const event_type of TYPES) {
      const webhook_url = `${receiver.url}/${event_type}`;
      await ask(key, 'POST', '/api/v1/webhook_subscriptions', { webhook_url, event_type });
    }
  }
  for (let round = 0; round < rounds; round++) {
    const { dialed, killedAt } = await loadAndKill(server);
    figures.allowedLoss = Math.max(figures.allowedLoss, stretched(125));
    server = await serve(args);
    await checkAfterCrash(
      dialed.filter(({ at }) => killedAt - at < everyMs),
      killedAt,
    );
  }
  await sleep(2000);
  await server.stop();
  await receiver.close();
  for (const [webhook, times] of received) {
    figures.webhooks += times;
    if (times > 1) figures.violations.push(`${webhook} came ${times} times`);
  }
  figures.ids = given.size;
  return figures;
}

/** Counts each webhook by its path and the id in its body. */
async function listenForWebhooks(received: Map<string, number>) {
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const webhook = `${req.url} ${JSON.parse(Buffer.concat(chunks).toString()).id}`;
    received.set(webhook, (received.get(webhook) ?? 0) + 1);
    res.end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
