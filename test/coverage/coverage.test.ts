// `GET /_sandbox/coverage`: `interface.md` section 5.
import { describe, expect, it } from 'vitest';
import { loadContract } from '../../src/contract/document.ts';
import { type Answer, type Client, clientOf, expectError } from '../support/client.ts';
import { useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';

const { sandbox } = useSandbox({ clock: 'manual' });
const startReceiver = useReceivers();
let worlds = 0;

/** A client of a new world, and what it has met. */
function newWorld(name?: string) {
  worlds += 1;
  const world = name ?? `covered-${worlds}`;
  const client = clientOf(sandbox.url, `svc_test_${world}`);
  const untilIdle = () => sandbox.world(world).clock.untilIdle();
  return { world, client, untilIdle, coverage: (query?: string) => coverageOf(client, query) };
}

async function coverageOf(client: Client, query = ''): Promise<Answer['body']> {
  const answer = await client.get(`/_sandbox/coverage${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}

describe('what a world has met', () => {
  it('counts requests by operation, status and error code, and names the operations never called', async () => {
    const { client, world, coverage } = newWorld();
    await client.call('+12125550100');
    await client.dial('+12125550111');
    await client.dial('+12125550111');
    await client.get('/v1/nowhere');
    const { operations, error_codes, requests, ...scope } = await coverage();
    expect(scope).toMatchObject({ worlds: [world], world_count: 1, worlds_forgotten: 0, minimum: null });
    expect(requests).toBe(4);
    const total = loadContract().operations.size;
    expect(operations).toMatchObject({
      total,
      met: 1,
      percent: Math.floor(1000 / total) / 10,
      counts: { dialCall: 3 },
    });
    expect(operations.not_met).toHaveLength(total - 1);
    expect(operations.not_met).toContain('getCall');
    expect(operations.answers).toEqual({
      dialCall: {
        requests: 3,
        statuses: { 202: 1, 403: 2 },
        error_codes: { dnc_suppressed: 2 },
        statuses_not_met: expect.arrayContaining(['400', '429', '502']),
      },
    });
    expect(error_codes).toMatchObject({ total: 35, met: 2, counts: { dnc_suppressed: 2, not_found: 1 } });
    expect(error_codes.not_met).toContain('rate_limited');
    expect(error_codes.not_met).not.toContain('conflict');
  });

  it('counts outcomes of calls, their failure codes, the scenarios played and the statuses of other records', async () => {
    const { client, coverage, untilIdle } = newWorld();
    for (const number of ['00', '01', '05']) await client.call(`+121255501${number}`);
    await client.post('/v1/sms/send', { to_number: '+12125550140', body: 'Hi' });
    await untilIdle();
    const { call_outcomes, error_codes, scenarios, record_statuses, event_types } = await coverage();
    expect(call_outcomes).toEqual({
      total: 6,
      met: 3,
      percent: 50,
      counts: { answered: 1, busy: 1, failed: 1 },
      not_met: ['no_answer', 'voicemail', 'canceled'],
    });
    expect(error_codes.counts).toEqual({ busy: 1, number_unreachable: 1 });
    expect(scenarios.counts).toEqual({ answered: 1, busy: 1, number_unreachable: 1, sms_delivered: 1 });
    expect(scenarios.not_met).toContain('long_call');
    expect(record_statuses.counts).toEqual({ 'messages.sent': 1, 'messages.delivered': 1 });
    expect(record_statuses.not_met).toContain('enterprises.APPROVED');
    expect(event_types).toMatchObject({ met: 0, emitted: { new_call: 3, call_busy: 1, call_failed: 1 } });
  });

  it('counts an event type as met when a receiver has accepted it, and what receivers answered', async () => {
    const { client, coverage, untilIdle } = newWorld();
    const receiver = await startReceiver();
    const statuses = [500, 404, 301, 200];
    receiver.onDelivery = (_, res) => {
      const status = statuses.shift();
      if (status === undefined) return res.socket?.resetAndDestroy();
      return res.writeHead(status).end();
    };
    const refusing = { webhook_url: 'http://127.0.0.1:1/', event_type: 'new_call' };
    await client.post('/api/v1/webhook_subscriptions', { webhook_url: receiver.url, event_type: 'call_busy' });
    await client.post('/api/v1/webhook_subscriptions', refusing);
    for (let call = 0; call < 5; call++) {
      await client.call('+12125550101');
      await untilIdle();
    }
    const { event_types, receiver_answers } = await coverage();
    expect(receiver_answers).toEqual({
      total: 5,
      met: 4,
      percent: 80,
      counts: { '2xx': 1, '4xx': 1, '5xx': 1, reset: 1, '3xx': 1, refused: 5 },
      not_met: ['timeout'],
    });
    expect(event_types).toMatchObject({ met: 1, counts: { call_busy: 1 } });
    expect(event_types.not_met).toContain('new_call');
  });

  it('counts what faults and control headers did, and no answer where the connection broke', async () => {
    const { client, coverage } = newWorld();
    await client.get('/v1/me', { 'X-Sandbox-Error': 'internal_error' });
    await client.get('/v1/me', { 'X-Sandbox-Delay': '1ms' });
    await client.get('/v1/me', { 'X-Sandbox-Fault': 'reset' }).catch(() => {});
    await client.get('/v1/me', { 'X-Sandbox-Fault': 'empty;when=before' }).catch(() => {});
    for (const fault of [
      { respond: { status: 502 }, times: 1 },
      { drift: ['extra_fields'], latency: '1ms', times: 1 },
    ]) {
      await client.put('/_sandbox/faults', fault);
      await client.get('/v1/me');
    }
    const { faults, operations, error_codes } = await coverage();
    expect(faults.counts).toEqual({ error: 1, latency: 2, reset: 1, empty: 1, respond: 1, extra_fields: 1 });
    expect(faults.not_met).toEqual(['truncate', 'timeout', 'unknown_enum', 'timestamps_offset']);
    expect(operations.answers.getMe.statuses).toEqual({ 500: 1, 200: 2, broken: 2, 502: 1 });
    expect(error_codes.counts).toEqual({ internal_error: 1 });
  });

  it('counts replays, and control requests not at all', async () => {
    const { client, coverage } = newWorld();
    const key = { 'Idempotency-Key': '6f1b8f0e-4c8a-4a57-9d1e-0d3c1f6a2b11' };
    await client.call('+12125550100', key);
    await client.call('+12125550100', key);
    for (const path of ['/clock', '/requests', '/coverage', '/nowhere']) await client.get(`/_sandbox${path}`);
    expect(await coverage()).toMatchObject({ requests: 2, replayed: 1 });
  });

  it('counts on over a reset, and over a return to a snapshot', async () => {
    const { client, coverage } = newWorld();
    await client.get('/v1/me');
    await client.post('/_sandbox/snapshots', { name: 'before' });
    await client.get('/v1/me');
    await client.post('/_sandbox/snapshots/before/restore');
    expect((await coverage()).requests).toBe(2);
    await client.post('/_sandbox/reset');
    await client.get('/v1/me');
    expect((await coverage()).requests).toBe(3);
  });

  it('counts no scenario that a world has defined itself, unless it takes the place of one of the server', async () => {
    const { client, coverage } = newWorld();
    for (const name of ['mine', 'busy']) {
      await client.put(`/_sandbox/scenarios/${name}`, { kind: 'call', summary: 'Ours.', extends: 'answered' });
      await client.call('+12125550147', { 'X-Sandbox-Scenario': name });
    }
    expect((await coverage()).scenarios.counts).toEqual({ busy: 1 });
  });
});

describe('delivery plans', () => {
  it('show which troubles receivers have had, and whether they accept what is forged or sent twice', async () => {
    const { client, coverage, untilIdle } = newWorld();
    const receiver = await startReceiver();
    const event_type = 'number_purchased';
    const subscribe = async (plan: object): Promise<void> => {
      const { body } = await client.post('/api/v1/webhook_subscriptions', { webhook_url: receiver.url, event_type });
      const answer = await client.put(`/_sandbox/webhook-subscriptions/${body.id}`, { plan });
      expect(answer.status, answer.text).toBe(200);
    };
    await subscribe({ tamper: 1 });
    await subscribe({ wrong_secret: 1, delay: '1s' });
    await subscribe({ duplicate: 1 });
    await subscribe({ drop: 1 });
    const fire = () => client.post('/_sandbox/events', { event_type });
    receiver.onDelivery = ({ headers }, res) => res.writeHead(headers['x-service-signature-256'] ? 200 : 401).end();
    await fire();
    await untilIdle();
    receiver.onDelivery = (_, res) => res.writeHead(401).end();
    await fire();
    await untilIdle();
    const { delivery_troubles, signatures, duplicates, event_types } = await coverage();
    expect(delivery_troubles.counts).toEqual({ tamper: 2, wrong_secret: 2, delay: 2, duplicate: 1, drop: 2 });
    expect(delivery_troubles.not_met).toEqual(['reorder', 'paused', 'retry', 'redelivery']);
    expect(signatures).toEqual({ tampered: { sent: 2, accepted: 1 }, wrong_secret: { sent: 2, accepted: 1 } });
    expect(duplicates).toEqual({ sent: 1, accepted: 1 });
    expect(event_types.counts).toEqual({ number_purchased: 4 });
    const { text } = await client.get('/_sandbox/coverage?format=text');
    expect(text).toContain('signatures are not verified: 2 forged deliveries accepted');
    expect(text).toContain('duplicates: 1 sent, 1 accepted');
  });
});

describe('retries', () => {
  const failing = { 'X-Sandbox-Error': 'internal_error' };
  const key = (last: number) => ({ 'Idempotency-Key': `6f1b8f0e-4c8a-4a57-9d1e-0d3c1f6a2b1${last}` });

  it('are seen by the idempotency key where there is one, whatever else is sent', async () => {
    const { client, coverage } = newWorld();
    await client.dial('+12125550100', { ...failing, ...key(1) });
    await client.dial('+12125550100', key(2));
    expect((await coverage()).retries.after_5xx).toEqual({ expected: 1, seen: 0 });
    await client.dial('+12125550100', key(1));
    await client.dial('+12125550100', key(1));
    expect((await coverage()).retries.after_5xx).toEqual({ expected: 1, seen: 1 });
  });

  it('are seen by method, path, query and body without a key', async () => {
    const { client, coverage } = newWorld();
    await client.dial('+12125550100', failing);
    await client.dial('+12125550101');
    await client.get('/v1/calls?page_size=1', failing);
    await client.get('/v1/calls?page_size=2');
    expect((await coverage()).retries.after_5xx).toEqual({ expected: 2, seen: 0 });
    await client.dial('+12125550100');
    await client.get('/v1/calls?page_size=1');
    expect((await coverage()).retries.after_5xx).toEqual({ expected: 2, seen: 2 });
  });

  it('are seen after 429 and after a broken connection, and one that fails is expected again', async () => {
    const { client, coverage } = newWorld();
    const limited = { 'X-Sandbox-Error': 'rate_limited' };
    await client.get('/v1/me', limited);
    await client.get('/v1/me', limited);
    await client.get('/v1/me');
    await client.get('/v1/me', { 'X-Sandbox-Fault': 'reset' }).catch(() => {});
    await client.get('/v1/me');
    expect((await coverage()).retries).toEqual({
      after_429: { expected: 2, seen: 2 },
      after_5xx: { expected: 0, seen: 0 },
      after_broken: { expected: 1, seen: 1 },
    });
  });

  it('are looked for among the latest hundred requests, so that a world that fails a lot stays small', async () => {
    const { client, coverage } = newWorld();
    for (let number = 0; number <= 100; number++) await client.get(`/v1/calls?page_size=${number}`, failing);
    for (const number of [0, 1, 100]) await client.get(`/v1/calls?page_size=${number}`);
    expect((await coverage()).retries.after_5xx).toEqual({ expected: 101, seen: 2 });
  });
});

describe('several worlds', () => {
  it('are added up by glob, those that were deleted or reset included', async () => {
    const suites = ['merged-a', 'merged-b', 'merged-c'].map((name) => newWorld(name));
    for (const { client } of suites) await client.call('+12125550101');
    await suites[0]?.client.post('/_sandbox/reset');
    await suites[1]?.client.delete('/_sandbox/worlds/merged-b');
    const { client } = newWorld();
    expect(await coverageOf(client, '?worlds=merged-*')).toMatchObject({
      worlds: ['merged-a', 'merged-b', 'merged-c'],
      world_count: 3,
      requests: 3,
      operations: { counts: { dialCall: 3 } },
    });
    expect(await coverageOf(client, '?worlds=MERGED-B')).toMatchObject({ worlds: ['merged-b'], requests: 1 });
    expect(await coverageOf(client, '?worlds=nobody-*')).toMatchObject({ worlds: [], world_count: 0, requests: 0 });
    // A world that is made again goes on counting, and is not counted twice.
    await suites[1]?.client.call('+12125550101');
    expect(await coverageOf(client, '?worlds=merged-*')).toMatchObject({ world_count: 3, requests: 4 });
  });

  it('tell a key of one world nothing of another unless it asks for it', async () => {
    const [one, other] = [newWorld(), newWorld()];
    await one.client.get('/v1/me');
    expect((await other.coverage()).requests).toBe(0);
  });

  it('are the business of the control token where there is one', async () => {
    const { createSandbox } = await import('../../src/index.ts');
    const own = await createSandbox({ clock: 'manual', controlToken: 'a-control-token-of-the-tests' });
    try {
      const token = clientOf(own.url, 'a-control-token-of-the-tests');
      const { control_key } = (await token.post('/_sandbox/worlds', { name: 'ci-1' })).body.data;
      for (const world of ['ci-1', 'ci-2']) await clientOf(own.url, `svc_test_${world}`).get('/v1/me');
      expect(await coverageOf(token, '?worlds=ci-*')).toMatchObject({ worlds: ['ci-1', 'ci-2'], requests: 2 });
      const keyed = clientOf(own.url, control_key);
      expect(await coverageOf(keyed)).toMatchObject({ worlds: ['ci-1'], requests: 1 });
      expect(await coverageOf(keyed, '?worlds=ci-1')).toMatchObject({ requests: 1 });
      expectError(await keyed.get('/_sandbox/coverage?worlds=ci-*'), 403, 'forbidden');
      expectError(await clientOf(own.url, 'svc_test_ci-1').get('/_sandbox/coverage'), 401, 'unauthorized');
    } finally {
      await own.close();
    }
  });
});

describe('a minimum', () => {
  it('is judged part by part, as a percentage', async () => {
    const { client, coverage, untilIdle } = newWorld();
    for (const number of ['00', '01', '02', '03', '05']) await client.call(`+121255501${number}`);
    await untilIdle();
    const { minimum } = await coverage('?min=80');
    expect(minimum).toMatchObject({ percent: 80, passed: false });
    expect(minimum.below).toEqual(['operations', 'error_codes', 'event_types', 'receiver_answers']);
    expect((await coverage('?min=0')).minimum).toMatchObject({ passed: true, below: [] });
  });

  it.each(['101', '-1', '80%', 'x'])('of %s is refused', async (min) => {
    const { client } = newWorld();
    const answer = await client.get(`/_sandbox/coverage?min=${encodeURIComponent(min)}`);
    expectError(answer, 400, 'validation_error');
    expect(answer.body.error.fields.min).toBe('must be a percentage from 0 to 100');
  });
});

describe('other forms', () => {
  it('text says what was met, what was not, and what is below the minimum', async () => {
    const { client, world, untilIdle } = newWorld();
    await client.call('+12125550101');
    await client.get('/v1/me', { 'X-Sandbox-Error': 'internal_error' });
    await untilIdle();
    const { text, headers } = await client.get('/_sandbox/coverage?format=text&min=10');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).toContain(`2 requests in the world ${world}`);
    expect(text).toMatch(/^call outcomes +1 of 6 +16\.6 %$/m);
    expect(text).toContain('repeated after 5xx: 0 of 1');
    expect(text).toMatch(/call outcomes not met:\n {2}answered no_answer voicemail failed canceled\n/);
    expect(text).toContain("below 10 %: operations, error codes, event types, receivers' answers");
    expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(100);
  });

  it('JUnit skips what was not met, and fails the parts below the minimum', async () => {
    const { client, untilIdle } = newWorld();
    for (const number of ['00', '01', '02', '03', '05']) await client.call(`+121255501${number}`);
    await untilIdle();
    const { text, headers } = await client.get('/_sandbox/coverage?format=junit&min=80');
    expect(headers['content-type']).toBe('application/xml');
    expect(text).toContain('<testsuite name="call outcomes" tests="7" failures="0" skipped="1">');
    expect(text).toContain(
      '<testcase classname="ringback.coverage.call_outcomes" name="canceled"><skipped message="not met"/></testcase>',
    );
    expect(text).toContain('<testcase classname="ringback.coverage.call_outcomes" name="at least 80 %"/>');
    expect(text).toContain('<testsuite name="receivers\' answers" tests="6" failures="1" skipped="5">');
    expect(text).toMatch(/<testsuites name="ringback coverage" tests="\d+" failures="4" skipped="\d+">/);
    const without = await client.get('/_sandbox/coverage?format=junit');
    expect(without.text).toContain('failures="0"');
    expect(without.text).not.toContain('<failure');
  });

  it('of an unknown name are refused', async () => {
    const { client } = newWorld();
    expectError(await client.get('/_sandbox/coverage?format=html'), 400, 'validation_error');
  });
});

describe('the library', () => {
  it('has the coverage of each world, and of several', async () => {
    const [one, other] = [sandbox.world('library-1'), sandbox.world('library-2')];
    for (const { apiKey } of [one, other]) await clientOf(sandbox.url, apiKey).get('/v1/me');
    expect((await one.coverage()).operations.counts).toEqual({ getMe: 1 });
    expect(await sandbox.coverage({ worlds: 'library-*', min: 0 })).toMatchObject({
      requests: 2,
      minimum: { passed: true },
    });
  });
});
