// `--state`: `interface.md` section 1 (a JSON file that carries bundled and named worlds over a restart; worlds made by
// a `svc_test_` key on first use are not kept), section 2 (plaintext keys are never stored) and section 5 (what is kept).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../src/index.ts';
import type { WorldDump } from '../src/store/store.ts';
import { type Client, clientOf, expectError } from './support/client.ts';
import { temporaryFolders } from './support/folders.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { PATIENCE } from './support/until.ts';

const folderOf = temporaryFolders();
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

/** One sandbox after another on one file. */
class Lives {
  readonly file = join(folderOf(), 'state.json');
  readonly #options: SandboxOptions;
  sandbox!: Sandbox;
  client!: Client;

  private constructor(options: SandboxOptions) {
    this.#options = options;
  }

  static async begin(options: SandboxOptions = {}): Promise<Lives> {
    const lives = new Lives({ clock: 'manual', ...options });
    await lives.#open();
    opened.push({ close: () => lives.sandbox.close() });
    return lives;
  }

  async restart(options: SandboxOptions = {}): Promise<void> {
    await this.sandbox.close();
    await this.#open(options);
  }

  with(key: string): Client {
    return clientOf(this.sandbox.url, key);
  }

  async #open(options: SandboxOptions = {}): Promise<void> {
    this.sandbox = await createSandbox({ ...this.#options, ...options, state: this.file });
    this.client = clientOf(this.sandbox.url);
  }
}

async function receiver(): Promise<Receiver> {
  const started = await startReceiver();
  opened.push(started);
  return started;
}

async function advance(client: Client, by: string): Promise<void> {
  const answer = await client.post('/_sandbox/clock/advance', { by });
  expect(answer.status, answer.text).toBe(200);
}

const scenarioOf = async (client: Client, to = '+12125550147', headers = {}): Promise<string | undefined> =>
  (await client.dial(to, headers)).headers['x-sandbox-scenario'];

const busyLine = (trigger = 'busy'): string =>
  `kind: call\nsummary: Our own.\nnumbers: ["60"]\ntimeline:\n  - { after: 1s, trigger: ${trigger} }\n`;
const putYaml = async (client: Client, name: string, text: string): Promise<void> => {
  const answer = await client.put(`/_sandbox/scenarios/${name}`, text, { 'Content-Type': 'application/yaml' });
  expect(answer.status, answer.text).toBeLessThan(300);
};

describe('over a restart', () => {
  it('records survive as they stood, byte for byte', async () => {
    const lives = await Lives.begin();
    const { client } = lives;
    const busy = await client.call('+12125550101');
    const answered = await client.call('+12125550100');
    await advance(client, '5m');
    const queued = await client.call('+12125550100');
    const [agent] = (await client.get('/v1/agents')).body.data;
    await client.patch(`/v1/agents/${agent.id}`, { name: 'Night desk', enabled: false });
    await client.post('/v1/caller-ids', { phone_number: '+14155550186' });
    const callerIds = (await client.get('/v1/caller-ids')).body.data;
    const verified = callerIds.find(({ phone_number }: { phone_number: string }) => phone_number === '+14155550191');
    await client.delete(`/v1/caller-ids/${verified.caller_id_id}`);
    const read = async (): Promise<unknown> => {
      const paths = [
        ...[busy, answered, queued].map((id) => `/v1/calls/${id}`),
        `/v1/calls/${answered}/transcript`,
        '/v1/calls?page_size=100',
        `/v1/agents/${agent.id}`,
        '/v1/agents',
        '/v1/caller-ids',
        '/v1/phone-numbers',
        '/v1/account',
        '/v1/me',
      ];
      const texts: string[] = [];
      for (const path of paths) {
        const answer = await lives.client.get(path);
        expect(answer.status, path).toBe(200);
        texts.push(answer.text.replaceAll(lives.sandbox.url, ''));
      }
      return texts;
    };
    const before = await read();
    await lives.restart();
    expect(await read()).toEqual(before);
  });

  it('what is made afterwards has ids of its own', async () => {
    const lives = await Lives.begin();
    const ids = [await lives.client.call('+12125550147'), await lives.client.call('+12125550147')];
    await lives.restart();
    ids.push(await lives.client.call('+12125550147'));
    expect(new Set(ids).size).toBe(3);
    const requests = (await lives.sandbox.requests()).map(({ id }) => id);
    expect(new Set(requests).size).toBe(requests.length);
    // The same calls without a restart between them.
    const other = await createSandbox({ clock: 'manual' });
    const client = clientOf(other.url);
    const same = [
      await client.call('+12125550147'),
      await client.call('+12125550147'),
      await client.call('+12125550147'),
    ];
    await other.close();
    expect(ids).toEqual(same);
  });

  it('a call in progress goes on and ends at its own instants', async () => {
    const lives = await Lives.begin();
    const id = await lives.client.call('+12125550147', { 'X-Sandbox-Scenario': 'answered;ring=3s;talk=10s' });
    await advance(lives.client, '5s');
    expect((await lives.client.readCall(id)).status).toBe('IN_PROGRESS');
    await lives.restart();
    expect((await lives.client.readCall(id)).status).toBe('IN_PROGRESS');
    await advance(lives.client, '8499ms');
    expect((await lives.client.readCall(id)).status).toBe('IN_PROGRESS');
    await advance(lives.client, '1ms');
    expect(await lives.client.readCall(id)).toMatchObject({
      status: 'COMPLETED',
      duration_seconds: 10,
      ended_at: '2026-01-05T15:00:13.500Z',
      has_transcript: true,
    });
    const types = (await lives.sandbox.events()).map(({ event_type }) => event_type);
    expect(types).toEqual(['new_call', 'call_completed', 'phone_call.ended']);
  });

  it('an advance that a stop breaks off leaves what it has not reached, which goes on after the restart', async () => {
    const hook = await receiver();
    const lives = await Lives.begin();
    const { client, sandbox } = lives;
    await client.post('/api/v1/webhook_subscriptions', { webhook_url: hook.url, event_type: 'call_busy' });
    const calls: string[] = [];
    for (let seconds = 1; seconds <= 5; seconds++) {
      calls.push(await client.call('+12125550147', { 'X-Sandbox-Scenario': `busy;ring=${seconds}s` }));
    }
    const start = Date.parse(await sandbox.clock.now());
    // The receiver answers the second call's event when the stop has begun.
    let closed = Promise.resolve();
    hook.onDelivery = () => {
      if (hook.got.length === 2) closed = sandbox.close();
    };
    const { body } = await client.post('/_sandbox/clock/advance', { until: 'idle' });
    await closed;
    const now = new Date(start + 2000).toISOString();
    expect(body.data).toMatchObject({ complete: false, now, totals: { steps: 2 } });
    await lives.restart();
    expect(await lives.sandbox.clock.now()).toBe(now);
    const statuses = async (): Promise<string[]> =>
      Promise.all(calls.map(async (id) => (await lives.client.readCall(id)).status));
    expect(await statuses()).toEqual(['BUSY', 'BUSY', 'QUEUED', 'QUEUED', 'QUEUED']);
    await lives.sandbox.clock.untilIdle();
    expect(await statuses()).toEqual(calls.map(() => 'BUSY'));
    expect(hook.got.map((delivery) => delivery.body.id)).toEqual(calls);
    expect((await lives.sandbox.deliveries()).map(({ status }) => status)).toEqual(calls.map(() => 'delivered'));
  });

  it('what was hung up stays so: nothing of its timeline comes back', async () => {
    const lives = await Lives.begin();
    const id = await lives.client.call('+12125550102');
    await lives.client.post(`/v1/calls/${id}/hangup`);
    await lives.restart();
    expect((await lives.client.get('/_sandbox/clock')).body.data.pending).toBe(0);
    await lives.sandbox.clock.untilIdle();
    expect((await lives.client.readCall(id)).status).toBe('CANCELED');
  });

  it('a standing clock goes on where it stood, whatever --start says now', async () => {
    const lives = await Lives.begin();
    await advance(lives.client, '90m');
    await lives.restart({ start: '2030-01-01T00:00:00.000Z' });
    expect((await lives.client.get('/_sandbox/clock')).body.data).toMatchObject({
      mode: 'manual',
      now: '2026-01-05T16:30:00.000Z',
    });
  });

  it('the mode of a clock survives, whatever --clock says now', async () => {
    const lives = await Lives.begin({ clock: 'real' });
    await lives.client.put('/_sandbox/clock', { mode: 'manual' });
    const { now } = (await lives.client.get('/_sandbox/clock')).body.data;
    await lives.restart();
    expect((await lives.client.get('/_sandbox/clock')).body.data).toMatchObject({ mode: 'manual', now });
  });

  it('a running clock is with the machine again, and never behind itself', async () => {
    const lives = await Lives.begin({ clock: 'real' });
    const before = Date.now();
    await lives.restart();
    const now = Date.parse((await lives.client.get('/_sandbox/clock')).body.data.now);
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
    await advance(lives.client, '1h');
    const ahead = Date.parse((await lives.client.get('/_sandbox/clock')).body.data.now);
    await lives.restart();
    expect(Date.parse((await lives.client.get('/_sandbox/clock')).body.data.now)).toBeGreaterThanOrEqual(ahead);
  });

  it('what fell due while it was down happens at its own instant', async () => {
    const lives = await Lives.begin({ clock: 'real' });
    const id = await lives.client.call('+12125550147', { 'X-Sandbox-Scenario': 'busy;ring=200ms' });
    const { started_at } = await lives.client.readCall(id);
    await lives.sandbox.close();
    await new Promise((resolve) => setTimeout(resolve, 250));
    await lives.restart();
    const { status, ended_at } = await lives.client.readCall(id);
    expect(status).toBe('BUSY');
    expect(Date.parse(ended_at) - Date.parse(started_at)).toBe(200);
  });

  it('scenarios of a world survive, with the numbers that they took over', async () => {
    const lives = await Lives.begin();
    await putYaml(lives.client, 'own_line', busyLine());
    await putYaml(lives.client, 'busy', busyLine('unreachable').replace('"60"', '"01"'));
    await lives.restart();
    expect(await scenarioOf(lives.client, '+12125550160')).toBe('own_line');
    const id = await lives.client.call('+12125550101');
    await lives.sandbox.clock.untilIdle();
    expect((await lives.client.readCall(id)).status).toBe('FAILED');
  });

  it('scenarios of a world that extend one another survive, whichever was put last', async () => {
    const lives = await Lives.begin();
    await putYaml(lives.client, 'own_base', busyLine());
    await putYaml(lives.client, 'own_child', 'kind: call\nsummary: A child.\nextends: own_base\n');
    await putYaml(lives.client, 'own_base', busyLine('unreachable'));
    await lives.restart();
    expect((await lives.client.get('/v1/account')).status).toBe(200);
    expect((await lives.client.get('/_sandbox/scenarios')).status).toBe(200);
    expect(await scenarioOf(lives.client, '+12125550147', { 'X-Sandbox-Scenario': 'own_child' })).toBe('own_child');
  });

  it('a world whose scenario extends one that was deleted answers still', async () => {
    const lives = await Lives.begin();
    await putYaml(lives.client, 'own_base', busyLine());
    await putYaml(lives.client, 'own_child', 'kind: call\nsummary: A child.\nextends: own_base\n');
    await lives.client.delete('/_sandbox/scenarios/own_base');
    await lives.restart();
    expect((await lives.client.get('/v1/account')).status).toBe(200);
    expect(await scenarioOf(lives.client)).toBe('answered');
  });

  it('a world whose scenario extends one of a folder that is no longer given answers still', async () => {
    const lives = await Lives.begin({ scenarios: folderOf({ 'house_line.yaml': busyLine() }) });
    await putYaml(lives.client, 'own_child', 'kind: call\nsummary: A child.\nextends: house_line\n');
    await lives.restart({ scenarios: undefined });
    expect((await lives.client.get('/v1/account')).status).toBe(200);
  });

  it('active scenarios survive, with what is left of a list', async () => {
    const lives = await Lives.begin();
    await lives.client.put('/_sandbox/active-scenarios/call', { use: ['busy', 'voicemail;ring=2s', 'no_answer'] });
    await lives.client.put('/_sandbox/active-scenarios/caller_id', { use: 'verification_slow' });
    await lives.client.dial('+12125550147');
    await lives.restart();
    const { client } = lives;
    expect((await client.get('/_sandbox/active-scenarios/call')).body.data.use).toEqual([
      'voicemail;ring=2s',
      'no_answer',
    ]);
    expect((await client.get('/_sandbox/active-scenarios/caller_id')).body.data.use).toBe('verification_slow');
    expect([await scenarioOf(client), await scenarioOf(client), await scenarioOf(client)]).toEqual([
      'voicemail',
      'no_answer',
      'answered',
    ]);
  });

  it('counters survive: flaky_provider remembers how often it has failed', async () => {
    const lives = await Lives.begin();
    const dial = async (): Promise<number> => (await lives.client.dial('+12125550135')).status;
    expect(await dial()).toBe(502);
    await lives.restart();
    expect(await dial()).toBe(502);
    await lives.restart();
    expect([await dial(), await dial()]).toEqual([202, 502]);
  });

  it('draws go on where they were, so that a restart changes no timeline', async () => {
    const ends = async (restarts: boolean): Promise<unknown> => {
      const lives = await Lives.begin();
      const ids: string[] = [];
      for (let n = 0; n < 4; n++) {
        ids.push(await lives.client.call('+12125550100'));
        if (restarts) await lives.restart();
      }
      await lives.sandbox.clock.untilIdle();
      return Promise.all(ids.map(async (id) => (await lives.client.readCall(id)).ended_at));
    };
    expect(await ends(true)).toEqual(await ends(false));
  });

  it('subscriptions survive with their secrets, and deleted ones stay away', async () => {
    const hook = await receiver();
    const lives = await Lives.begin();
    const subscribe = async (path: string): Promise<string> => {
      const body = { webhook_url: hook.url + path, event_type: 'number_purchased' };
      return (await lives.client.post('/api/v1/webhook_subscriptions', body)).body.id;
    };
    const kept = await subscribe('/kept');
    const gone = await subscribe('/gone');
    await lives.client.put(`/_sandbox/webhook-subscriptions/${kept}`, { signing_secret: 'our own secret' });
    await lives.client.delete(`/api/v1/webhook_subscriptions/${gone}`);
    await lives.restart();
    const listed = (await lives.client.get('/api/v1/webhook_subscriptions')).body.data;
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([kept]);
    const { data } = (await lives.client.get(`/_sandbox/webhook-subscriptions/${kept}`)).body;
    expect(data.signing_secret).toBe('our own secret');
    await lives.client.post('/_sandbox/events', { event_type: 'number_purchased' });
    await advance(lives.client, '0s');
    expect(hook.got.map(({ path }) => path)).toEqual(['/kept']);
  });

  it('idempotent replies survive: a repeat is a replay, and another body a conflict', async () => {
    const lives = await Lives.begin();
    const header = { 'Idempotency-Key': '6f1d7c9e-4a3b-4f0e-9d2c-1b5a7e8f9c0d' };
    const first = await lives.client.dial('+12125550101', header);
    await lives.restart();
    const again = await lives.client.dial('+12125550101', header);
    expect(again.status).toBe(202);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.headers['x-sandbox-scenario']).toBe('busy');
    expect(await lives.sandbox.events()).toHaveLength(1);
    expectError(await lives.client.dial('+12125550102', header), 409, 'idempotency_conflict');
  });

  it('journals survive: requests, events and deliveries as they were', async () => {
    const hook = await receiver();
    const lives = await Lives.begin();
    for (const event_type of ['call_busy', 'new_call']) {
      await lives.client.post('/api/v1/webhook_subscriptions', { webhook_url: hook.url, event_type });
    }
    await lives.client.call('+12125550101');
    await lives.client.dial('+12125550111');
    await lives.sandbox.clock.untilIdle();
    const read = async () => [
      await lives.sandbox.requests(),
      await lives.sandbox.events(),
      await lives.sandbox.deliveries(),
    ];
    const before = await read();
    expect(before.map((entries) => entries.length)).toEqual([4, 4, 2]);
    await lives.restart();
    expect(await read()).toEqual(before);
    // Nothing is sent a second time.
    await advance(lives.client, '0s');
    expect(hook.got).toHaveLength(2);
  });

  it('what a journal has dropped stays known', async () => {
    const lives = await Lives.begin({ journalLimit: 2 });
    for (let n = 0; n < 4; n++) await lives.client.post('/_sandbox/events', { event_type: 'contact_created' });
    const wait = (): Promise<{ status: number; text: string }> =>
      lives.client.get('/_sandbox/wait?event_type=new_appointment&timeout=50ms');
    const before = await wait();
    expect(before.status).toBe(409);
    expect(before.text).toContain('dropped 2');
    await lives.restart();
    const after = await wait();
    expect(after.status).toBe(409);
    expect(after.text).toContain('dropped 2');
  });

  it('assumptions that were set survive', async () => {
    const lives = await Lives.begin();
    await lives.client.put('/_sandbox/assumptions/dial_response_envelope', { value: 'data' });
    await lives.restart();
    expect((await lives.client.dial('+12125550147')).body).toEqual({
      data: { call_id: expect.any(String), status: 'QUEUED' },
    });
  });

  it('a reset goes back to the fixture, and the restart keeps that', async () => {
    const lives = await Lives.begin();
    const before = (await lives.client.get('/v1/calls')).text;
    await lives.client.call('+12125550101');
    await advance(lives.client, '1h');
    await lives.restart();
    await lives.sandbox.reset();
    await lives.restart();
    expect((await lives.client.get('/v1/calls')).text.replaceAll(lives.sandbox.url, '')).toBe(
      before.replace(/http:\/\/127\.0\.0\.1:\d+/g, ''),
    );
    expect(await lives.sandbox.clock.now()).toBe('2026-01-05T15:00:00.000Z');
  });
});

describe('keys', () => {
  it('survive as hashes: they work, with their scopes, and their plaintext is nowhere in the file', async () => {
    const lives = await Lives.begin({ controlToken: 'control-token-19c4' });
    const control = lives.with('control-token-19c4');
    const made = (await control.post('/_sandbox/keys', { scopes: ['calls:read'], requests_per_minute: 7 })).body.data;
    const dropped = (await control.post('/_sandbox/keys', {})).body.data;
    await control.delete(`/_sandbox/keys/${dropped.id}`);
    await lives.with(made.api_key).get('/v1/calls');
    await lives.with('svc_test_default_55aa77').dial('+12125550101');
    await lives.client.dial('+12125550101');
    await lives.with('svc_sandbox_compliance').get('/v1/me');
    await lives.restart();
    const text = readFileSync(lives.file, 'utf8');
    const answer = await lives.with(made.api_key).get('/v1/calls');
    expect(answer.status).toBe(200);
    expect(answer.headers['x-ratelimit-limit']).toBe('7');
    expectError(await lives.with(made.api_key).get('/v1/account'), 403, 'scope_missing');
    expectError(await lives.with(dropped.api_key).get('/v1/calls'), 401, 'unauthorized');
    expectError(await lives.with('svc_sandbox_revoked').get('/v1/calls'), 401, 'unauthorized');
    const secrets = [
      made.api_key,
      dropped.api_key,
      'svc_sandbox_default',
      'svc_sandbox_compliance',
      'svc_test_default_55aa77',
      'control-token-19c4',
    ];
    expect(text).toContain(made.id);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });
});

describe('what a client sends in the wrong place', () => {
  it('is no plaintext in the file either', async () => {
    const lives = await Lives.begin();
    const { api_key } = (await lives.client.post('/_sandbox/keys', {})).body.data;
    const keyed = lives.with(api_key);
    await keyed.post('/v1/calls/dial', { to_number: '+12125550101', api_key });
    await keyed.get(`/v1/calls?api_key=${api_key}`);
    await lives.sandbox.close();
    expect(readFileSync(lives.file, 'utf8')).not.toContain(api_key);
  });
});

describe('worlds', () => {
  it('that were posted survive with their fixture, their clock and their assumptions', async () => {
    const fixtures = folderOf({
      'garage.yaml':
        'organization: { name: Garage, slug: garage, plan: p }\nuser: { name: U, email: u@garage.example }\nassumptions: { event_order: disposition_first }\n',
    });
    const lives = await Lives.begin({ fixtures, clock: 'real' });
    const posted = await lives.client.post('/_sandbox/worlds', {
      name: 'workshop',
      fixtures: 'garage',
      clock: 'manual',
      assumptions: { scope_missing_status: 401 },
    });
    expect(posted.status, posted.text).toBe(201);
    await advance(lives.with('svc_test_workshop'), '2h');
    await lives.restart();
    const client = lives.with('svc_test_workshop');
    const { organization } = (await client.get('/v1/account')).body.data;
    expect(organization).toMatchObject({ id: posted.body.data.organization_id, name: 'Garage' });
    expect((await client.get('/_sandbox/clock')).body.data).toMatchObject({
      mode: 'manual',
      now: '2026-01-05T17:00:00.000Z',
    });
    const values = (await client.get('/_sandbox/assumptions')).body.data;
    const value = (name: string): unknown => values.find((each: { name: string }) => each.name === name).value;
    expect([value('event_order'), value('scope_missing_status')]).toEqual(['disposition_first', 401]);
    const listed = (await lives.client.get('/_sandbox/worlds')).body.data;
    expect(listed).toContainEqual(expect.objectContaining({ name: 'workshop', origin: 'posted', fixture: 'garage' }));
  });

  it('that were posted and deleted stay away', async () => {
    const lives = await Lives.begin();
    await lives.client.post('/_sandbox/worlds', { name: 'workshop' });
    await lives.restart();
    await lives.client.delete('/_sandbox/worlds/workshop');
    await lives.restart();
    const names = (await lives.client.get('/_sandbox/worlds')).body.data.map(({ name }: { name: string }) => name);
    expect(names).not.toContain('workshop');
  });

  it('that were posted and deleted stay away though a test key made them anew at once', async () => {
    const lives = await Lives.begin();
    await lives.client.post('/_sandbox/worlds', { name: 'lab' });
    await lives.with('svc_test_lab').call('+12125550100');
    await lives.restart();
    await lives.client.delete('/_sandbox/worlds/lab');
    await lives.with('svc_test_lab').get('/v1/me');
    await lives.restart();
    const names = (await lives.client.get('/_sandbox/worlds')).body.data.map(({ name }: { name: string }) => name);
    expect(names).not.toContain('lab');
  });

  it('that a test key made on first use do not', async () => {
    const lives = await Lives.begin();
    const id = await lives.with('svc_test_passing').call('+12125550101');
    await lives.restart();
    const names = (await lives.client.get('/_sandbox/worlds')).body.data.map(({ name }: { name: string }) => name);
    expect(names).not.toContain('passing');
    expectError(await lives.with('svc_test_passing').get(`/v1/calls/${id}`), 404, 'not_found');
    await lives.sandbox.close();
    expect(readFileSync(lives.file, 'utf8')).not.toContain('passing');
  });

  it('that are bundled survive, each for itself', async () => {
    const lives = await Lives.begin();
    const here = await lives.client.call('+12125550101');
    const there = await lives.with('svc_sandbox_other').call('+12125550101');
    await lives.restart();
    expect((await lives.client.readCall(here)).id).toBe(here);
    expect((await lives.with('svc_sandbox_other').readCall(there)).id).toBe(there);
    expectError(await lives.client.get(`/v1/calls/${there}`), 404, 'not_found');
  });

  it('of a fixture that is new come beside those of the file', async () => {
    const lives = await Lives.begin();
    const id = await lives.client.call('+12125550101');
    const fixtures = folderOf({
      'garage.yaml':
        'organization: { name: Garage, slug: garage, plan: p }\nuser: { name: U, email: u@garage.example }\nkeys: [{ key: svc_garage }]\n',
    });
    await lives.restart({ fixtures });
    expect((await lives.with('svc_garage').get('/v1/account')).body.data.organization.name).toBe('Garage');
    expect((await lives.client.readCall(id)).id).toBe(id);
  });

  it('of a fixture that is gone refuse the start with one line that names the file and the fixture', async () => {
    const fixtures = folderOf({
      'garage.yaml': 'organization: { name: G, slug: g, plan: p }\nuser: { name: U, email: u@garage.example }\n',
    });
    const lives = await Lives.begin({ fixtures });
    await lives.sandbox.close();
    const refusal = await createSandbox({ state: lives.file }).then(
      async (sandbox) => {
        await sandbox.close();
        return 'it started';
      },
      (error: Error) => error.message,
    );
    expect(refusal).toContain(`${lives.file}:`);
    expect(refusal).toContain('garage');
  });
});

describe('the file', () => {
  it('is JSON, and is made where there is none', async () => {
    const lives = await Lives.begin();
    await lives.sandbox.close();
    expect(Object.keys(JSON.parse(readFileSync(lives.file, 'utf8')).worlds)).toContain('default');
  });

  it('has what changes through the control API alone a moment later, for when the machine fails', async () => {
    const lives = await Lives.begin();
    const { client } = lives;
    const eventually = (
      check: (worlds: Record<string, WorldDump> & { default: WorldDump }) => void,
    ): Promise<unknown> =>
      vi.waitFor(() => check(JSON.parse(readFileSync(lives.file, 'utf8')).worlds), { timeout: PATIENCE, interval: 20 });
    await client.post('/_sandbox/worlds', { name: 'workshop' });
    await eventually((worlds) => expect(Object.keys(worlds)).toContain('workshop'));
    const { id } = (await client.post('/_sandbox/keys', {})).body.data;
    await eventually(({ default: { rows } }) => expect(rows.keys).toContainEqual(expect.objectContaining({ id })));
    await client.put('/_sandbox/active-scenarios/call', { use: 'busy' });
    await eventually(({ default: { rows } }) =>
      expect(rows.active_scenarios).toMatchObject([{ references: ['busy'] }]),
    );
    await putYaml(client, 'own_line', busyLine());
    await eventually(({ default: { rows } }) => expect(rows.scenario_overlays).toMatchObject([{ id: 'own_line' }]));
    await client.put('/_sandbox/assumptions/event_order', { value: 'disposition_first' });
    await eventually(({ default: { state } }) => expect(state.assumptions.event_order).toBe('disposition_first'));
    await client.delete('/_sandbox/worlds/workshop');
    await eventually((worlds) => expect(Object.keys(worlds)).not.toContain('workshop'));
  });

  it('of worlds that were made with another seed refuses the start, naming both', async () => {
    const lives = await Lives.begin({ seed: 7 });
    await lives.sandbox.close();
    await expect(createSandbox({ state: lives.file, seed: 8 })).rejects.toThrow(
      `${lives.file}:1: worlds.default: cannot be restored: the world default was made with the seed 7; --seed is 8`,
    );
    await lives.restart();
    expect((await lives.client.get('/v1/account')).status).toBe(200);
  });

  it('two starts on one file without a change between them leave it saying the same', async () => {
    const lives = await Lives.begin();
    await lives.client.call('+12125550101');
    await lives.client.put('/_sandbox/active-scenarios/call', { use: 'busy' });
    await lives.restart();
    const text = (): string => {
      const { worlds } = JSON.parse(readFileSync(lives.file, 'utf8'));
      for (const world of Object.values(worlds) as { systemTime: unknown; state: { clock: unknown } }[]) {
        world.systemTime = null;
        world.state.clock = null;
      }
      return JSON.stringify(worlds);
    };
    await lives.restart();
    const before = text();
    await lives.restart();
    expect(text()).toBe(before);
  });
});
