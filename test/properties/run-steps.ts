// Runs a sequence against two worlds of a server, and checks after each segment what has come of it. A reset and a restore
// end a segment: nothing that was to be delivered before them is delivered afterwards.
import { expect } from 'vitest';
import { parseDuration } from '../../src/clock/duration.ts';
import type { Delivery } from '../../src/index.ts';
import { checkCalls, noteStatuses } from './check-calls.ts';
import { checkDeliveries } from './check-deliveries.ts';
import { checkJobs } from './check-jobs.ts';
import { checkTicks, tickPath } from './check-ticks.ts';
import { ModelWorld, type Subscription } from './model.ts';
import type { RefusingReceiver } from './refusing-receiver.ts';
import type { Step, StepName, StepOf, Subscribed } from './steps.ts';

const FROM = '+14155550190';
const numberOf = (to: string): string => `+121255501${to}`;

interface Context {
  readonly world: ModelWorld;
  readonly receiver: RefusingReceiver;
}

const chosen = <Item>(items: readonly Item[], pick: number): Item | undefined =>
  items[pick % Math.max(1, items.length)];

function noteCall(world: ModelWorld, body: { call_id?: string }): void {
  const { call_id } = body;
  if (call_id === undefined || world.calls.includes(call_id)) return;
  world.calls.push(call_id);
  world.ids.add(call_id);
}

const actions: { readonly [Name in StepName]: (context: Context, step: StepOf<Name>) => Promise<unknown> } = {
  async dial({ world }, { to, scenario }) {
    const headers: Record<string, string> = scenario === null ? {} : { 'X-Sandbox-Scenario': scenario };
    const body = { from_number: FROM, to_number: numberOf(to) };
    const answer = await world.ask('POST', '/v1/calls/dial', body, headers);
    if (answer.status === 202) noteCall(world, answer.body);
    else world.lost += 1;
  },
  async dialTwice({ world }, { to }) {
    const headers = { 'Idempotency-Key': `6f1b8f0e-4c8a-4a57-9d1e-${String(world.ids.size).padStart(12, '0')}` };
    const body = { from_number: FROM, to_number: numberOf(to) };
    const first = await world.ask('POST', '/v1/calls/dial', body, headers);
    const second = await world.ask('POST', '/v1/calls/dial', body, headers);
    if (first.status === 202 && second.status === 202) expect(second.body.call_id).toBe(first.body.call_id);
    for (const { status, body } of [first, second]) {
      if (status === 202) noteCall(world, body);
      else world.lost += 1;
    }
  },
  async hangUp({ world }, { pick }) {
    const call = chosen(world.calls, pick);
    if (call !== undefined) await world.must('POST', `/v1/calls/${call}/hangup`);
  },
  async sendText({ world }, { to }) {
    const { data } = await world.must('POST', '/v1/sms/send', { to_number: numberOf(to), body: 'Hello' });
    world.ids.add(data.id);
  },
  receiveText: ({ world }) => world.must('POST', '/_sandbox/simulate/inbound-sms'),
  order: ({ world }) => world.must('POST', '/v1/phone-numbers', { area_code: '212' }),
  async advance({ world }, { by }) {
    const { data } = await world.must('POST', '/_sandbox/clock/advance', { by, timeout: '10m' });
    expect(data.complete).toBe(true);
  },
  async subscribe({ world, receiver }, { event_type, refuses, plan, toInbox }) {
    await world.settle();
    const path = `/${world.name}/${world.paths++}/${refuses}`;
    const inbox = toInbox && world.live.every((each) => each.inbox === null) ? `box-${world.paths}` : null;
    const own = `${world.url}/_sandbox/inbox/${inbox}?world=${world.name}`;
    const webhook_url = inbox === null ? `${receiver.url}${path}` : own;
    if (inbox !== null) await world.must('PUT', `/_sandbox/inbox/${inbox}`, { respond: answersOf[refuses] });
    const { id } = await world.must('POST', '/api/v1/webhook_subscriptions', { webhook_url, event_type });
    world.ids.add(id);
    const since = await world.eventCount();
    const until = Number.POSITIVE_INFINITY;
    const known = { changed: false, paused: false, delayed: false };
    world.subscriptions.push({ id, path, inbox, event_type, refuses, plan, since, until, ...known });
    if (plan) await world.must('PUT', `/_sandbox/webhook-subscriptions/${id}`, { plan });
  },
  async unsubscribe({ world }, { pick }) {
    const subscription = chosen(world.live, pick);
    if (!subscription) return;
    await world.settle();
    await world.must('DELETE', `/api/v1/webhook_subscriptions/${subscription.id}`);
    subscription.until = await world.eventCount();
  },
  async changePlan({ world }, { pick, plan }) {
    const subscription = chosen(world.live, pick);
    if (!subscription) return;
    await world.settle();
    await world.must('PUT', `/_sandbox/webhook-subscriptions/${subscription.id}`, { plan });
    Object.assign(subscription, { plan, changed: true, paused: false });
  },
  async pause({ world }, { pick }) {
    const subscription = chosen(world.live, pick);
    // One that follows the plan of the world would have another one from now on.
    if (subscription?.plan) await setPaused(world, subscription, !subscription.paused);
  },
  async planWorld({ world }, { plan }) {
    await world.settle();
    if (plan) await world.must('PUT', '/_sandbox/webhook-plan', plan);
    else await world.must('DELETE', '/_sandbox/webhook-plan');
    world.plan = plan;
    for (const subscription of world.subscriptions) if (!subscription.plan) subscription.changed = true;
  },
  async job({ world }, { to, concurrency }) {
    const { data: agents } = await world.must('GET', '/v1/agents');
    const to_numbers = to.map(numberOf);
    const body = { agent_id: agents[0].id, from_number: FROM, to_numbers, concurrency };
    const { data } = await world.must('POST', '/v1/jobs', body);
    world.ids.add(data.id);
    world.jobs.push({ id: data.id, listed: to.length });
    // Nobody is told the ids of its calls.
    world.lost += to.length;
  },
  async actOnJob({ world }, { pick, act }) {
    const job = chosen(world.jobs, pick);
    if (!job) return;
    const answer = await world.ask('POST', `/v1/jobs/${job.id}/${act}`);
    expect([200, 409]).toContain(answer.status);
  },
  async tick({ world, receiver }, { every }) {
    await world.settle();
    await world.noteTicks();
    const since = await world.now();
    world.tick = every === null ? null : { every: parseDuration(every) ?? Number.NaN, since, from: since };
    if (every === null) await world.must('DELETE', '/_sandbox/clock/tick');
    else await world.must('PUT', '/_sandbox/clock/tick', { every, url: `${receiver.url}${tickPath(world)}` });
  },
  fault: ({ world }, { fault }) => world.must('PUT', '/_sandbox/faults', { ...fault, operation: 'dialCall', times: 1 }),
  activate: ({ world }, { use }) => world.must('PUT', '/_sandbox/active-scenarios/call', { use }),
  async reset({ world, receiver }) {
    await endSegment({ world, receiver });
    await world.must('POST', '/_sandbox/reset');
    world.reset();
    world.attemptsBefore = new Map();
  },
  async keep({ world }) {
    await world.settle();
    await world.noteTicks();
    const { name } = world.keep(await world.now());
    await world.must('POST', '/_sandbox/snapshots', { name });
  },
  async restore({ world, receiver }, { pick }): Promise<unknown> {
    const kept = chosen(world.kept, pick);
    if (!kept) return actions.keep({ world, receiver }, { name: 'keep', world: 0 });
    await endSegment({ world, receiver });
    await world.must('POST', `/_sandbox/snapshots/${kept.name}/restore`);
    world.restore(kept);
    const deliveries: Delivery[] = (await world.must('GET', '/_sandbox/deliveries?page_size=1000')).data;
    world.attemptsBefore = new Map(deliveries.map(({ id, attempts }) => [id, attempts.length]));
  },
};

/** What an inbox answers for as long as a sequence may last. */
const answersOf: Readonly<Record<Subscribed['refuses'], number | number[]>> = {
  none: 200,
  all: 500,
  second: Array.from({ length: 500 }, (_, n) => (n % 2 === 1 ? 500 : 200)),
  third: Array.from({ length: 500 }, (_, n) => (n % 3 === 2 ? 500 : 200)),
};

async function setPaused(world: ModelWorld, subscription: Subscription, paused: boolean): Promise<void> {
  await world.settle();
  const plan = { ...subscription.plan, paused };
  await world.must('PUT', `/_sandbox/webhook-subscriptions/${subscription.id}`, { plan });
  Object.assign(subscription, { paused, delayed: true });
}

async function endSegment({ world, receiver }: Context): Promise<void> {
  await world.settle();
  await checkTicks(world, receiver);
  await checkDeliveries(world, receiver, 'interrupted');
  world.arrivedBefore = receiver.got.length;
}

/**
 * Runs the steps in two worlds whose names begin with `name`, and checks them. Returns their journals, without what
 * depends on the machine; the worlds are gone afterwards.
 */
export async function runSteps(
  url: string,
  name: string,
  steps: readonly Step[],
  receiver: RefusingReceiver,
): Promise<string[]> {
  receiver.clear();
  const worlds = [new ModelWorld(`${name}-a`, url), new ModelWorld(`${name}-b`, url)] as const;
  for (const step of steps) {
    const world = worlds[step.world];
    await perform({ world, receiver }, step);
    if (step.name === 'advance' || step.name === 'hangUp') await noteStatuses(world);
  }
  const journals: string[] = [];
  for (const world of worlds) {
    for (const each of world.live) if (each.paused) await setPaused(world, each, false);
    for (const { id } of world.jobs) await world.ask('POST', `/v1/jobs/${id}/resume`);
    const { data } = await world.must('POST', '/_sandbox/clock/advance', { until: 'idle', timeout: '10m' });
    expect(data.complete).toBe(true);
    // A tick at the last instant is sent too.
    await world.settle();
  }
  for (const [nth, world] of worlds.entries()) {
    await checkCalls(world);
    await checkJobs(world);
    await checkTicks(world, receiver);
    await checkDeliveries(world, receiver, 'complete');
    const shown = await journalsOf(world);
    for (const foreign of worlds[1 - nth]?.ids ?? []) {
      if (shown.some((entry) => entry.includes(foreign)))
        throw new Error(`${world.name} shows ${foreign}, which is of the other world`);
    }
    journals.push(...shown);
    await world.must('DELETE', `/_sandbox/worlds/${world.name}`);
  }
  return journals;
}

function perform<Name extends StepName>(context: Context, step: StepOf<Name>): Promise<unknown> {
  return actions[step.name as Name](context, step);
}

/** Fields and headers that show how long something has taken, or the machine's time. */
const OF_THE_MACHINE = ['duration_ms', 'latency_ms', 'X-RateLimit-Reset', 'date'];

/** Every entry as text. */
async function journalsOf(world: ModelWorld): Promise<string[]> {
  const entries: unknown[] = [];
  for (const list of ['requests', 'events', 'deliveries']) {
    entries.push(...(await world.must('GET', `/_sandbox/${list}?page_size=1000`)).data);
  }
  return entries.map((entry) => JSON.stringify(entry, (key, value) => (OF_THE_MACHINE.includes(key) ? 0 : value)));
}
