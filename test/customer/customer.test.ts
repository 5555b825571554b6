// An integrator's own test suite, which knows the interface alone: every outcome, every refusal and every trouble, on a
// clock that stands still unless it is moved. Its coverage report says what it has left out.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSandbox, type EventType, type Sandbox } from '../../src/index.ts';
import { Backend } from './backend.ts';
import { Refused } from './voice-client.ts';

const backends: Backend[] = [];
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual' });
});
afterAll(async () => {
  for (const { endpoint } of backends) endpoint.close();
  await sandbox.close();
});

async function start(world: string, events: readonly EventType[] = [], patienceMs?: number): Promise<Backend> {
  const backend = await Backend.start(sandbox.url, world, events, patienceMs);
  backends.push(backend);
  return backend;
}

const number = (ending: string): string => `+121255501${ending}`;
const codeOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'none',
    (error) => (error instanceof Refused ? error.code : String(error)),
  );

it('the backend learns every outcome of a call from webhooks', async () => {
  const backend = await start('outcomes', [
    'call_completed',
    'call_busy',
    'call_no_answer',
    'call_voicemail',
    'call_failed',
  ]);
  const { client, endpoint } = backend;
  const expected = new Map<string, string>();
  const outcomes = {
    '00': 'COMPLETED',
    '01': 'BUSY',
    '02': 'NO_ANSWER',
    '03': 'VOICEMAIL',
    '04': 'FAILED',
    '05': 'FAILED',
    '06': 'FAILED',
  };
  for (const [ending, outcome] of Object.entries(outcomes))
    expected.set(await client.dial({ to_number: number(ending) }), outcome);
  const canceled = await client.dial({ to_number: number('00') });
  await client.ask('POST', `/v1/calls/${canceled}/hangup`);
  expected.set(canceled, 'CANCELED');
  await backend.advance('idle');
  expect(new Map(endpoint.bodies('call_completed').map(({ id, status }) => [id, status]))).toEqual(expected);
  const codes = endpoint.bodies('call_failed').map(({ failure_code }) => failure_code);
  expect(codes.sort()).toEqual(['call_declined', 'carrier_rejected', 'number_unreachable']);
  const [answered = ''] = expected.keys();
  expect((await client.ask('GET', `/v1/calls/${answered}/transcript`)).data.call_id).toBe(answered);
});

it('the backend gives up on what is refused for good, and tries the rest again', async () => {
  const backend = await start('refusals');
  const { client } = backend;
  const endings = [
    '10',
    '11',
    '12',
    '13',
    '14',
    '15',
    '16',
    '17',
    '20',
    '21',
    '22',
    '23',
    '30',
    '31',
    '32',
    '33',
    '34',
  ];
  const seen: string[] = [];
  for (const ending of endings) seen.push(await codeOf(client.dial({ to_number: number(ending) })));
  expect(seen).toEqual([
    'destination_blocked',
    'dnc_suppressed',
    'recipient_opted_out',
    'contact_automation_paused',
    'no_consent',
    'outside_call_window',
    'day_not_allowed',
    'frequency_exceeded',
    'voice_usage_exhausted',
    'no_active_subscription',
    'no_number_available',
    'rate_limited',
    'room_creation_failed',
    'agent_dispatch_failed',
    'sip_gateway_failed',
    'provider_api_error',
    'internal_error',
  ]);
  expect(client.retries).toBeGreaterThan(0);
  const to_number = number('00');
  expect(await codeOf(client.dial({}))).toBe('destination_missing');
  expect(await codeOf(client.dial({ to_number: 'nobody' }))).toBe('destination_invalid');
  expect(await codeOf(client.dial({ to_number, from_number: '+14155550192' }))).toBe('no_active_number');
  expect(await codeOf(client.dial({ to_number, from_number: '+14155550193' }))).toBe('call_id_not_verified');
  expect(await codeOf(client.dial({ to_number, from_number: 'nobody' }))).toBe('validation_error');
  const key = { 'Idempotency-Key': '6f1b8f0e-4c8a-4a57-9d1e-0d3c1f6a2b11' };
  await client.dial({ to_number }, key);
  expect(await codeOf(client.dial({ to_number: number('01') }, key))).toBe('idempotency_conflict');
  expect(await codeOf(client.ask('GET', '/v1/calls/00000000-0000-4000-8000-000000000000'))).toBe('not_found');
  const text = { to_number: number('43'), body: 'Hello' };
  expect(await codeOf(client.ask('POST', '/v1/sms/send', text))).toBe('texting_not_ready');
});

it('the backend understands the refusals that concern its key', async () => {
  const backend = await start('keys');
  for (const code of ['unauthorized', 'scope_missing', 'forbidden', 'content_policy_forbidden']) {
    const asked = backend.client.ask('GET', '/v1/me', undefined, { 'X-Sandbox-Error': code });
    expect(await codeOf(asked)).toBe(code);
  }
});

it('the backend rides out faults of the platform, with one call each time', async () => {
  const backend = await start('faults');
  const { client } = backend;
  const faults = [
    { error: 'sip_gateway_failed', when: 'before' },
    { error: 'internal_error', when: 'after' },
    { respond: { status: 502, body: '<h1>502 Bad Gateway</h1>' } },
    { respond: { status: 429, headers: { 'Retry-After': 7 } } },
    { fault: 'reset', when: 'before' },
    { fault: 'empty', when: 'after' },
    { fault: 'truncate', when: 'after' },
    { latency: '1ms' },
    { drift: ['extra_fields', 'unknown_enum', 'timestamps_offset'] },
  ];
  const calls = new Set<string>();
  for (const fault of faults) {
    await backend.sandbox.ask('PUT', '/_sandbox/faults', { ...fault, operation: 'dialCall', times: 1 });
    calls.add(await client.dial({ to_number: number('00') }));
  }
  expect(calls.size).toBe(faults.length);
  const { data } = await client.ask('GET', '/v1/calls?page_size=100');
  expect(data.filter(({ to_number }: { to_number: string }) => to_number === number('00'))).toHaveLength(faults.length);
  expect(client.retries).toBe(7);
  await client.dial({ to_number: number('35') });
  expect(client.retries).toBe(9);
});

it('the backend does not wait forever for an answer, and still makes one call', async () => {
  const backend = await start('patience', [], 100);
  await backend.sandbox.ask('PUT', '/_sandbox/faults', { fault: 'timeout', operation: 'dialCall', times: 1 });
  const call = await backend.client.dial({ to_number: number('00') });
  const { data } = await backend.sandbox.ask('GET', '/v1/calls?page_size=100');
  const made = data.filter(({ to_number }: { to_number: string }) => to_number === number('00'));
  expect(made.map(({ id }: { id: string }) => id)).toEqual([call]);
});

it('the endpoint takes each event once, whatever happens to its deliveries', async () => {
  const backend = await start('deliveries');
  const { endpoint, sandbox: control } = backend;
  await backend.subscribe('contact_created', { duplicate: 1, delay: '1s..3s' });
  await backend.subscribe('new_appointment', { reorder: 1 });
  await backend.subscribe('contact_replied', { drop: 1 });
  await backend.subscribe('number_purchased', { tamper: 1 });
  await backend.subscribe('number_released', { wrong_secret: 1 });
  const paused = await backend.subscribe('sms_sent', { paused: true });
  for (const name of ['One', 'Two']) await backend.fire('contact_created', { name });
  for (let nth = 0; nth < 2; nth++) await control.ask('POST', '/_sandbox/simulate/new-appointment', {});
  for (const type of ['contact_replied', 'number_purchased', 'number_released', 'sms_sent']) await backend.fire(type);
  await backend.advance('idle');
  expect(endpoint.bodies('contact_created').map(({ name }) => name)).toEqual(['One', 'Two']);
  expect(endpoint.bodies('new_appointment')).toHaveLength(2);
  expect(endpoint.bodies('contact_replied')).toEqual([]);
  expect(endpoint.counts).toEqual({ duplicates: 2, forged: 2 });
  expect(endpoint.bodies('sms_sent')).toEqual([]);
  await control.ask('PUT', `/_sandbox/webhook-subscriptions/${paused}`, { plan: { paused: false } });
  await backend.advance('idle');
  expect(endpoint.bodies('sms_sent')).toHaveLength(1);
});

it('the endpoint gets in the end what it has failed to take', async () => {
  const backend = await start('retries');
  const { endpoint } = backend;
  await backend.subscribe('contact_created', { retries: ['5s', '30s', '5m'] });
  await backend.subscribe('new_appointment', { retries: 'standard', timeout: { answer: '50ms' } });
  endpoint.moods.push(500, 404, 'resets');
  await backend.fire('contact_created', { name: 'Late' });
  await backend.advance('idle');
  expect(endpoint.bodies('contact_created').map(({ name }) => name)).toEqual(['Late']);
  endpoint.moods.push('hangs');
  await backend.fire('new_appointment');
  await backend.advance('idle');
  expect(endpoint.bodies('new_appointment')).toHaveLength(1);
  const { data } = await backend.sandbox.ask('GET', '/_sandbox/deliveries?event_type=contact_created');
  await backend.sandbox.ask('POST', `/_sandbox/deliveries/${data[0].id}/redeliver`);
  await backend.advance('idle');
  expect(endpoint.counts.duplicates).toBe(1);
});

it('the endpoint understands every type of event', async () => {
  const backend = await start('events');
  const { data } = await backend.sandbox.ask('GET', '/_sandbox/catalog');
  const types: string[] = data.events.map(({ event_type }: { event_type: string }) => event_type);
  for (const type of types) {
    await backend.subscribe(type);
    await backend.fire(type);
  }
  await backend.advance('idle');
  for (const type of types) expect(backend.endpoint.bodies(type).length, type).toBeGreaterThan(0);
});

it('the scheduler of the backend tries again in the morning what may not be called at night', async () => {
  const backend = await start('scheduler');
  const { client, endpoint, sandbox: control } = backend;
  await control.ask('PUT', '/_sandbox/calling-rules', { from: '11:00:00', until: '20:59:59' });
  const waiting = [number('00')];
  const dialed: string[] = [];
  endpoint.onTick = async (now) => {
    for (const to_number of waiting.splice(0)) {
      if ((await codeOf(client.dial({ to_number }))) === 'outside_call_window') waiting.push(to_number);
      else dialed.push(now);
    }
  };
  await control.ask('PUT', '/_sandbox/clock/tick', { every: '15m', url: backend.tickUrl });
  await backend.advance('2h');
  // The clock starts at 10:00 in New York.
  expect(dialed).toEqual(['2026-01-05T16:00:00.000Z']);
});

/** The operations that the suite calls, in alphabetical order; a new one is left out until it does. */
const usedOperations = [
  'createWebhookSubscription',
  'dialCall',
  'getCall',
  'getCallTranscript',
  'getMe',
  'hangupCall',
  'listCalls',
  'sendMessage',
];

it('the report of its coverage names what the suite has used, and nothing left out of the rest', async () => {
  const report = await sandbox.coverage({ worlds: 'customer-*' });
  expect(report.world_count).toBe(backends.length);
  const { operations, error_codes, event_types, call_outcomes, receiver_answers, faults, delivery_troubles } = report;
  expect(Object.keys(operations.counts).sort()).toEqual(usedOperations);
  expect(operations.not_met).toHaveLength(operations.total - usedOperations.length);
  const complete = { error_codes, event_types, call_outcomes, receiver_answers, faults, delivery_troubles };
  expect(Object.entries(complete).flatMap(([part, { not_met }]) => not_met.map((name) => `${part}: ${name}`))).toEqual(
    [],
  );
  expect(report.signatures).toEqual({ tampered: { sent: 1, accepted: 0 }, wrong_secret: { sent: 1, accepted: 0 } });
  expect(report.duplicates).toEqual({ sent: 2, accepted: 2 });
  for (const { expected, seen } of Object.values(report.retries)) expect(seen).toBeGreaterThan(expected / 2);
});
