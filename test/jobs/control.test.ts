// Pausing, resuming, canceling and reading jobs (the assumption job_states), and subscriptions to one job.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, clientOf, expectError, NOWHERE } from '../support/client.ts';
import { useSandboxAndReceiver } from '../support/listening.ts';
import { agentsOf, JOBS, jobOf, ordinaryNumbers, startJob } from '../support/outbound.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { childOf, instant, pagesOf } from '../support/world.ts';
import { activate, callsOf, finished, type Json } from './setup.ts';

const { sandbox, client, receiver } = useSandboxAndReceiver({ clock: 'manual', rateLimit: 'off' });

describe('pausing, resuming and canceling', () => {
  beforeEach(() => activate(client, 'answered;ring=2s;talk=8s'));
  const act = (id: string, action: string): Promise<Answer> => client.post(`${JOBS}/${id}/${action}`);

  it('a paused job continues its calls and places no others until it is resumed', async () => {
    const { id } = await startJob(client, { to_numbers: ordinaryNumbers(4), concurrency: 2 });
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
    expect(await callsOf(client)).toHaveLength(2);
    expect((await act(id, 'resume')).body.data.status).toBe('running');
    await sandbox.clock.untilIdle();
    const at = 3_602_000;
    expect((await callsOf(client)).slice(2).map(({ started_at }) => started_at)).toEqual([instant(at), instant(at)]);
    expect(await jobOf(client, id)).toMatchObject({ status: 'completed', started_at: instant(1000) });
  });

  it('a job that is paused before it starts, starts when it is resumed', async () => {
    const { id } = await startJob(client, { to_numbers: ordinaryNumbers(1) });
    await act(id, 'pause');
    await sandbox.clock.advance('1m');
    expect(await callsOf(client)).toEqual([]);
    expect((await act(id, 'resume')).body.data).toMatchObject({ status: 'running', started_at: instant(60_000) });
    await sandbox.clock.untilIdle();
    expect((await jobOf(client, id)).status).toBe('completed');
  });

  it('a job whose last call ends while it is paused completes when it is resumed', async () => {
    const { id } = await startJob(client, { to_numbers: ordinaryNumbers(1) });
    await sandbox.clock.advance('2s');
    await act(id, 'pause');
    await sandbox.clock.advance('1m');
    expect((await jobOf(client, id)).status).toBe('paused');
    await act(id, 'resume');
    await sandbox.clock.advance('0s');
    expect((await jobOf(client, id)).status).toBe('completed');
  });

  it('a canceled job continues its calls, and emits events for those contacts only', async () => {
    const { id } = await startJob(client, { to_numbers: ordinaryNumbers(4), concurrency: 2 });
    await sandbox.clock.advance('2s');
    const canceled = await act(id, 'cancel');
    expect(canceled.body.data).toMatchObject({ status: 'canceled', ended_at: instant(2000) });
    await sandbox.clock.untilIdle();
    expect(await finished(client)).toHaveLength(2);
    expect((await jobOf(client, id)).progress).toMatchObject({ pending: 2, in_progress: 0, completed: 2 });
    expect(await callsOf(client)).toHaveLength(2);
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
    '%s of a job that is %s succeeds, or is 409 with its state and the allowed states',
    async (action, state) => {
      const { id } = await startJob(client, { to_numbers: ordinaryNumbers(1) });
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
    for (let n = 0; n < 3; n++) ids.unshift((await startJob(client, { to_numbers: ordinaryNumbers(1) })).id);
    const pages = await pagesOf(client, JOBS, 2);
    expect(pages.flatMap(({ data }) => data.map(({ id }: Json) => id))).toEqual(ids);
    expect(pages[0].meta).toMatchObject({ total_results: 3, page_size: 2 });
  });

  it.each(['nope', NOWHERE])('is 404 for an unknown id: %s', async (id) => {
    expectError(await client.get(`${JOBS}/${id}`), 404, 'not_found');
    for (const action of ['pause', 'resume', 'cancel']) {
      expectError(await client.post(`${JOBS}/${id}/${action}`), 404, 'not_found');
    }
  });

  it('is 404 for a job, contact or agent of another tenant, of the parent or of a child', async () => {
    const { id } = await startJob(client, { to_numbers: ordinaryNumbers(1) });
    const [contact_id] = (await client.get('/v1/contacts')).body.data.map((each: Json) => each.id);
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

  it('receive the events of the calls and contacts of their job only', async () => {
    const types = ['new_call', 'call_completed', 'call_busy', 'phone_call.ended', 'workflow_contact_completed'];
    const jobs = [
      await startJob(client, { to_numbers: ['+12125550101', '+12135550101'] }),
      await startJob(client, { to_numbers: ['+13125550101'] }),
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
