// Journeys of outbound calls from end to end, on a manual clock: a campaign that is paused once, and a
// lead that becomes a contact and is called.
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { type Answer, type Client, clientOf } from '../support/client.ts';
import { useSandboxAndReceiver } from '../support/listening.ts';
import { agentsOf, JOBS, jobOf, LEAD, ordinaryNumbers, submitLead } from '../support/outbound.ts';
import { runs, thorough } from '../support/thorough.ts';
import { CALL_EVENTS, subscribe } from '../support/webhooks.ts';
import { pagesOf } from '../support/world.ts';

const { sandbox, receiver } = useSandboxAndReceiver({ clock: 'manual', rateLimit: 'off', journalLimit: 20_000 });

const CONTACTS = runs(100, 500);
const LINES = runs(5, 20);

describe('a campaign', () => {
  it.runIf(thorough)('of many contacts, paused once, completes and sends one event per contact', async () => {
    const { world, client } = { world: sandbox.world('campaign'), client: clientOf(sandbox.url, 'svc_test_campaign') };
    // In turn, every outcome of a call, and one number that may not be called.
    const endings = ['00', '01', '02', '03', '04', '05', '06', '09', '11', '00'];
    const contact_ids: string[] = [];
    for (let n = 0; n < CONTACTS; n++) {
      const areaCode = 220 + Math.floor(n / endings.length);
      const phone_number = `+1${areaCode}55501${endings[n % endings.length]}`;
      const answer = await client.post('/_sandbox/simulate/new-contact', { phone_number });
      expect(answer.status, answer.text).toBe(201);
      contact_ids.push(answer.body.data.id);
    }
    const [, agent_id] = await agentsOf(client);
    const made = await client.post(JOBS, { name: 'All of them', agent_id, contact_ids, concurrency: LINES });
    expect(made.status, made.text).toBe(201);
    const { id } = made.body.data;
    const subscribeTo = async (event_type: string, campaign_id: string): Promise<void> => {
      const body = { webhook_url: receiver.url, event_type, campaign_id };
      expect((await client.post('/api/v1/webhook_subscriptions', body)).status).toBe(201);
    };
    for (const type of ['phone_call.ended', 'workflow_contact_completed']) await subscribeTo(type, id);

    await world.clock.advance('2m');
    const paused = await client.post(`${JOBS}/${id}/pause`);
    expect(paused.body.data.status).toBe('paused');
    expect(paused.body.data.progress.in_progress).toBeLessThanOrEqual(LINES);
    await world.clock.advance('1h');
    const idle = await jobOf(client, id);
    expect(idle.progress.in_progress).toBe(0);
    expect(idle.progress.pending).toBe(paused.body.data.progress.pending);
    expect(idle.progress.pending).toBeGreaterThan(0);
    await world.clock.advance('1h');
    expect(await jobOf(client, id)).toEqual(idle);

    expect((await client.post(`${JOBS}/${id}/resume`)).body.data.status).toBe('running');
    await world.clock.untilIdle();

    const ended = await jobOf(client, id);
    const each = CONTACTS / endings.length;
    expect(ended).toMatchObject({
      status: 'completed',
      progress: {
        total: CONTACTS,
        pending: 0,
        in_progress: 0,
        completed: CONTACTS,
        outcomes: {
          answered: 3 * each,
          busy: each,
          no_answer: each,
          voicemail: each,
          failed: 3 * each,
          canceled: 0,
          refused: each,
        },
      },
    });
    const calls = (await pagesOf(client, '/v1/calls', 100))
      .flatMap(({ data }) => data)
      .filter(({ started_at }: Answer['body']) => started_at >= ended.started_at);
    expect(calls).toHaveLength(CONTACTS - each);
    const bodies = receiver.got.map(({ body }) => body);
    const completed = bodies.filter((body) => body.job_id === id);
    expect(completed.map(({ contact_id }) => contact_id).sort()).toEqual([...contact_ids].sort());
    expect(bodies.length - completed.length).toBe(calls.length);
    const deliveries = await world.deliveries();
    expect(deliveries.every(({ status }) => status === 'delivered')).toBe(true);

    // At no instant were more lines in use than it has.
    const changes = calls.flatMap(({ started_at, ended_at }: Answer['body']) => [
      [Date.parse(started_at), 1],
      [Date.parse(ended_at), -1],
    ]) as [number, number][];
    changes.sort(([a, up], [b, down]) => a - b || up - down);
    let inUse = 0;
    let most = 0;
    for (const [, change] of changes) {
      inUse += change;
      most = Math.max(most, inUse);
    }
    expect(most).toBe(LINES);
  });

  it('gives the same bytes in another sandbox with the same seed', async () => {
    const run = async (): Promise<unknown> => {
      const own = await createSandbox({ clock: 'manual' });
      try {
        const client = clientOf(own.url);
        const [, agent_id] = await agentsOf(client);
        const made = await client.post(JOBS, { agent_id, to_numbers: ordinaryNumbers(40), concurrency: 7 });
        await own.clock.untilIdle();
        const reads = ['/_sandbox/events?page_size=1000', '/v1/calls?page_size=100', `${JOBS}/${made.body.data.id}`];
        const texts = await Promise.all(reads.map(async (path) => (await client.get(path)).text));
        // The address of the server differs.
        return [made.text, ...texts].map((text) => text.replaceAll(own.url, ''));
      } finally {
        await own.close();
      }
    };
    const [first, second] = [await run(), await run()];
    expect(second).toEqual(first);
  });
});

describe('a lead', () => {
  it.each<[how: string, call: (client: Client, agent_id: string, contact: Answer['body']) => Promise<Answer>]>([
    [
      'by an agent',
      (client, agent_id, { phone_number }) => client.post('/v1/calls', { agent_id, to_number: phone_number }),
    ],
    ['by a job', (client, agent_id, { id }) => client.post(JOBS, { agent_id, contact_ids: [id] })],
  ])('becomes a contact, emits contact_created, and is called %s', async (how, call) => {
    const name = how.replaceAll(' ', '-');
    const { world, client } = { world: sandbox.world(name), client: clientOf(sandbox.url, `svc_test_${name}`) };
    const [, agent_id] = await agentsOf(client);
    receiver.got.length = 0;
    await subscribe(client, receiver.url, 'contact_created', ...CALL_EVENTS, 'workflow_contact_completed');

    const lead = await submitLead(sandbox.url, LEAD, `/v1/leads/lead_${name}`);
    expect(lead.status, lead.text).toBe(201);
    await world.clock.advance('0s');
    const [created] = receiver.got.map(({ body }) => body);
    expect(created).toEqual(lead.body.data);

    const answer = await call(client, agent_id, created);
    expect(answer.status, answer.text).toBeLessThan(300);
    await world.clock.untilIdle();
    const [newest] = (await client.get('/v1/calls')).body.data;
    expect(newest).toMatchObject({ to_number: LEAD.phone_number, status: 'COMPLETED', has_transcript: true });
    const { greeting } = (await client.get(`/v1/agents/${agent_id}`)).body.data;
    expect((await client.get(`/v1/calls/${newest.id}/transcript`)).body.data.transcript).toContain(greeting);
    const types = (await world.deliveries()).map(({ event_type }) => event_type).reverse();
    const rest = how === 'by a job' ? ['workflow_contact_completed'] : [];
    expect([...types].sort()).toEqual(
      ['contact_created', 'new_call', 'call_completed', 'phone_call.ended', ...rest].sort(),
    );
    if (how === 'by a job') {
      expect(receiver.got.at(-1)?.body).toMatchObject({
        contact_id: created.id,
        outcome: 'answered',
        call_id: newest.id,
      });
    }
  });
});
