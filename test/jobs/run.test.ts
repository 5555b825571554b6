// A running job: the order of its calls, their outcomes and events, on each clock and over a restart.
import { describe, expect, it } from 'vitest';
import { createSandbox, destinationFor } from '../../src/index.ts';
import { clientOf } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { useSandboxAndReceiver } from '../support/listening.ts';
import { jobOf, ordinaryNumbers, startJob } from '../support/outbound.ts';
import { subscribe } from '../support/webhooks.ts';
import { instant } from '../support/world.ts';
import { activate, advanceTo, callsOf, finished, inProgress, type Json, OUTCOMES } from './setup.ts';

const folderOf = temporaryFolders();
const { sandbox, client, receiver } = useSandboxAndReceiver({ clock: 'manual', rateLimit: 'off' });

const contact = async (body: object): Promise<string> => {
  const answer = await client.post('/_sandbox/simulate/new-contact', body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data.id;
};

describe('a running job', () => {
  it('works through its list in order, one call per line, and completes with the last', async () => {
    await activate(client, 'answered;ring=2s;talk=8s');
    const numbers = ordinaryNumbers(7);
    const { id } = await startJob(client, { to_numbers: numbers, concurrency: 3 });
    const seen: [number, number][] = [];
    for (const second of [1, 11, 12, 22, 33]) {
      await advanceTo(client, instant(second * 1000));
      seen.push([second, await inProgress(client)]);
      expect((await jobOf(client, id)).progress.in_progress).toBe(await inProgress(client));
    }
    expect(seen).toEqual([
      [1, 3],
      [11, 3],
      [12, 3],
      [22, 1],
      [33, 0],
    ]);
    expect((await callsOf(client)).map(({ to_number }) => to_number)).toEqual(numbers);
    expect(await jobOf(client, id)).toMatchObject({
      status: 'completed',
      ended_at: instant(32_500),
      progress: { total: 7, pending: 0, in_progress: 0, completed: 7, outcomes: { ...OUTCOMES, answered: 7 } },
    });
  });

  it('counts every outcome, and emits one event per contact once its call has ended', async () => {
    await subscribe(client, receiver.url, 'phone_call.ended', 'workflow_contact_completed');
    const scenarios = ['answered', 'busy', 'no_answer', 'voicemail', 'call_declined', 'dnc_suppressed'] as const;
    const { id } = await startJob(client, {
      to_numbers: scenarios.map((each) => destinationFor(each)),
      concurrency: 6,
    });
    await sandbox.clock.untilIdle();
    expect(await jobOf(client, id)).toMatchObject({
      status: 'completed',
      progress: {
        total: 6,
        completed: 6,
        outcomes: { ...OUTCOMES, answered: 1, busy: 1, no_answer: 1, voicemail: 1, failed: 1, refused: 1 },
      },
    });
    const calls = new Map((await callsOf(client)).map((call) => [call.to_number, call]));
    const events = receiver.got.map(({ body }) => body).filter((body) => 'job_id' in body);
    const expected = {
      answered: ['answered', null],
      busy: ['busy', 'busy'],
      no_answer: ['no_answer', 'no_answer'],
      voicemail: ['voicemail', 'voicemail_reached'],
      call_declined: ['failed', 'call_declined'],
      dnc_suppressed: ['refused', 'dnc_suppressed'],
    };
    expect(events).toHaveLength(6);
    for (const scenario of scenarios) {
      const [outcome, failure_code] = expected[scenario];
      const phone_number = destinationFor(scenario);
      const call = calls.get(phone_number);
      expect(events.find((body) => body.phone_number === phone_number)).toEqual({
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
    // The event about a contact arrives after the end of its call.
    const received = receiver.got.map(({ body }) => [body.id ?? body.call_id, 'job_id' in body ? 'contact' : 'call']);
    for (const { id: call } of calls.values()) {
      expect(received.filter(([about]) => about === call).map(([, what]) => what)).toEqual(['call', 'contact']);
    }
  });

  it('calls contacts by their numbers, and names them in the event', async () => {
    const ids = [await contact({ phone_number: '+12125550100' }), await contact({ phone_number: '+12125550101' })];
    const { id } = await startJob(client, { contact_ids: ids });
    await sandbox.clock.untilIdle();
    const events = await finished(client);
    expect(events.map(({ contact_id }) => contact_id).sort()).toEqual([...ids].sort());
    expect(events.find(({ contact_id }) => contact_id === ids[1])).toMatchObject({ job_id: id, outcome: 'busy' });
  });

  it('records a contact without a number as refused with destination_missing, and calls the others', async () => {
    const ids = [await contact({ phone_number: null }), await contact({ phone_number: '+12125550100' })];
    const { id } = await startJob(client, { contact_ids: ids });
    await sandbox.clock.untilIdle();
    expect((await finished(client))[0]).toMatchObject({
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
  ])('records a contact with the number %s as refused with %s, as a dial is', async (to, code) => {
    await startJob(client, { contact_ids: [await contact({ phone_number: to })] });
    await sandbox.clock.untilIdle();
    expect((await finished(client)).map(({ outcome, failure_code }) => [outcome, failure_code])).toEqual([
      ['refused', code],
    ]);
    expect(await callsOf(client)).toEqual([]);
  });

  it('plays active scenarios in the order of its calls', async () => {
    await client.put('/_sandbox/active-scenarios/call', { use: ['busy', 'no_answer', 'voicemail'] });
    await startJob(client, { to_numbers: ordinaryNumbers(4), concurrency: 1 });
    await sandbox.clock.untilIdle();
    expect((await finished(client)).map(({ outcome }) => outcome)).toEqual([
      'busy',
      'no_answer',
      'voicemail',
      'answered',
    ]);
  });

  it('counts a call that was hung up, and places the next one at that instant', async () => {
    await activate(client, 'answered;ring=2s;talk=10m');
    const { id } = await startJob(client, { to_numbers: ordinaryNumbers(2), concurrency: 1 });
    await sandbox.clock.advance('2s');
    const [first] = await callsOf(client);
    await client.post(`/v1/calls/${first.id}/hangup`);
    expect((await finished(client)).map(({ outcome, call_id }) => [outcome, call_id])).toEqual([
      ['canceled', first.id],
    ]);
    expect((await jobOf(client, id)).progress).toMatchObject({ in_progress: 1, completed: 1 });
    expect((await callsOf(client))[1].started_at).toBe(instant(2000));
  });

  it('uses its agent as configured at each call', async () => {
    await activate(client, 'answered;ring=2s;talk=20s');
    const { agent_id } = await startJob(client, { to_numbers: ordinaryNumbers(2), concurrency: 1 });
    await sandbox.clock.advance('3s');
    await client.patch(`/v1/agents/${agent_id}`, { greeting: 'Another greeting.' });
    await sandbox.clock.untilIdle();
    const texts = await Promise.all(
      (await callsOf(client)).map(
        async ({ id }) => (await client.get(`/v1/calls/${id}/transcript`)).body.data.transcript,
      ),
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
        const { caller_id_id } = data.find((each: Json) => each.phone_number === '+14155550191');
        return client.delete(`/v1/caller-ids/${caller_id_id}`);
      },
    ],
  ])('places no further call once %s', async (_, code, change) => {
    await activate(client, 'answered;ring=2s;talk=20s');
    const { id, agent_id } = await startJob(client, { to_numbers: ordinaryNumbers(3), concurrency: 1 });
    await sandbox.clock.advance('3s');
    await change(agent_id);
    await sandbox.clock.untilIdle();
    expect((await finished(client)).map(({ outcome, failure_code }) => [outcome, failure_code])).toEqual([
      ['answered', null],
      ['refused', code],
      ['refused', code],
    ]);
    expect((await jobOf(client, id)).status).toBe('completed');
  });

  it('completes a list of which every number is refused', async () => {
    const numbers = Array.from({ length: 250 }, (_, index) => `+1${300 + index}5550111`).filter(
      (number) => !/^\+1.11/.test(number),
    );
    const { id } = await startJob(client, { to_numbers: numbers });
    await sandbox.clock.untilIdle();
    expect(await jobOf(client, id)).toMatchObject({
      status: 'completed',
      progress: { outcomes: { ...OUTCOMES, refused: numbers.length } },
    });
    expect(await finished(client)).toHaveLength(numbers.length);
  });
});

describe('on an instant clock', () => {
  it('a job has completed by the next request', async () => {
    const own = await createSandbox({ clock: 'instant' });
    try {
      const by = clientOf(own.url);
      const { id, status } = await startJob(by, { to_numbers: ordinaryNumbers(30) });
      expect(status).toBe('queued');
      expect(await jobOf(by, id)).toMatchObject({ status: 'completed', progress: { completed: 30 } });
    } finally {
      await own.close();
    }
  });
});

describe('a restart with a state file', () => {
  it('continues a job where it stopped', async () => {
    const state = `${folderOf()}/state.json`;
    const first = await createSandbox({ clock: 'manual', state });
    const { id } = await startJob(clientOf(first.url), { to_numbers: ordinaryNumbers(5), concurrency: 1 });
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
