// Jobs: outbound campaigns (`spec.md` "What the service does", "Versioning"; the ledger's jobs, job_states and
// job_dialling), their events, and what pauses, keeps back and ends them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, destinationFor, type Sandbox } from '../src/index.ts';
import { type Answer, type Client, clientOf, expectError, FROM } from './support/client.ts';
import { temporaryFolders } from './support/folders.ts';
import { listening } from './support/listening.ts';
import { agentsOf, JOBS, jobOf, oneLine, ordinaryNumbers, start } from './support/outbound.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { thorough } from './support/thorough.ts';
import { subscribe } from './support/webhooks.ts';
import { childOf, instant, pagesOf } from './support/world.ts';

const folderOf = temporaryFolders();

let sandbox: Sandbox;
let client: Client;
let receiver: Receiver;

listening({ clock: 'manual', rateLimit: 'off' }, (made) => {
  ({ sandbox, client, receiver } = made);
});

type Record_ = Answer['body'];

const OUTCOMES = { answered: 0, busy: 0, no_answer: 0, voicemail: 0, failed: 0, canceled: 0, refused: 0 };
const NOWHERE = '00000000-0000-4000-8000-000000000000';

const playing = (use: string) => client.put('/_sandbox/active-scenarios/call', { use });
/** Calls that this test has caused, oldest first: those of the fixture come before the start. */
const callsOf = async (by: Client = client): Promise<Record_[]> => {
  const pages = await pagesOf(by, '/v1/calls', 100);
  return pages
    .flatMap(({ data }) => data)
    .filter(({ started_at }: Record_) => started_at >= instant(0))
    .reverse();
};
const inProgress = async (by: Client = client): Promise<number> =>
  (await callsOf(by)).filter(({ ended_at }) => ended_at === null).length;
const finished = async (by: Client = client): Promise<Record_[]> => {
  const { data } = (await by.get('/_sandbox/events?event_type=workflow_contact_completed&page_size=1000')).body;
  return data.map(({ payload }: Record_) => payload).reverse();
};
const advanceTo = async (to: string, by: Client = client): Promise<void> => {
  const answer = await by.post('/_sandbox/clock/advance', { to });
  expect(answer.status, answer.text).toBe(200);
};
const contact = async (body: object): Promise<string> => {
  const answer = await client.post('/_sandbox/simulate/new-contact', body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data.id;
};

describe('making a job', () => {
  it('answers it queued, with everything about it and its whole list pending', async () => {
    const [, agent_id] = await agentsOf(client);
    const answer = await client.post(JOBS, {
      name: 'Recall',
      agent_id,
      to_numbers: ordinaryNumbers(3),
      from_number: FROM,
      concurrency: 2,
    });
    expect(answer.status).toBe(201);
    expect(answer.headers['x-sandbox-scenario']).toBe('job_runs');
    expect(answer.headers['x-sandbox-assumptions']).toContain('jobs');
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Recall',
      status: 'queued',
      agent_id,
      from_number: FROM,
      concurrency: 2,
      progress: { total: 3, pending: 3, in_progress: 0, completed: 0, outcomes: OUTCOMES },
      created_at: instant(0),
      started_at: null,
      ended_at: null,
    });
    expect(await jobOf(client, answer.body.data.id)).toEqual(answer.body.data);
    expect(await callsOf()).toEqual([]);
  });

  it("takes five lines and the agent's own number unless it is told otherwise", async () => {
    for (const nothing of [{}, { name: null, from_number: null }]) {
      expect(await start(client, { to_numbers: ordinaryNumbers(1), ...nothing })).toMatchObject({
        name: null,
        from_number: '+14155550191',
        concurrency: 5,
      });
    }
  });

  it('calls as soon as it runs, with that agent, from that number', async () => {
    await playing('answered;ring=2s;talk=20s');
    const [to] = ordinaryNumbers(1);
    const { id, agent_id } = await start(client, { to_numbers: [to] });
    await sandbox.clock.advance('1s');
    expect(await jobOf(client, id)).toMatchObject({ status: 'running', started_at: instant(1000), ended_at: null });
    await sandbox.clock.untilIdle();
    const [call] = await callsOf();
    expect(call).toMatchObject({
      from_number: '+14155550191',
      to_number: to,
      direction: 'outbound',
      status: 'COMPLETED',
      started_at: instant(1000),
    });
    const { greeting } = (await client.get(`/v1/agents/${agent_id}`)).body.data;
    const { structured_transcript } = (await client.get(`/v1/calls/${call.id}/transcript`)).body.data;
    expect(structured_transcript.find(({ role }: Record_) => role === 'agent').text).toBe(greeting);
  });

  it('begins when its scenario says so', async () => {
    const headers = { 'X-Sandbox-Scenario': 'job_runs;wait=1h' };
    const { id } = await start(client, { to_numbers: ordinaryNumbers(1) }, headers);
    await sandbox.clock.advance('59m');
    expect((await jobOf(client, id)).status).toBe('queued');
    await sandbox.clock.advance('1m');
    expect((await jobOf(client, id)).started_at).toBe(instant(3_600_000));
  });

  it.each<[what: string, body: object, status: number, code: string, fields: string[]]>([
    ['no agent', { agent_id: undefined }, 400, 'validation_error', ['agent_id']],
    ['an agent that is no UUID', { agent_id: 'nope' }, 400, 'validation_error', ['agent_id']],
    ['an agent of nobody', { agent_id: NOWHERE }, 404, 'not_found', ['agent_id']],
    ['no list', { to_numbers: undefined }, 400, 'validation_error', ['contact_ids']],
    ['two lists', { contact_ids: [NOWHERE] }, 400, 'validation_error', ['contact_ids']],
    ['an empty list', { to_numbers: [] }, 400, 'validation_error', ['to_numbers']],
    ['a number that is none', { to_numbers: ['+12125550100', '911'] }, 400, 'validation_error', ['to_numbers.1']],
    ['a number twice', { to_numbers: ['+12125550100', '+12125550100'] }, 400, 'validation_error', ['to_numbers']],
    [
      'a contact that is no UUID',
      { to_numbers: undefined, contact_ids: ['nope'] },
      400,
      'validation_error',
      ['contact_ids.0'],
    ],
    ['a contact of nobody', { to_numbers: undefined, contact_ids: [NOWHERE] }, 404, 'not_found', ['contact_ids.0']],
    ['no lines', { concurrency: 0 }, 400, 'validation_error', ['concurrency']],
    ['too many lines', { concurrency: 101 }, 400, 'validation_error', ['concurrency']],
    ['a name that is too long', { name: 'x'.repeat(256) }, 400, 'validation_error', ['name']],
    ['a caller ID that is no number', { from_number: '190' }, 400, 'validation_error', ['from_number']],
    ['a caller ID that is not verified', { from_number: '+14155550193' }, 422, 'call_id_not_verified', ['from_number']],
    ['a caller ID of nobody', { from_number: '+14155550188' }, 422, 'call_id_not_verified', ['from_number']],
  ])('with %s is refused, and none is made', async (_, body, status, code, fields) => {
    const [, agent_id] = await agentsOf(client);
    const answer = await client.post(JOBS, { agent_id, to_numbers: ['+12125550100'], ...body });
    expectError(answer, status, code);
    expect(Object.keys(answer.body.error.fields)).toEqual(fields);
    expect((await client.get(JOBS)).body.meta.total_results).toBe(0);
  });

  it('with more than 5000 numbers is 400', async () => {
    const [, agent_id] = await agentsOf(client);
    const answer = await client.post(JOBS, { agent_id, to_numbers: ordinaryNumbers(5001) });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['to_numbers']);
  });

  it.runIf(thorough)('that would bring the lists of a world over 100,000 contacts is 409, and makes none', async () => {
    const to_numbers = ordinaryNumbers(5000);
    for (let listed = 0; listed < 100_000; listed += 5000) await start(client, { to_numbers });
    const [, agent_id] = await agentsOf(client);
    const answer = await client.post(JOBS, { agent_id, to_numbers: ordinaryNumbers(1) });
    expectError(answer, 409, 'conflict');
    expect(answer.body.error.message).toContain('100000');
    expect((await client.get(JOBS)).body.meta.total_results).toBe(20);
    await sandbox.reset();
    await start(client, { to_numbers: ordinaryNumbers(1) });
  });

  it('from a number that is still being provisioned is 409 no_active_number', async () => {
    const [, agent_id] = await agentsOf(client);
    const body = { agent_id, to_numbers: ['+12125550100'], from_number: '+14155550192' };
    const answer = await client.post(JOBS, body);
    expectError(answer, 409, 'no_active_number');
    // A job is no call, so that its errors carry no category, not even those that are asked for.
    expect(answer.body.error).not.toHaveProperty('category');
    const asked = await client.post(JOBS, body, { 'X-Sandbox-Error': 'provider_api_error' });
    expectError(asked, 502, 'provider_api_error');
    expect(asked.body.error).not.toHaveProperty('category');
  });

  it('with a disabled agent is 409, naming the state and what is allowed', async () => {
    const [, agent_id] = await agentsOf(client);
    await client.patch(`/v1/agents/${agent_id}`, { enabled: false });
    const answer = await client.post(JOBS, { agent_id, to_numbers: ['+12125550100'] });
    expectError(answer, 409, 'conflict');
    expect(answer.body.error.message).toMatch(/disabled.*enabled/);
  });

  it('ignores fields that it does not know', async () => {
    expect(await start(client, { to_numbers: ordinaryNumbers(1), colour: 'blue' })).not.toHaveProperty('colour');
  });
});

describe('a running job', () => {
  it('comes through its list in its order, one call a line, and is completed with the last', async () => {
    await playing('answered;ring=2s;talk=8s');
    const numbers = ordinaryNumbers(7);
    const { id } = await start(client, { to_numbers: numbers, concurrency: 3 });
    const seen: [number, number][] = [];
    for (const second of [1, 11, 12, 22, 33]) {
      await advanceTo(instant(second * 1000));
      seen.push([second, await inProgress()]);
      expect((await jobOf(client, id)).progress.in_progress).toBe(await inProgress());
    }
    expect(seen).toEqual([
      [1, 3],
      [11, 3],
      [12, 3],
      [22, 1],
      [33, 0],
    ]);
    expect((await callsOf()).map(({ to_number }) => to_number)).toEqual(numbers);
    expect(await jobOf(client, id)).toMatchObject({
      status: 'completed',
      ended_at: instant(32_500),
      progress: { total: 7, pending: 0, in_progress: 0, completed: 7, outcomes: { ...OUTCOMES, answered: 7 } },
    });
  });

  it('counts every outcome, and tells of each contact once, when its call is over', async () => {
    await subscribe(client, receiver.url, 'phone_call.ended', 'workflow_contact_completed');
    const scenarios = ['answered', 'busy', 'no_answer', 'voicemail', 'call_declined', 'dnc_suppressed'] as const;
    const { id } = await start(client, { to_numbers: scenarios.map((each) => destinationFor(each)), concurrency: 6 });
    await sandbox.clock.untilIdle();
    expect(await jobOf(client, id)).toMatchObject({
      status: 'completed',
      progress: {
        total: 6,
        completed: 6,
        outcomes: { ...OUTCOMES, answered: 1, busy: 1, no_answer: 1, voicemail: 1, failed: 1, refused: 1 },
      },
    });
    const calls = new Map((await callsOf()).map((call) => [call.to_number, call]));
    const told = receiver.got.map(({ body }) => body).filter((body) => 'job_id' in body);
    const expected = {
      answered: ['answered', null],
      busy: ['busy', 'busy'],
      no_answer: ['no_answer', 'no_answer'],
      voicemail: ['voicemail', 'voicemail_reached'],
      call_declined: ['failed', 'call_declined'],
      dnc_suppressed: ['refused', 'dnc_suppressed'],
    };
    expect(told).toHaveLength(6);
    for (const scenario of scenarios) {
      const [outcome, failure_code] = expected[scenario];
      const phone_number = destinationFor(scenario);
      const call = calls.get(phone_number);
      expect(told.find((body) => body.phone_number === phone_number)).toEqual({
        job_id: id,
        contact_id: null,
        phone_number,
        outcome,
        call_id: call?.id ?? null,
        failure_code,
        created_at: call?.ended_at ?? instant(1000),
      });
    }
    expect(calls.size).toBe(5);
    // The receiver hears of a contact behind the end of its call.
    const heard = receiver.got.map(({ body }) => [body.id ?? body.call_id, 'job_id' in body ? 'contact' : 'call']);
    for (const { id: call } of calls.values()) {
      expect(heard.filter(([about]) => about === call).map(([, what]) => what)).toEqual(['call', 'contact']);
    }
  });

  it('calls contacts by their numbers and names them in the event', async () => {
    const ids = [await contact({ phone_number: '+12125550100' }), await contact({ phone_number: '+12125550101' })];
    const { id } = await start(client, { contact_ids: ids });
    await sandbox.clock.untilIdle();
    const told = await finished();
    expect(told.map(({ contact_id }) => contact_id).sort()).toEqual([...ids].sort());
    expect(told.find(({ contact_id }) => contact_id === ids[1])).toMatchObject({ job_id: id, outcome: 'busy' });
  });

  it('finishes a contact without a number as refused, with destination_missing, and calls the others', async () => {
    const ids = [await contact({ phone_number: null }), await contact({ phone_number: '+12125550100' })];
    const { id } = await start(client, { contact_ids: ids });
    await sandbox.clock.untilIdle();
    expect((await finished())[0]).toMatchObject({
      contact_id: ids[0],
      phone_number: null,
      outcome: 'refused',
      call_id: null,
      failure_code: 'destination_missing',
    });
    expect((await jobOf(client, id)).progress.outcomes).toEqual({ ...OUTCOMES, answered: 1, refused: 1 });
  });

  it.each([
    ['+19005550123', 'destination_blocked'],
    ['+1415', 'destination_invalid'],
  ])('finishes %s as refused with %s, as a dial would', async (to, code) => {
    await start(client, { to_numbers: [to] });
    await sandbox.clock.untilIdle();
    expect((await finished()).map(({ outcome, failure_code }) => [outcome, failure_code])).toEqual([['refused', code]]);
    expect(await callsOf()).toEqual([]);
  });

  it('plays active scenarios in the order of its calls', async () => {
    await client.put('/_sandbox/active-scenarios/call', { use: ['busy', 'no_answer', 'voicemail'] });
    await start(client, { to_numbers: ordinaryNumbers(4), concurrency: 1 });
    await sandbox.clock.untilIdle();
    expect((await finished()).map(({ outcome }) => outcome)).toEqual(['busy', 'no_answer', 'voicemail', 'answered']);
  });

  it('counts a call that someone hangs up, and goes on with the next at that instant', async () => {
    await playing('answered;ring=2s;talk=10m');
    const { id } = await start(client, { to_numbers: ordinaryNumbers(2), concurrency: 1 });
    await sandbox.clock.advance('2s');
    const [first] = await callsOf();
    await client.post(`/v1/calls/${first.id}/hangup`);
    expect((await finished()).map(({ outcome, call_id }) => [outcome, call_id])).toEqual([['canceled', first.id]]);
    expect((await jobOf(client, id)).progress).toMatchObject({ in_progress: 1, completed: 1 });
    expect((await callsOf())[1].started_at).toBe(instant(2000));
  });

  it('uses what was changed on its agent meanwhile', async () => {
    await playing('answered;ring=2s;talk=20s');
    const { agent_id } = await start(client, { to_numbers: ordinaryNumbers(2), concurrency: 1 });
    await sandbox.clock.advance('3s');
    await client.patch(`/v1/agents/${agent_id}`, { greeting: 'Another greeting.' });
    await sandbox.clock.untilIdle();
    const texts = await Promise.all(
      (await callsOf()).map(async ({ id }) => (await client.get(`/v1/calls/${id}/transcript`)).body.data.transcript),
    );
    expect(texts.map((text: string) => text.includes('Another greeting.'))).toEqual([false, true]);
  });

  it.each<[what: string, code: string, change: (agent: string) => Promise<unknown>]>([
    ['its agent is disabled', 'conflict', (agent) => client.patch(`/v1/agents/${agent}`, { enabled: false })],
    [
      'its caller ID is revoked',
      'call_id_not_verified',
      async () => {
        const { data } = (await client.get('/v1/caller-ids')).body;
        const { caller_id_id } = data.find((each: Record_) => each.phone_number === '+14155550191');
        return client.delete(`/v1/caller-ids/${caller_id_id}`);
      },
    ],
  ])('places no further call once %s', async (_, code, change) => {
    await playing('answered;ring=2s;talk=20s');
    const { id, agent_id } = await start(client, { to_numbers: ordinaryNumbers(3), concurrency: 1 });
    await sandbox.clock.advance('3s');
    await change(agent_id);
    await sandbox.clock.untilIdle();
    expect((await finished()).map(({ outcome, failure_code }) => [outcome, failure_code])).toEqual([
      ['answered', null],
      ['refused', code],
      ['refused', code],
    ]);
    expect((await jobOf(client, id)).status).toBe('completed');
  });

  it('that has a list of refusals alone is completed, in turns of a bounded length', async () => {
    const numbers = Array.from({ length: 250 }, (_, index) => `+1${300 + index}5550111`).filter(
      (number) => !/^\+1.11/.test(number),
    );
    const { id } = await start(client, { to_numbers: numbers });
    await sandbox.clock.untilIdle();
    expect(await jobOf(client, id)).toMatchObject({
      status: 'completed',
      progress: { outcomes: { ...OUTCOMES, refused: numbers.length } },
    });
    expect(await finished()).toHaveLength(numbers.length);
  });
});

describe('what keeps a job back', () => {
  it('is the capacity of the account: it waits for a free line and never takes one too many', async () => {
    await playing('answered;ring=2s;talk=8s');
    await client.put('/_sandbox/assumptions/concurrent_calls', { value: 2 });
    await client.call('+12125550199');
    const { id } = await start(client, { to_numbers: ordinaryNumbers(4), concurrency: 4 });
    for (let second = 1; second <= 40; second++) {
      await sandbox.clock.advance('1s');
      expect(await inProgress()).toBeLessThanOrEqual(2);
    }
    await client.put('/_sandbox/assumptions/concurrent_calls', { value: 100 });
    expect(await jobOf(client, id)).toMatchObject({
      status: 'completed',
      progress: { outcomes: { ...OUTCOMES, answered: 4 } },
    });
    // The dialled call holds one of the two lines until 10.5 s; the job has looked every second.
    expect((await callsOf()).slice(1).map(({ started_at }) => started_at)).toEqual(
      [1000, 11_000, 11_500, 21_500].map(instant),
    );
  });

  it.runIf(thorough)('is a call without an end: no advance comes to rest, and it says what keeps it up', async () => {
    const endless = { kind: 'call', summary: 'Rings for ever.', timeline: [{ after: '1s', trigger: 'ring' }] };
    expect((await client.put('/_sandbox/scenarios/endless', endless)).status).toBe(201);
    await client.put('/_sandbox/assumptions/concurrent_calls', { value: 1 });
    const call = await client.call('+12125550199', { 'X-Sandbox-Scenario': 'endless' });
    const { id } = await start(client, { to_numbers: ordinaryNumbers(1) });
    const answer = await client.post('/_sandbox/clock/advance', { until: 'idle' });
    expectError(answer, 409, 'conflict');
    expect(answer.body.error.message).toContain(`call_next_contact of jobs ${id}`);
    await client.post(`/v1/calls/${call}/hangup`);
    expect((await sandbox.clock.untilIdle()).complete).toBe(true);
    expect((await jobOf(client, id)).status).toBe('completed');
    await client.put('/_sandbox/assumptions/concurrent_calls', { value: 100 });
    await client.delete('/_sandbox/scenarios/endless');
  });

  it('is the number itself, where it carries so many calls', async () => {
    const own = await createSandbox({ clock: 'manual', fixtures: folderOf({ 'default.yaml': oneLine }) });
    try {
      const by = clientOf(own.url, 'svc_one');
      await by.put('/_sandbox/active-scenarios/call', { use: 'busy;ring=2s' });
      const { id } = await start(by, { to_numbers: ordinaryNumbers(3) });
      for (let second = 1; second <= 7; second++) {
        await own.clock.advance('1s');
        expect(await inProgress(by)).toBeLessThanOrEqual(1);
      }
      expect(await jobOf(by, id)).toMatchObject({ status: 'completed', progress: { outcomes: { busy: 3 } } });
    } finally {
      await own.close();
    }
  });

  it.each([
    ['a provider that fails twice is tried a third time', 'flaky_provider', ['answered', null], 121_000],
    [
      'a provider that always fails is given up after three tries',
      'room_creation_failed',
      ['refused', 'room_creation_failed'],
      121_000,
    ],
    ['an opt-out is not tried again', 'recipient_opted_out', ['refused', 'recipient_opted_out'], 1000],
  ] as const)('may pass: %s', async (_, scenario, [outcome, failure_code], at) => {
    await start(client, { to_numbers: [destinationFor(scenario)] });
    await sandbox.clock.untilIdle();
    const [told] = await finished();
    expect(told).toMatchObject({ outcome, failure_code });
    const [call] = await callsOf();
    expect(call?.started_at ?? told.created_at).toBe(instant(at));
  });

  describe('in a world with calling rules', () => {
    let world: Client;
    beforeEach(async () => {
      await sandbox.world('regulated').reset();
      world = clientOf(sandbox.url, 'svc_sandbox_regulated');
      await world.put('/_sandbox/active-scenarios/call', { use: 'answered;ring=2s;talk=8s' });
    });
    const idle = (): Promise<unknown> => sandbox.world('regulated').clock.untilIdle();
    const setTo = (at: string): Promise<unknown> => advanceTo(at, world);

    it.each([
      ['+12125550170', 'dnc_suppressed'],
      ['+12125550171', 'recipient_opted_out'],
      ['+12125550172', 'no_consent'],
      ['+12125550173', 'contact_automation_paused'],
    ])('%s is not called: %s', async (to, code) => {
      const { id } = await start(world, { to_numbers: [to, '+12125550174'] });
      await idle();
      expect((await finished(world)).find(({ phone_number }) => phone_number === to)).toMatchObject({
        outcome: 'refused',
        failure_code: code,
      });
      expect((await callsOf(world)).map(({ to_number }) => to_number)).toEqual(['+12125550174']);
      expect((await jobOf(world, id)).progress.outcomes).toEqual({ ...OUTCOMES, answered: 1, refused: 1 });
    });

    it('is the window at the destination: it calls when it opens, each in its own zone', async () => {
      // Monday, 23:30 in New York and 20:30 in Los Angeles.
      await setTo('2026-01-06T04:30:00.000Z');
      const { id } = await start(world, { to_numbers: ['+12125550174', '+12135550174'], concurrency: 1 });
      await sandbox.world('regulated').clock.advance('1m');
      expect((await jobOf(world, id)).progress).toMatchObject({ pending: 1, completed: 1 });
      await idle();
      expect((await callsOf(world)).map(({ to_number, started_at }) => [to_number, started_at])).toEqual([
        ['+12135550174', '2026-01-06T04:30:01.000Z'],
        ['+12125550174', '2026-01-06T13:00:00.000Z'],
      ]);
    });

    it('is the day: Sunday waits for Monday morning', async () => {
      await setTo('2026-01-11T15:00:00.000Z');
      await start(world, { to_numbers: ['+12125550174'] });
      await idle();
      expect((await callsOf(world))[0].started_at).toBe('2026-01-12T13:00:00.000Z');
    });

    it('is the calls of a day: the fourth comes on the morning after', async () => {
      for (let n = 0; n < 3; n++) await world.call('+12125550174');
      await idle();
      const { id } = await start(world, { to_numbers: ['+12125550174'] });
      await idle();
      expect((await callsOf(world)).at(-1)?.started_at).toBe('2026-01-06T13:00:00.000Z');
      expect((await jobOf(world, id)).status).toBe('completed');
    });

    it('counts its own calls to a number, and waits for no line by using them up', async () => {
      await world.put('/_sandbox/assumptions/concurrent_calls', { value: 1 });
      await world.put('/_sandbox/active-scenarios/call', { use: 'answered;ring=2s;talk=30s' });
      await world.call('+12125550175');
      await start(world, { to_numbers: ['+12125550174'] });
      await idle();
      await world.put('/_sandbox/assumptions/concurrent_calls', { value: 100 });
      // One call was placed: two more are left.
      expect((await world.dial('+12125550174')).status).toBe(202);
      expect((await world.dial('+12125550174')).status).toBe(202);
      expectError(await world.dial('+12125550174'), 429, 'frequency_exceeded');
    });

    it('a job that is canceled calls nobody who was kept back', async () => {
      await setTo('2026-01-06T04:30:00.000Z');
      const { id } = await start(world, { to_numbers: ['+12125550174'] });
      await sandbox.world('regulated').clock.advance('1m');
      await world.post(`${JOBS}/${id}/cancel`);
      expect((await world.get('/_sandbox/clock')).body.data.pending).toBe(0);
      await sandbox.world('regulated').clock.advance('1d');
      expect(await callsOf(world)).toEqual([]);
    });

    it('a job that is paused over the opening of the window calls when it is resumed', async () => {
      await setTo('2026-01-06T04:30:00.000Z');
      const { id } = await start(world, { to_numbers: ['+12125550174'] });
      await sandbox.world('regulated').clock.advance('1m');
      await world.post(`${JOBS}/${id}/pause`);
      await setTo('2026-01-06T14:00:00.000Z');
      expect(await callsOf(world)).toEqual([]);
      await world.post(`${JOBS}/${id}/resume`);
      await idle();
      expect((await callsOf(world))[0].started_at).toBe('2026-01-06T14:00:00.000Z');
    });
  });
});

describe('pausing, resuming and canceling', () => {
  beforeEach(() => playing('answered;ring=2s;talk=8s'));
  const act = (id: string, action: string): Promise<Answer> => client.post(`${JOBS}/${id}/${action}`);

  it('a paused job lets its calls go on and places no other, until it is resumed', async () => {
    const { id } = await start(client, { to_numbers: ordinaryNumbers(4), concurrency: 2 });
    await sandbox.clock.advance('2s');
    const paused = await act(id, 'pause');
    expect(paused.status).toBe(200);
    expect(paused.body.data).toMatchObject({ id, status: 'paused', progress: { pending: 2, in_progress: 2 } });
    await sandbox.clock.advance('1h');
    expect(await jobOf(client, id)).toMatchObject({
      status: 'paused',
      progress: { pending: 2, in_progress: 0, completed: 2 },
      ended_at: null,
    });
    expect(await callsOf()).toHaveLength(2);
    expect((await act(id, 'resume')).body.data.status).toBe('running');
    await sandbox.clock.untilIdle();
    const at = 3_602_000;
    expect((await callsOf()).slice(2).map(({ started_at }) => started_at)).toEqual([instant(at), instant(at)]);
    expect(await jobOf(client, id)).toMatchObject({ status: 'completed', started_at: instant(1000) });
  });

  it('a job that was paused before it began begins when it is resumed', async () => {
    const { id } = await start(client, { to_numbers: ordinaryNumbers(1) });
    await act(id, 'pause');
    await sandbox.clock.advance('1m');
    expect(await callsOf()).toEqual([]);
    expect((await act(id, 'resume')).body.data).toMatchObject({ status: 'running', started_at: instant(60_000) });
    await sandbox.clock.untilIdle();
    expect((await jobOf(client, id)).status).toBe('completed');
  });

  it('a job whose last call ends while it is paused is completed when it is resumed', async () => {
    const { id } = await start(client, { to_numbers: ordinaryNumbers(1) });
    await sandbox.clock.advance('2s');
    await act(id, 'pause');
    await sandbox.clock.advance('1m');
    expect((await jobOf(client, id)).status).toBe('paused');
    await act(id, 'resume');
    await sandbox.clock.advance('0s');
    expect((await jobOf(client, id)).status).toBe('completed');
  });

  it('a canceled job lets its calls go on and tells of them, and of nobody whom it never called', async () => {
    const { id } = await start(client, { to_numbers: ordinaryNumbers(4), concurrency: 2 });
    await sandbox.clock.advance('2s');
    const canceled = await act(id, 'cancel');
    expect(canceled.body.data).toMatchObject({ status: 'canceled', ended_at: instant(2000) });
    await sandbox.clock.untilIdle();
    expect(await finished()).toHaveLength(2);
    expect((await jobOf(client, id)).progress).toMatchObject({ pending: 2, in_progress: 0, completed: 2 });
    expect(await callsOf()).toHaveLength(2);
  });

  const states: Record<string, (id: string) => Promise<unknown>> = {
    queued: async () => {},
    running: () => sandbox.clock.advance('2s'),
    paused: (id) => act(id, 'pause'),
    completed: () => sandbox.clock.untilIdle(),
    canceled: (id) => act(id, 'cancel'),
  };
  const allowed: Record<string, readonly string[]> = {
    pause: ['queued', 'running'],
    resume: ['paused'],
    cancel: ['queued', 'running', 'paused'],
  };
  const cases = Object.keys(allowed).flatMap((action) => Object.keys(states).map((state) => [action, state] as const));

  it.each(cases)(
    '%s of a job that is %s is done or is 409, naming the state and what is allowed',
    async (action, state) => {
      const { id } = await start(client, { to_numbers: ordinaryNumbers(1) });
      await states[state]?.(id);
      const before = await jobOf(client, id);
      expect(before.status).toBe(state);
      const answer = await act(id, action);
      if (allowed[action]?.includes(state)) return expect(answer.status, answer.text).toBe(200);
      expectError(answer, 409, 'conflict');
      expect(answer.body.error.message).toContain(state);
      for (const each of allowed[action] ?? []) expect(answer.body.error.message).toContain(each);
      expect(answer.headers['x-sandbox-assumptions']).toContain('job_states');
      expect(await jobOf(client, id)).toEqual(before);
    },
  );
});

describe('reading jobs', () => {
  it('lists them newest first, paged by cursor and page_size', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.unshift((await start(client, { to_numbers: ordinaryNumbers(1) })).id);
    const pages = await pagesOf(client, JOBS, 2);
    expect(pages.flatMap(({ data }) => data.map(({ id }: Record_) => id))).toEqual(ids);
    expect(pages[0].meta).toMatchObject({ total_results: 3, page_size: 2 });
  });

  it.each(['nope', NOWHERE])('is 404 where the id names none: %s', async (id) => {
    expectError(await client.get(`${JOBS}/${id}`), 404, 'not_found');
    for (const action of ['pause', 'resume', 'cancel']) {
      expectError(await client.post(`${JOBS}/${id}/${action}`), 404, 'not_found');
    }
  });

  it("is 404 for a job of another tenant, of the parent and of a child; so is another's contact or agent", async () => {
    const { id } = await start(client, { to_numbers: ordinaryNumbers(1) });
    const [contact_id] = (await client.get('/v1/contacts')).body.data.map((each: Record_) => each.id);
    const [agent_id] = await agentsOf(client);
    for (const by of [clientOf(sandbox.url, 'svc_sandbox_other'), await childOf(sandbox.url, client)]) {
      expectError(await by.get(`${JOBS}/${id}`), 404, 'not_found');
      expectError(await by.post(`${JOBS}/${id}/cancel`), 404, 'not_found');
      expect((await by.get(JOBS)).body.data).toEqual([]);
      expectError(await by.post(JOBS, { agent_id, contact_ids: [contact_id] }), 404, 'not_found');
    }
  });
});

describe('subscriptions with a campaign_id', () => {
  let other: Receiver;
  beforeEach(async () => {
    other = await startReceiver();
  });
  afterEach(() => other.close());

  it('hear every event of the calls and contacts of their job, and of nothing else', async () => {
    const types = ['new_call', 'call_completed', 'call_busy', 'phone_call.ended', 'workflow_contact_completed'];
    const jobs = [
      await start(client, { to_numbers: ['+12125550101', '+12135550101'] }),
      await start(client, { to_numbers: ['+13125550101'] }),
    ];
    for (const [index, url] of [receiver.url, other.url].entries()) {
      for (const event_type of types) {
        const body = { webhook_url: url, event_type, campaign_id: jobs[index].id };
        expect((await client.post('/api/v1/webhook_subscriptions', body)).status).toBe(201);
      }
    }
    await client.call('+14085550101');
    await sandbox.clock.untilIdle();
    const numbersAt = (at: Receiver): string[] => [
      ...new Set(at.got.map(({ body }) => body.phone_number ?? body.to_number)),
    ];
    expect(numbersAt(receiver).sort()).toEqual(['+12125550101', '+12135550101']);
    expect(numbersAt(other)).toEqual(['+13125550101']);
    expect(receiver.got).toHaveLength(10);
    expect(other.got.map(({ body }) => body.status ?? body.outcome)).toEqual([
      'QUEUED',
      'BUSY',
      'BUSY',
      'BUSY',
      'busy',
    ]);
  });
});

describe('on an instant clock', () => {
  it('a job has run when the next request asks for it', async () => {
    const own = await createSandbox({ clock: 'instant' });
    try {
      const by = clientOf(own.url);
      const { id, status } = await start(by, { to_numbers: ordinaryNumbers(30) });
      expect(status).toBe('queued');
      expect(await jobOf(by, id)).toMatchObject({ status: 'completed', progress: { completed: 30 } });
    } finally {
      await own.close();
    }
  });
});

describe('a restart with a state file', () => {
  it('goes on with a job where it stood', async () => {
    const state = `${folderOf()}/state.json`;
    const first = await createSandbox({ clock: 'manual', state });
    const { id } = await start(clientOf(first.url), { to_numbers: ordinaryNumbers(5), concurrency: 1 });
    await first.clock.advance('3s');
    const before = await jobOf(clientOf(first.url), id);
    expect(before.progress).toMatchObject({ pending: 4, in_progress: 1 });
    await first.close();
    const second = await createSandbox({ clock: 'manual', state });
    try {
      const by = clientOf(second.url);
      expect(await jobOf(by, id)).toEqual(before);
      await second.clock.untilIdle();
      expect(await jobOf(by, id)).toMatchObject({ status: 'completed', progress: { completed: 5 } });
    } finally {
      await second.close();
    }
  });
});
