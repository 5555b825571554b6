// Calls: `spec.md` "Calls" under "Endpoints" and "Call" under "States and transitions"; "Dial, in order" of
// `interface.md` section 3, and the rows call_fields, hangup_status, paging and transcript_absent of section 9.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../src/index.ts';
import { type Answer, type Client, clientOf, expectError, FROM } from './support/client.ts';
import { startReceiver } from './support/receiver.ts';
import { runs } from './support/thorough.ts';
import { childOf, clientWith, instant, pagesOf, START } from './support/world.ts';

let sandbox: Sandbox;
let client: Client;

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual' });
  client = clientOf(sandbox.url);
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

/** A sandbox of its own for settings that the others must not have. */
async function withSandbox(options: SandboxOptions, body: (client: Client, own: Sandbox) => Promise<void>) {
  const own = await createSandbox({ clock: 'manual', ...options });
  try {
    await body(clientOf(own.url), own);
  } finally {
    await own.close();
  }
}

const dial = (body: object | string): Promise<Answer> => client.post('/v1/calls/dial', body);

const listed = async (by: Client = client): Promise<Answer['body']> => (await by.get('/v1/calls?page_size=100')).body;

const idsOf = (page: Answer['body']): string[] => page.data.map(({ id }: { id: string }) => id);

/** How much there is to do until the world is idle; it has been done then. */
async function restOf(by: Client): Promise<Answer['body']> {
  const { body } = await by.post('/_sandbox/clock/advance', { until: 'idle' });
  return body.data.totals;
}

async function eventsAbout(id: string): Promise<{ type: string; status: string }[]> {
  const events = (await sandbox.events()).filter(({ subject }) => subject?.id === id);
  return events.map(({ event_type, payload }) => ({
    type: event_type,
    status: (payload as { status: string }).status,
  }));
}

describe('dialling', () => {
  it('answers 202 with a call id and QUEUED', async () => {
    const answer = await client.dial('+12125550100');
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({ call_id: expect.any(String), status: 'QUEUED' });
  });

  it('goes out with the caller ID that it names, on the call and in its events', async () => {
    for (const [from_number, phone_number_id] of [
      [FROM, '4190'],
      ['+14155550191', '4191'],
    ]) {
      const answer = await dial({ from_number, to_number: '+12125550101' });
      expect(answer.status).toBe(202);
      const id = answer.body.call_id;
      expect(await client.readCall(id)).toMatchObject({ from_number, phone_number_id });
      await sandbox.clock.untilIdle();
      const events = (await sandbox.events()).filter(({ subject }) => subject?.id === id);
      expect(events.map(({ payload }) => (payload as { from_number: string }).from_number)).toEqual(
        Array(4).fill(from_number),
      );
    }
  });

  it('ignores body fields that it does not know', async () => {
    const answer = await dial({ from_number: FROM, to_number: '+12125550100', campaign: 'spring', status: 'BUSY' });
    expect(answer.status).toBe(202);
    const call = await client.readCall(answer.body.call_id);
    expect(call.status).toBe('QUEUED');
    expect(call).not.toHaveProperty('campaign');
  });

  it('shows the call with every field, those of the end null', async () => {
    const id = await client.call('+12125550100');
    expect(await client.readCall(id)).toEqual({
      id,
      status: 'QUEUED',
      direction: 'outbound',
      from_number: FROM,
      to_number: '+12125550100',
      started_at: START,
      ended_at: null,
      duration_seconds: null,
      phone_number_id: '4190',
      has_recording: false,
      recording_url: null,
      has_transcript: false,
      failure_code: null,
      failure_category: null,
      call_outcome: null,
      disconnection_reason: null,
    });
  });
});

describe('the order of checks of a dial', () => {
  const services = ['911', '933', '988', '112', '999', '211', '311', '411', '511', '611', '711', '811'];
  const premium = ['+19005550123', '+12129761234', '12129761234', '2129761234', '9761234', '+19765551234'];
  const blocked = [...services, '976', ...[...services, '976'].map((digits) => `+1${digits}`), ...premium];

  const invalid = [
    'nonsense',
    '12125550100',
    '0012125550100',
    '+1 212 555 0100',
    '+1-212-555-0100',
    '+1(212)5550100',
    'tel:+12125550100',
    ' +12125550100',
    '+12125550100 ',
    '+12125550100\n',
    '+1212555010a',
    '+١٢١٢٥٥٥٠١٠٠',
    '+',
    '+1',
    '+0123456789',
    '+1212555010',
    '+121255501000',
    '+11125550100',
    '+12121550100',
    '+1234567890123456',
    '+999123456789',
    12125550100,
    911,
    0,
    true,
    false,
    {},
    [],
    ['+12125550100'],
  ];

  const valid = ['+12125550199', '+13055550100', '+19075550150', '+442079460018', '+61491570156', '+4915112345678'];

  it('asks for a destination before it looks at anything else', async () => {
    for (const to_number of [undefined, null, '']) {
      const answer = await dial({ from_number: 'nonsense', to_number });
      expectError(answer, 400, 'destination_missing');
      expect(answer.body.error.category).toBe('invalid_request');
      expect(Object.keys(answer.body.error.fields)).toEqual(['to_number']);
    }
    expectError(await client.post('/v1/calls/dial', {}), 400, 'destination_missing');
  });

  it.each(blocked)('%s is an emergency or special-service number, whatever from_number is', async (to_number) => {
    for (const from_number of [FROM, 'nonsense', undefined]) {
      const answer = await dial({ from_number, to_number });
      expectError(answer, 403, 'destination_blocked');
      expect(answer.body.error.category).toBe('compliance_block');
    }
  });

  it.each(invalid.map((to) => ({ to })))('$to is no dialable number, whatever from_number is', async ({ to }) => {
    for (const from_number of [FROM, 'nonsense', undefined]) {
      const answer = await dial({ from_number, to_number: to });
      expectError(answer, 400, 'destination_invalid');
      expect(answer.body.error.category).toBe('invalid_request');
      expect(Object.keys(answer.body.error.fields)).toEqual(['to_number']);
    }
  });

  it.each(valid)('%s is dialled', async (to_number) => {
    const id = await client.call(to_number);
    expect((await client.readCall(id)).to_number).toBe(to_number);
  });

  it.each([
    ['+4529761234', 'Denmark'],
    ['+4749761234', 'Norway'],
    ['+6589761234', 'Singapore'],
    ['+12125559761', 'New York, with these digits at its end'],
  ])('%s, an ordinary number of %s, is no 976 number', async (to_number) => {
    expect((await client.dial(to_number)).status).toBe(202);
  });

  const malformed = [
    undefined,
    null,
    '',
    'nonsense',
    '14155550190',
    '+04155550190',
    '+1 415 555 0190',
    '+14155550190 ',
    '+1415555019O',
    '+1234567890123456',
    14155550190,
    true,
    {},
    [FROM],
  ];

  it.each(malformed.map((from) => ({ from })))('from_number $from is a validation error', async ({ from }) => {
    // The destination would be refused by its scenario, which has its turn later.
    const answer = await dial({ from_number: from, to_number: '+12125550111' });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['from_number']);
    expect(answer.body.error).not.toHaveProperty('category');
    expect(answer.headers['x-sandbox-scenario']).toBeUndefined();
  });

  it.each([
    ['not owned', '+14155550199'],
    ['of a sub-entity', '+14155550194'],
    ['revoked', '+14155550195'],
    ['not verified', '+14155550193'],
    ['still provisioning', '+14155550192'],
  ])('a refusal of the scenario comes before a from_number that is %s', async (_, from_number) => {
    const answer = await dial({ from_number, to_number: '+12125550111' });
    expectError(answer, 403, 'dnc_suppressed');
    expect(answer.headers['x-sandbox-scenario']).toBe('dnc_suppressed');
  });

  it.each([
    ['not owned', '+14155550199'],
    ['abroad and not owned', '+4420'],
    ['of a sub-entity', '+14155550194'],
    ['revoked', '+14155550195'],
    ['not verified', '+14155550193'],
  ])(
    'a from_number that is %s is no verified caller ID, and the hint names the usable ones',
    async (_, from_number) => {
      const answer = await dial({ from_number, to_number: '+12125550100' });
      expectError(answer, 422, 'call_id_not_verified');
      const { category, resolution_hint } = answer.body.error;
      expect(category).toBe('invalid_request');
      expect(resolution_hint.match(/\+\d+/g)).toEqual([FROM, '+14155550191']);
    },
  );

  it('a verified number that is still provisioning is no active number', async () => {
    const answer = await dial({ from_number: '+14155550192', to_number: '+12125550100' });
    expectError(answer, 409, 'no_active_number');
    expect(answer.body.error.category).toBe('invalid_request');
  });

  it('asks whether the caller ID is verified before whether the number is active', async () => {
    const callerIds = (await client.get('/v1/caller-ids')).body.data as {
      caller_id_id: string;
      phone_number: string;
    }[];
    const callerId = callerIds.find(({ phone_number }) => phone_number === '+14155550192');
    expect((await client.delete(`/v1/caller-ids/${callerId?.caller_id_id}`)).status).toBe(200);
    expectError(await dial({ from_number: '+14155550192', to_number: '+12125550100' }), 422, 'call_id_not_verified');
  });

  it('asks whether the number is active before it looks at the capacity', async () => {
    await withSandbox({ concurrentCalls: 1 }, async (one) => {
      await one.call('+12125550100');
      const body = { from_number: '+14155550192', to_number: '+12125550100' };
      expectError(await one.post('/v1/calls/dial', body), 409, 'no_active_number');
    });
  });

  it('a dial that is refused leaves no call, no event and no step behind', async () => {
    const before = await listed();
    for (const to_number of ['', '911', 'x', '+12125550111']) await dial({ from_number: FROM, to_number });
    for (const from_number of ['x', '+14155550192', '+14155550193', '+14155550199']) {
      await dial({ from_number, to_number: '+12125550100' });
    }
    expect(await listed()).toEqual(before);
    expect(await sandbox.events()).toEqual([]);
    expect(await restOf(client)).toEqual({ steps: 0, deliveries: 0 });
  });

  it('a dial that fails before the scenario is chosen consumes nothing of a sequence', async () => {
    await client.put('/_sandbox/active-scenarios/call', { use: ['busy', 'no_answer'] });
    await dial({ from_number: FROM, to_number: '911' });
    await dial({ from_number: FROM, to_number: 'x' });
    await dial({ from_number: 'x', to_number: '+12125550100' });
    const first = await client.dial('+12125550100');
    const second = await client.dial('+12125550100');
    expect([first, second].map(({ headers }) => headers['x-sandbox-scenario'])).toEqual(['busy', 'no_answer']);
  });
});

describe('the capacity of a world', () => {
  const overCapacity = (answer: Answer): void => {
    expectError(answer, 429, 'rate_limited');
    expect(answer.body.error.category).toBe('account_limit');
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.headers['x-ratelimit-limit']).toBe('600');
  };

  it('refuses the dial that is one too many, and takes the next when a call has ended or is hung up', async () => {
    await withSandbox({ concurrentCalls: 2 }, async (two, own) => {
      const long = { 'X-Sandbox-Scenario': 'answered;ring=2s;talk=1h' };
      const first = await two.call('+12125550100', long);
      await two.call('+12125550100', { 'X-Sandbox-Scenario': 'busy;ring=2s' });
      overCapacity(await two.dial('+12125550100'));
      expect((await listed(two)).meta.total_results).toBe(9);

      await own.clock.advance('1999ms');
      overCapacity(await two.dial('+12125550100'));
      await own.clock.advance('1ms');
      await two.call('+12125550100', long);
      overCapacity(await two.dial('+12125550100'));

      await two.post(`/v1/calls/${first}/hangup`);
      await two.call('+12125550100', long);
      overCapacity(await two.dial('+12125550100'));
    });
  });

  it('is one for the organization and its sub-entities together, and another in every other world', async () => {
    await withSandbox({ concurrentCalls: 1 }, async (one, own) => {
      const child = await childOf(own.url, one);
      await one.call('+12125550100');
      const body = { from_number: '+14155550194', to_number: '+12125550100' };
      overCapacity(await child.post('/v1/calls/dial', body));
      expect((await clientOf(own.url, 'svc_test_elsewhere').dial('+12125550100')).status).toBe(202);
    });
  });

  it('is 100 calls unless it is set', async () => {
    for (let calls = 0; calls < 100; calls++) await client.call('+12125550108');
    overCapacity(await client.dial('+12125550108'));
  });

  it('has no end where it is off', async () => {
    await withSandbox({ concurrentCalls: 'off' }, async (free) => {
      for (let calls = 0; calls < 120; calls++) await free.call('+12125550108');
    });
  });
});

describe('a number with max_calls in its fixture', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringback-calls-'));
  const file = join(folder, 'narrow.yaml');
  writeFileSync(
    file,
    `organization: { name: Narrow Lane, slug: narrow-lane, plan: starter }
user: { name: Front Office, email: office@narrow.example }
phone_numbers:
  - { id: 1, phone_number: "+14155550190", created: -1d, max_calls: 2 }
  - { id: 2, phone_number: "+14155550191", created: -1d }
caller_ids:
  - { phone_number: "+14155550190", status: VERIFIED, created: -1d }
  - { phone_number: "+14155550191", status: VERIFIED, created: -1d }
`,
  );
  afterAll(() => rmSync(folder, { recursive: true }));

  it('carries that many calls at once, while a number without it carries any number', async () => {
    await withSandbox({ fixtures: file }, async (_, own) => {
      const narrow = clientOf(own.url, 'svc_test_narrow');
      const from = (from_number: string) => narrow.post('/v1/calls/dial', { from_number, to_number: '+12125550108' });
      const first = await from('+14155550190');
      const second = await from('+14155550190');
      expect([first.status, second.status]).toEqual([202, 202]);

      const third = await from('+14155550190');
      expectError(third, 429, 'no_number_available');
      expect(third.body.error.category).toBe('account_limit');
      expect(third.headers['retry-after']).toBe('1');
      for (let calls = 0; calls < 5; calls++) expect((await from('+14155550191')).status).toBe(202);

      await narrow.post(`/v1/calls/${first.body.call_id}/hangup`);
      expect((await from('+14155550190')).status).toBe(202);
      expectError(await from('+14155550190'), 429, 'no_number_available');
    });
  });
});

describe('polling a call', () => {
  const unanswered = { duration_seconds: 0, has_recording: false, recording_url: null, has_transcript: false };
  const unreachable = (failure_code: string, call_outcome: string): object => ({
    ...unanswered,
    call_outcome,
    failure_code,
    failure_category: 'unreachable',
  });
  const talked = (duration_seconds: number): object => ({
    call_outcome: 'answered',
    failure_code: null,
    failure_category: null,
    duration_seconds,
    has_recording: true,
    recording_url: expect.stringMatching(/^http:.*\.wav$/),
    has_transcript: true,
  });

  const lives: { plays: string; states: [number, string][]; end: object }[] = [
    {
      plays: 'answered;ring=3s;talk=10s',
      states: [
        [500, 'RINGING'],
        [3500, 'IN_PROGRESS'],
        [13_500, 'COMPLETED'],
      ],
      end: talked(10),
    },
    { plays: 'busy;ring=2s', states: [[2000, 'BUSY']], end: unreachable('busy', 'busy') },
    {
      plays: 'no_answer',
      states: [
        [500, 'RINGING'],
        [30_000, 'NO_ANSWER'],
      ],
      end: unreachable('no_answer', 'no_answer'),
    },
    {
      plays: 'voicemail;ring=15s;detection=3s',
      states: [
        [500, 'RINGING'],
        [15_500, 'IN_PROGRESS'],
        [18_500, 'VOICEMAIL'],
      ],
      end: {
        call_outcome: 'voicemail',
        failure_code: 'voicemail_reached',
        failure_category: 'voicemail',
        duration_seconds: 3,
      },
    },
    {
      plays: 'call_declined;ring=5s',
      states: [
        [500, 'RINGING'],
        [5500, 'FAILED'],
      ],
      end: unreachable('call_declined', 'failed'),
    },
    {
      plays: 'number_unreachable;ring=1s',
      states: [[1000, 'FAILED']],
      end: unreachable('number_unreachable', 'failed'),
    },
    { plays: 'carrier_rejected;ring=1s', states: [[1000, 'FAILED']], end: unreachable('carrier_rejected', 'failed') },
    {
      plays: 'slow_answer;ring=24s;talk=9s',
      states: [
        [500, 'RINGING'],
        [24_500, 'IN_PROGRESS'],
        [33_500, 'COMPLETED'],
      ],
      end: talked(9),
    },
    {
      plays: 'long_call;ring=2s;talk=45m',
      states: [
        [500, 'RINGING'],
        [2500, 'IN_PROGRESS'],
        [2_702_500, 'COMPLETED'],
      ],
      end: talked(2700),
    },
    {
      plays: 'dropped_call;ring=2s;talk=4500ms',
      states: [
        [500, 'RINGING'],
        [2500, 'IN_PROGRESS'],
        [7000, 'COMPLETED'],
      ],
      end: talked(4),
    },
  ];

  const nothingOfTheEnd = {
    ended_at: null,
    duration_seconds: null,
    has_recording: false,
    recording_url: null,
    has_transcript: false,
    failure_code: null,
    failure_category: null,
    call_outcome: null,
    disconnection_reason: null,
  };

  it.each(lives)('$plays: every state at its instant, the end on the call, and nothing after it', async (life) => {
    await sandbox.clock.advance('7s');
    const id = await client.call('+12125550199', { 'X-Sandbox-Scenario': life.plays });
    let now = 0;
    let status = 'QUEUED';
    for (const [at, next] of life.states) {
      await sandbox.clock.advance(`${at - now - 1}ms`);
      expect(await client.readCall(id)).toMatchObject({ status, started_at: instant(7000), ...nothingOfTheEnd });
      await sandbox.clock.advance('1ms');
      expect((await client.readCall(id)).status).toBe(next);
      now = at;
      status = next;
    }
    const ended = await client.readCall(id);
    expect(ended).toMatchObject({ ...life.end, status, started_at: instant(7000), ended_at: instant(7000 + now) });
    expect(ended.disconnection_reason).toMatch(/./);
    await sandbox.clock.advance('3d');
    expect(await client.readCall(id)).toEqual(ended);
  });

  it.each([
    ['a word', 'nope'],
    ['a UUID', '00000000-0000-4000-8000-000000000000'],
    ['the id of a number', '4190'],
    ['a control character', '%00'],
    ['something long', 'a'.repeat(500)],
  ])('an id that names no call is 404 whatever its form: %s', async (_, id) => {
    expectError(await client.get(`/v1/calls/${id}`), 404, 'not_found');
    expectError(await client.post(`/v1/calls/${id}/hangup`), 404, 'not_found');
    expectError(await client.get(`/v1/calls/${id}/transcript`), 404, 'not_found');
  });
});

describe('the list of calls', () => {
  it('is newest first, the calls of the fixture last, and its items carry no fields of the end', async () => {
    const first = await client.call('+12125550100');
    const second = await client.call('+12125550101');
    await sandbox.clock.untilIdle();
    const third = await client.call('+12125550100');
    const { data, meta } = await listed();
    expect(idsOf({ data }).slice(0, 3)).toEqual([third, second, first]);
    expect(meta).toEqual({ cursor: null, total_results: 10, page_size: 100 });
    const started = data.map((call: { started_at: string }) => call.started_at);
    expect(started).toEqual([...started].sort().reverse());
    for (const item of data) {
      const call = await client.readCall(item.id);
      const { failure_code: _, failure_category: _c, call_outcome: _o, disconnection_reason: _r, ...shared } = call;
      expect(item).toEqual(shared);
    }
  });

  it('holds 25 items a page unless page_size says otherwise', async () => {
    for (let calls = 0; calls < 20; calls++) await client.call('+12125550100');
    const first = (await client.get('/v1/calls')).body;
    expect(first.data).toHaveLength(25);
    expect(first.meta).toEqual({ cursor: expect.any(String), total_results: 27, page_size: 25 });
    const last = (await client.get(`/v1/calls?cursor=${first.meta.cursor}`)).body;
    expect(last.data).toHaveLength(2);
    expect(last.meta).toEqual({ cursor: null, total_results: 27, page_size: 25 });
  });

  it('gives no cursor where the page holds exactly what is there', async () => {
    expect((await client.get('/v1/calls?page_size=7')).body.meta.cursor).toBeNull();
    expect((await client.get('/v1/calls?page_size=6')).body.meta.cursor).toEqual(expect.any(String));
  });

  it.each(['0', '-1', '101', '1000000', '1.5', 'abc', '', 'NaN'])('page_size=%s is 400', async (size) => {
    const answer = await client.get(`/v1/calls?page_size=${size}`);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['page_size']);
  });

  it('takes page_size from 1 to 100', async () => {
    expect((await client.get('/v1/calls?page_size=1')).body.data).toHaveLength(1);
    expect((await client.get('/v1/calls?page_size=100')).body.meta.page_size).toBe(100);
  });

  it('a query parameter that it does not know is 400 and named', async () => {
    const answer = await client.get('/v1/calls?status=BUSY');
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['status']);
  });

  it('pages hold what was there when the first was read, each call once, whatever arrives meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 10 }),
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.nat(2), { minLength: 1, maxLength: 5 }),
        async (calls, pageSize, arrivals) => {
          await sandbox.reset();
          for (let made = 0; made < calls; made++) await client.call('+12125550100');
          const expected = idsOf(await listed());
          const seen: string[] = [];
          let total = calls + 7;
          for (let cursor: string | null = '', page = 0; cursor !== null; page++) {
            const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
            const { data, meta }: Answer['body'] = (await client.get(`/v1/calls?page_size=${pageSize}${from}`)).body;
            expect(meta).toEqual({ cursor: meta.cursor, total_results: total, page_size: pageSize });
            seen.push(...idsOf({ data }));
            cursor = meta.cursor;
            for (let made = 0; made < (arrivals[page] ?? 0); made++, total++) await client.call('+12125550101');
          }
          expect(seen).toEqual(expected);
        },
      ),
      { numRuns: 12 },
    );
  });

  it('a cursor of another list is 400', async () => {
    for (const event_type of ['new_call', 'call_busy']) {
      await client.post('/api/v1/webhook_subscriptions', { webhook_url: 'http://127.0.0.1:9/', event_type });
    }
    for (const path of ['/v1/agents', '/v1/caller-ids', '/v1/phone-numbers', '/api/v1/webhook_subscriptions']) {
      const { cursor } = (await client.get(`${path}?page_size=1`)).body.meta;
      const answer = await client.get(`/v1/calls?cursor=${cursor}`);
      expectError(answer, 400, 'validation_error');
      expect(Object.keys(answer.body.error.fields)).toEqual(['cursor']);
    }
  });

  it('a cursor that no list gave out is 400', async () => {
    const garbage = ['', 'x', 'AAAA', '0', '-1', 'null', 'Y2FsbHM', '%00', '%F0%9F%98%80', 'x'.repeat(300)];
    for (const cursor of garbage) {
      const answer = await client.get(`/v1/calls?cursor=${cursor}`);
      expectError(answer, 400, 'validation_error');
      expect(Object.keys(answer.body.error.fields)).toEqual(['cursor']);
    }
  });

  it('a cursor that was changed is 400', async () => {
    const { cursor } = (await client.get('/v1/calls?page_size=2')).body.meta;
    for (const changed of [`${cursor}!!`, `!${cursor}`, `${cursor}%20`, `${cursor}IHg`]) {
      expectError(await client.get(`/v1/calls?cursor=${changed}`), 400, 'validation_error');
    }
  });
});

describe('hanging up', () => {
  const hangup = (id: string): Promise<Answer> => client.post(`/v1/calls/${id}/hangup`);
  const long = { 'X-Sandbox-Scenario': 'answered;ring=3s;talk=10s' };

  const early = [
    { when: 'QUEUED', by: '0s', status: 'CANCELED', call_outcome: 'canceled', duration_seconds: 0, content: false },
    { when: 'RINGING', by: '2s', status: 'CANCELED', call_outcome: 'canceled', duration_seconds: 0, content: false },
    {
      when: 'IN_PROGRESS',
      by: '8s',
      status: 'COMPLETED',
      call_outcome: 'answered',
      duration_seconds: 4,
      content: true,
    },
  ];

  it.each(early)(
    'a call that is $when leaves it $status, with no disposition event and no later states',
    async (row) => {
      const { when, by, status, call_outcome, duration_seconds, content } = row;
      const id = await client.call('+12125550100', long);
      await sandbox.clock.advance(by);
      const before = await client.readCall(id);
      expect(before.status).toBe(when);

      const answer = await hangup(id);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ data: { call_id: id, status } });
      const ended = await client.readCall(id);
      expect(ended).toMatchObject({
        status,
        call_outcome,
        duration_seconds,
        ended_at: await sandbox.clock.now(),
        failure_code: null,
        failure_category: null,
        has_recording: content,
        has_transcript: content,
      });
      expect(await eventsAbout(id)).toEqual([
        { type: 'new_call', status: 'QUEUED' },
        { type: 'call_completed', status },
        { type: 'phone_call.ended', status },
      ]);

      expect(await restOf(client)).toEqual({ steps: 0, deliveries: 0 });
      await sandbox.clock.advance('1h');
      expect((await hangup(id)).body).toEqual(answer.body);
      expect(await client.readCall(id)).toEqual(ended);
      expect(await eventsAbout(id)).toHaveLength(3);
    },
  );

  it.each([
    ['answered', 'COMPLETED', 3],
    ['dropped_call', 'COMPLETED', 3],
    ['busy', 'BUSY', 4],
    ['no_answer', 'NO_ANSWER', 4],
    ['voicemail', 'VOICEMAIL', 4],
    ['call_declined', 'FAILED', 4],
    ['number_unreachable', 'FAILED', 4],
    ['carrier_rejected', 'FAILED', 4],
  ])('succeeds after a call that ended as %s, and changes nothing', async (scenario, status, events) => {
    const id = await client.call('+12125550199', { 'X-Sandbox-Scenario': scenario });
    await sandbox.clock.untilIdle();
    const ended = await client.readCall(id);
    await sandbox.clock.advance('1m');
    const answer = await hangup(id);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: { call_id: id, status } });
    expect(await client.readCall(id)).toEqual(ended);
    expect(await eventsAbout(id)).toHaveLength(events);
  });

  it('finds the state of its own instant: at the end of a call it has ended', async () => {
    const id = await client.call('+12125550100', { 'X-Sandbox-Scenario': 'busy;ring=2s' });
    await sandbox.clock.advance('2s');
    expect((await hangup(id)).body.data.status).toBe('BUSY');
  });

  it('ignores a body', async () => {
    const id = await client.call('+12125550100', long);
    const answer = await client.post(`/v1/calls/${id}/hangup`, { status: 'BUSY' });
    expect(answer.body).toEqual({ data: { call_id: id, status: 'CANCELED' } });
  });

  it('leaves other calls alone', async () => {
    const other = await client.call('+12125550100', long);
    await hangup(await client.call('+12125550100', long));
    await sandbox.clock.advance('4s');
    expect((await client.readCall(other)).status).toBe('IN_PROGRESS');
  });
});

describe('recordings', () => {
  async function recorded(talk = '20s'): Promise<{ id: string; recording_url: string; duration_seconds: number }> {
    const id = await client.call('+12125550100', { 'X-Sandbox-Scenario': `answered;ring=2s;talk=${talk}` });
    await sandbox.clock.untilIdle();
    return client.readCall(id);
  }

  it.each(['1s', '3s', '20s', '40m'])('recording_url of a talk of %s is a WAV that needs no key', async (talk) => {
    const { recording_url } = await recorded(talk);
    expect(recording_url).toMatch(new RegExp(`^${sandbox.url}/_sandbox/media/[\\w.-]+\\.wav$`));
    const answer = await fetch(recording_url);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('audio/wav');
    const file = Buffer.from(await answer.arrayBuffer());
    expect(answer.headers.get('content-length')).toBe(String(file.length));
    expect(file.toString('latin1', 0, 4)).toBe('RIFF');
    expect(file.readUInt32LE(4)).toBe(file.length - 8);
    expect(file.toString('latin1', 8, 16)).toBe('WAVEfmt ');
    const [format, channels] = [file.readUInt16LE(20), file.readUInt16LE(22)];
    const [samples, bytes] = [file.readUInt32LE(24), file.readUInt32LE(28)];
    const [frame, bits] = [file.readUInt16LE(32), file.readUInt16LE(34)];
    expect(format).toBe(1);
    expect(frame).toBe((channels * bits) / 8);
    expect(bytes).toBe(samples * frame);
    expect(file.toString('latin1', 36, 40)).toBe('data');
    expect(file.readUInt32LE(40)).toBe(file.length - 44);
    expect((file.length - 44) % frame).toBe(0);
    // Short, and not silent.
    expect((file.length - 44) / bytes).toBeGreaterThanOrEqual(1);
    expect((file.length - 44) / bytes).toBeLessThanOrEqual(10);
    expect(new Set(file.subarray(44)).size).toBeGreaterThan(16);
  });

  it('is the same sound whenever it is fetched, with any Authorization, and another one for another call', async () => {
    const [one, other] = [await recorded(), await recorded()];
    const sound = async (url: string, headers = {}) =>
      Buffer.from(await (await fetch(url, { headers })).arrayBuffer()).toString('base64');
    const first = await sound(one.recording_url);
    expect(await sound(one.recording_url, { Authorization: 'Bearer nonsense' })).toBe(first);
    expect(await sound(other.recording_url)).not.toBe(first);
  });

  it('a name that was tampered with is 404', async () => {
    const { recording_url } = await recorded();
    const from = recording_url.lastIndexOf('/') + 1;
    await fc.assert(
      fc.asyncProperty(
        fc.nat(recording_url.length - from - 1),
        fc.constantFrom(...'abcXYZ019_-.'),
        async (position, character) => {
          const at = from + position;
          fc.pre(recording_url[at] !== character);
          const changed = recording_url.slice(0, at) + character + recording_url.slice(at + 1);
          const answer = await fetch(changed);
          expect(answer.status, changed).toBe(404);
          expect(((await answer.json()) as Answer['body']).error.code).toBe('not_found');
        },
      ),
      { numRuns: runs(20, 60) },
    );
  });

  it('the seal of one call does not open the recording of another', async () => {
    const [one, other] = [await recorded(), await recorded()];
    const [name] = one.recording_url.split('/').at(-1)?.split('.') ?? [];
    const [, seal] = other.recording_url.split('/').at(-1)?.split('.') ?? [];
    expect((await fetch(`${sandbox.url}/_sandbox/media/${name}.${seal}.wav`)).status).toBe(404);
  });

  it('is gone with its call when the world is reset', async () => {
    const { recording_url } = await recorded();
    await sandbox.reset();
    expect((await fetch(recording_url)).status).toBe(404);
  });

  it('names the host by which the caller reached the server', async () => {
    const { id } = await recorded();
    const answer = await client.get(`/v1/calls/${id}`, { Host: 'sandbox.internal:4747' });
    expect(answer.body.data.recording_url).toMatch(/^http:\/\/sandbox\.internal:4747\/_sandbox\/media\//);
  });

  it('recording_url is null without recordings:read, while has_recording is reported', async () => {
    const { id } = await recorded();
    const narrow = clientOf(sandbox.url, 'svc_sandbox_metadata');
    expect(await narrow.readCall(id)).toMatchObject({ has_recording: true, recording_url: null, has_transcript: true });
    const items = (await listed(narrow)).data as { has_recording: boolean; recording_url: string | null }[];
    expect(items.map(({ recording_url }) => recording_url)).toEqual(items.map(() => null));
    expect(items.filter(({ has_recording }) => has_recording)).toHaveLength(3);
  });

  it('stands in the list as on the call, wherever there is a recording', async () => {
    const { id, recording_url } = await recorded();
    const { data } = await listed();
    expect(data.find((call: { id: string }) => call.id === id).recording_url).toBe(recording_url);
    for (const call of data) expect(call.recording_url !== null, call.id).toBe(call.has_recording);
  });
});

describe('transcripts', () => {
  const transcriptOf = (id: string, by: Client = client): Promise<Answer> => by.get(`/v1/calls/${id}/transcript`);

  it('say who said what and when, within the talk', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 600 }), async (ring, talk) => {
        const plays = { 'X-Sandbox-Scenario': `answered;ring=${ring}s;talk=${talk}s` };
        const id = await client.call('+12125550100', plays);
        await sandbox.clock.advance(`${ring * 1000 + 500}ms`);
        const answered = Date.parse(await sandbox.clock.now());
        await sandbox.clock.untilIdle();
        const call = await client.readCall(id);
        const answer = await transcriptOf(id);
        expect(answer.status).toBe(200);
        const { call_id, transcript, structured_transcript: turns, transcript_provider } = answer.body.data;
        expect(call_id).toBe(id);
        expect(transcript_provider).toMatch(/./);
        expect(turns.length).toBeGreaterThan(0);
        let last = answered;
        for (const { role, text, timestamp, interrupted, language } of turns) {
          expect(role).toMatch(/^(agent|user)$/);
          expect(typeof interrupted).toBe('boolean');
          expect(language).toMatch(/^[a-z]{2}(-[A-Z]{2})?$/);
          expect(transcript).toContain(text);
          expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(last);
          expect(Date.parse(timestamp)).toBeLessThan(Date.parse(call.ended_at));
          last = Date.parse(timestamp);
        }
        expect((await transcriptOf(id)).body).toEqual(answer.body);
      }),
      { numRuns: 12 },
    );
  });

  it('end where the call was hung up, the last words cut short', async () => {
    const talk = { 'X-Sandbox-Scenario': 'answered;ring=2s;talk=5m' };
    const [whole, cut] = [await client.call('+12125550100', talk), await client.call('+12125550100', talk)];
    await sandbox.clock.advance('5500ms');
    await client.post(`/v1/calls/${cut}/hangup`);
    await sandbox.clock.untilIdle();
    const all = (await transcriptOf(whole)).body.data.structured_transcript;
    const some = (await transcriptOf(cut)).body.data.structured_transcript;
    expect(some.length).toBeLessThan(all.length);
    expect(some.at(-1).interrupted).toBe(true);
    expect(some.map(({ text }: { text: string }) => text)).toEqual(
      all.slice(0, some.length).map(({ text }: { text: string }) => text),
    );
    for (const { timestamp } of some) expect(Date.parse(timestamp)).toBeLessThan(Date.parse(instant(5500)));
  });

  it('are those of the scenario that was played', async () => {
    const source = [
      'kind: call',
      'summary: A talk about the tide.',
      'extends: answered',
      'transcript:',
      '  - { role: agent, text: "High water is at noon." }',
      '  - { role: user, text: "Then I will sail at eleven." }',
      'expect:',
      '  statuses: [QUEUED, RINGING, IN_PROGRESS, COMPLETED]',
    ].join('\n');
    const put = await client.put('/_sandbox/scenarios/tide', source, { 'Content-Type': 'application/yaml' });
    expect(put.status, put.text).toBeLessThan(300);
    const id = await client.call('+12125550199', { 'X-Sandbox-Scenario': 'tide;talk=30s' });
    await sandbox.clock.untilIdle();
    const turns = (await transcriptOf(id)).body.data.structured_transcript;
    expect(turns.map(({ role, text }: { role: string; text: string }) => `${role}: ${text}`)).toEqual([
      'agent: High water is at noon.',
      'user: Then I will sail at eleven.',
    ]);
  });

  it('keep what was said when the scenario is edited, overlaid or taken away', async () => {
    const saying = (text: string) => ({
      kind: 'call',
      summary: 'One line.',
      extends: 'answered',
      transcript: [{ role: 'agent', text }],
    });
    const put = async (name: string, text: string): Promise<void> => {
      expect((await client.put(`/_sandbox/scenarios/${name}`, saying(text))).status).toBeLessThan(300);
    };
    const played = async (name: string): Promise<string> => {
      const id = await client.call('+12125550199', { 'X-Sandbox-Scenario': `${name};talk=30s` });
      await sandbox.clock.untilIdle();
      return id;
    };
    const said = async (id: string): Promise<string> => (await transcriptOf(id)).body.data.transcript;
    const bundled = await played('answered');
    const asBundled = await said(bundled);
    await put('tide', 'High water is at noon.');
    const first = await played('tide');
    await put('tide', 'High water is at one.');
    const second = await played('tide');
    await put('answered', 'Low water is at six.');
    const overlaid = await played('answered');
    expect(await said(bundled)).toBe(asBundled);
    for (const name of ['tide', 'answered']) await client.delete(`/_sandbox/scenarios/${name}`);
    expect(await Promise.all([first, second, overlaid, bundled].map(said))).toEqual([
      'agent: High water is at noon.',
      'agent: High water is at one.',
      'agent: Low water is at six.',
      asBundled,
    ]);
    expect(await said(await played('answered'))).toBe(asBundled);
  });

  it('are 404 before the end, and 200 from the instant of it', async () => {
    const id = await client.call('+12125550100', { 'X-Sandbox-Scenario': 'answered;ring=2s;talk=10s' });
    for (const by of ['0s', '1s', '2s', '9499ms']) {
      await sandbox.clock.advance(by);
      const answer = await transcriptOf(id);
      expectError(answer, 404, 'not_found');
      expect(answer.headers['x-sandbox-assumptions']).toContain('transcript_absent');
    }
    await sandbox.clock.advance('1ms');
    expect((await transcriptOf(id)).status).toBe(200);
  });

  it('are there exactly where has_transcript says so', async () => {
    for (const scenario of ['answered', 'busy', 'no_answer', 'voicemail', 'call_declined', 'dropped_call']) {
      await client.call('+12125550199', { 'X-Sandbox-Scenario': scenario });
    }
    await client.post(`/v1/calls/${await client.call('+12125550100')}/hangup`);
    await sandbox.clock.untilIdle();
    const { data } = await listed();
    const statuses = await Promise.all(data.map(async ({ id }: { id: string }) => (await transcriptOf(id)).status));
    expect(statuses).toEqual(data.map((call: { has_transcript: boolean }) => (call.has_transcript ? 200 : 404)));
    expect(new Set(statuses)).toEqual(new Set([200, 404]));
  });

  it('need transcripts:read, whether the call is there or not', async () => {
    const { data } = await listed();
    const narrow = clientOf(sandbox.url, 'svc_sandbox_metadata');
    for (const id of [data[0].id, 'nope']) {
      const answer = await transcriptOf(id, narrow);
      expectError(answer, 403, 'scope_missing');
      expect(answer.headers['www-authenticate']).toContain('scope="transcripts:read"');
    }
  });
});

describe('a content policy', () => {
  let clinic: Client;
  beforeAll(() => {
    clinic = clientOf(sandbox.url, 'svc_sandbox_hipaa');
  });

  const forbidden = (answer: Answer): void => {
    expectError(answer, 403, 'content_policy_forbidden');
    expect(answer.body.error).not.toHaveProperty('category');
  };

  it('is asked after the scope and after the 404 of an unknown call', async () => {
    const { data } = await listed(clinic);
    const narrow = await clientWith(sandbox.url, clinic, { scopes: ['calls:read', 'recordings:read'] });
    for (const id of [data[0].id, 'nope']) {
      expectError(await narrow.get(`/v1/calls/${id}/transcript`), 403, 'scope_missing');
    }
    expectError(await clinic.get('/v1/calls/nope/transcript'), 404, 'not_found');
    for (const { id } of data) forbidden(await clinic.get(`/v1/calls/${id}/transcript`));
  });

  it('leaves has_recording and has_transcript as they are, and recording_url null', async () => {
    const { data } = await listed(clinic);
    const talk = data.find((call: { has_transcript: boolean }) => call.has_transcript);
    expect(talk).toMatchObject({ status: 'COMPLETED', has_recording: true, recording_url: null });
    expect(await clinic.readCall(talk.id)).toMatchObject({ has_recording: true, recording_url: null });
    expect(data.map((call: { recording_url: unknown }) => call.recording_url)).toEqual(data.map(() => null));
  });

  it('holds for calls that are made while it runs', async () => {
    const id = await clinic.call('+12125550100');
    forbidden(await clinic.get(`/v1/calls/${id}/transcript`));
    await sandbox.world('hipaa').clock.untilIdle();
    expect(await clinic.readCall(id)).toMatchObject({
      status: 'COMPLETED',
      has_recording: true,
      recording_url: null,
      has_transcript: true,
    });
    forbidden(await clinic.get(`/v1/calls/${id}/transcript`));
    await sandbox.world('hipaa').reset();
  });

  it('does not hold elsewhere', async () => {
    const { data } = await listed();
    expect((await client.get(`/v1/calls/${data[0].id}/transcript`)).status).toBe(200);
  });
});

describe('the calls of the fixture', () => {
  it('have ended in every way that shows, with and without recording and transcript', async () => {
    const { data } = await listed();
    const calls = await Promise.all(idsOf({ data }).map((id) => client.readCall(id)));
    const rows = calls.map((call) => [
      call.to_number.slice(-3),
      call.status,
      call.call_outcome,
      call.failure_code,
      call.failure_category,
      call.duration_seconds,
      call.has_recording,
      call.has_transcript,
    ]);
    expect(rows).toEqual([
      ['176', 'COMPLETED', 'answered', null, null, 62, true, true],
      ['175', 'FAILED', 'failed', 'call_declined', 'unreachable', 0, false, false],
      ['174', 'BUSY', 'busy', 'busy', 'unreachable', 0, false, false],
      ['173', 'COMPLETED', 'answered', null, null, 41, false, false],
      ['172', 'VOICEMAIL', 'voicemail', 'voicemail_reached', 'voicemail', 4, false, false],
      ['171', 'NO_ANSWER', 'no_answer', 'no_answer', 'unreachable', 0, false, false],
      ['170', 'COMPLETED', 'answered', null, null, 95, true, true],
    ]);
    for (const { started_at, ended_at } of calls) {
      expect(Date.parse(started_at)).toBeLessThan(Date.parse(ended_at));
      expect(Date.parse(ended_at)).toBeLessThan(Date.parse(START));
    }
  });

  it('have recordings and transcripts like those of calls that were placed here', async () => {
    const { data } = await listed();
    const [call] = data;
    expect((await fetch(call.recording_url)).status).toBe(200);
    const { structured_transcript: turns } = (await client.get(`/v1/calls/${call.id}/transcript`)).body.data;
    expect(turns.length).toBeGreaterThan(1);
    for (const { timestamp } of turns) {
      expect(Date.parse(timestamp)).toBeGreaterThan(Date.parse(call.started_at));
      expect(Date.parse(timestamp)).toBeLessThan(Date.parse(call.ended_at));
    }
  });

  it('have emitted nothing, and nothing of them is pending', async () => {
    expect(await sandbox.events()).toEqual([]);
    expect((await client.get('/_sandbox/clock')).body.data.pending).toBe(0);
  });
});

describe('the calls of a sub-entity', () => {
  let child: Client;
  beforeEach(async () => {
    child = await childOf(sandbox.url, client);
  });

  const childDial = (from_number: string): Promise<Answer> =>
    child.post('/v1/calls/dial', { from_number, to_number: '+12125550100' });

  it('are placed from its own numbers alone', async () => {
    const placed = await childDial('+14155550194');
    expect(placed.status).toBe(202);
    expect((await child.readCall(placed.body.call_id)).phone_number_id).toBe('4194');
    const refused = await childDial(FROM);
    expectError(refused, 422, 'call_id_not_verified');
    expect(refused.body.error.resolution_hint.match(/\+\d+/g)).toEqual(['+14155550194']);
  });

  it('are not seen by the parent, nor the other way round', async () => {
    const own = (await childDial('+14155550194')).body.call_id;
    const above = await client.call('+12125550100');
    await sandbox.clock.untilIdle();
    const [childs, parents] = [await listed(child), await listed()];
    expect(childs.meta.total_results).toBe(2);
    expect(parents.meta.total_results).toBe(8);
    expect(idsOf(childs)[0]).toBe(own);
    expect(idsOf(parents)[0]).toBe(above);
    expect(idsOf(parents).filter((id) => idsOf(childs).includes(id))).toEqual([]);

    for (const [by, ids] of [
      [client, idsOf(childs)],
      [child, idsOf(parents)],
    ] as const) {
      for (const id of ids) {
        expectError(await by.get(`/v1/calls/${id}`), 404, 'not_found');
        expectError(await by.post(`/v1/calls/${id}/hangup`), 404, 'not_found');
        expectError(await by.get(`/v1/calls/${id}/transcript`), 404, 'not_found');
      }
    }
    expect(idsOf({ data: (await pagesOf(child, '/v1/calls', 1)).flatMap(({ data }) => data) })).toEqual(idsOf(childs));
  });

  it('cannot be hung up by the parent, nor the other way round', async () => {
    const own = (await childDial('+14155550194')).body.call_id;
    const above = await client.call('+12125550100');
    await client.post(`/v1/calls/${own}/hangup`);
    await child.post(`/v1/calls/${above}/hangup`);
    expect((await child.readCall(own)).status).toBe('QUEUED');
    expect((await client.readCall(above)).status).toBe('QUEUED');
  });

  it('include a finished one of the fixture, with recording and transcript', async () => {
    const { data } = await listed(child);
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({ status: 'COMPLETED', from_number: '+14155550194', has_recording: true });
    expect((await fetch(data[0].recording_url)).status).toBe(200);
    expect((await child.get(`/v1/calls/${data[0].id}/transcript`)).status).toBe(200);
  });

  it("reach the sub-entity's subscriptions alone, and the parent's calls the parent's alone", async () => {
    const receiver = await startReceiver();
    try {
      for (const [by, path] of [
        [client, 'parent'],
        [child, 'child'],
      ] as const) {
        for (const event_type of ['new_call', 'call_completed', 'phone_call.ended']) {
          const body = { webhook_url: `${receiver.url}/${path}`, event_type };
          expect((await by.post('/api/v1/webhook_subscriptions', body)).status).toBe(201);
        }
      }
      const own = (await childDial('+14155550194')).body.call_id;
      const above = await client.call('+12125550100');
      await sandbox.clock.untilIdle();
      const heard = (path: string) => receiver.got.filter((each) => each.path === path).map(({ body }) => body.id);
      expect(heard('/child')).toEqual([own, own, own]);
      expect(heard('/parent')).toEqual([above, above, above]);
    } finally {
      await receiver.close();
    }
  });
});
