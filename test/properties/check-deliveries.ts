// Every event reaches each subscription that was there, once, and exactly as its plan says; what arrives is what the
// journal says was sent; and what one receiver hears about one record comes in order where no plan breaks it.
import { expect } from 'vitest';
import { parseDuration, parseDurationRange } from '../../src/clock/duration.ts';
import type { Delivery } from '../../src/index.ts';
import type { DeliveryPlan } from '../../src/model.ts';
import type { ModelWorld, Subscription } from './model.ts';
import type { RefusingReceiver } from './refusing-receiver.ts';

/** Whether everything has been sent, or a reset or a restore comes in between. */
type Extent = 'complete' | 'interrupted';

interface Found {
  readonly delivery: Delivery;
  readonly subscription: Subscription;
  /** The number of its event. */
  readonly event: number;
}

const SHORT = ['5s', '15s', '40s'];
/** How long a swapped delivery waits for the next one. */
const SWAP_MS = 60_000;

export async function checkDeliveries(world: ModelWorld, receiver: RefusingReceiver, extent: Extent): Promise<void> {
  const events = (await world.must('GET', '/_sandbox/events?page_size=1000')).data.reverse();
  const all: Delivery[] = (await world.must('GET', '/_sandbox/deliveries?page_size=1000')).data.reverse();
  // What an older epoch has left unsent is kept under another id.
  const own = all.filter(({ id }) => !/_e\d+$/.test(id));
  const found: Found[] = [];
  for (const [number, { id, event_type, body }] of events.entries()) {
    for (const subscription of world.subscriptions) {
      const { since, until } = subscription;
      if (subscription.event_type !== event_type || number < since || number >= until) continue;
      const [delivery, ...others] = own.filter(
        (each) => each.event_id === id && each.subscription_id === subscription.id,
      );
      if (!delivery || others.length > 0)
        throw new Error(`${id} of ${world.name} has ${others.length} more deliveries`);
      expect(delivery.body).toBe(body);
      found.push({ delivery, subscription, event: number });
    }
  }
  expect(found, `the deliveries of ${world.name}`).toHaveLength(own.length);
  for (const each of found) checkPlan(world, each, extent);
  checkArrivals(world, receiver, found);
  checkOrder(world, receiver, found);
}

/** What was attempted follows from the plan and from what the receiver answered. */
function checkPlan(world: ModelWorld, { delivery, subscription }: Found, extent: Extent): void {
  const plan = subscription.plan ?? world.plan ?? {};
  const { attempts, status } = delivery;
  const where = `${delivery.id} of ${world.name} by ${JSON.stringify(plan)}`;
  // What was in flight when a snapshot was made is not sent again.
  if (subscription.changed || status === 'canceled') return;
  if (status === 'dropped') {
    expect(plan.drop ?? 0, where).toBeGreaterThan(0);
    expect(
      attempts.map(({ error_class }) => error_class),
      where,
    ).toEqual(['dropped']);
    return;
  }
  expect(plan.drop, where).not.toBe(1);
  const isOver = extent === 'complete' && subscription.until === Number.POSITIVE_INFINITY;
  const tries = attempts.filter(({ reason }) => reason !== 'duplicate');
  const duplicates = attempts.slice(tries.length);
  const waits = waitsOf(plan);
  expect(
    attempts.map(({ reason }) => reason),
    where,
  ).toEqual([...tries.map((_, nth) => (nth === 0 ? 'event' : 'retry')), ...duplicates.map(() => 'duplicate')]);
  const last = tries.at(-1);
  const isAccepted = last !== undefined && last.error_class === null;
  expect(
    tries.slice(0, -1).every(({ error_class }) => error_class !== null),
    where,
  ).toBe(true);
  if (isOver) expect(isAccepted || tries.length === waits.length + 1, where).toBe(true);
  if (isOver) expect(status, where).toBe(isAccepted ? 'delivered' : 'failed');
  expect(tries.length, where).toBeLessThanOrEqual(waits.length + 1);
  const mayRepeat = isAccepted && (plan.duplicate ?? 0) > 0;
  expect(duplicates.length, where).toBeLessThanOrEqual(mayRepeat ? 1 : 0);
  if (mayRepeat && plan.duplicate === 1) expect(duplicates, where).toHaveLength(1);
  checkTimes(plan, delivery, waits, where);
  for (const { request } of attempts) {
    if (plan.tamper === 1) expect(request.body, where).not.toBe(delivery.body);
    if ((plan.tamper ?? 0) === 0) expect(request.body, where).toBe(delivery.body);
  }
  for (const { signed_with } of attempts) {
    if (plan.wrong_secret === 1) expect([null, 'wrong_secret'], where).toContain(signed_with);
    if ((plan.wrong_secret ?? 0) === 0) expect(signed_with, where).not.toBe('wrong_secret');
  }
}

function waitsOf({ retries }: DeliveryPlan): number[] {
  const waits = retries === 'short' ? SHORT : typeof retries === 'object' ? retries : [];
  return waits.map((wait) => parseDuration(wait) ?? Number.NaN);
}

function checkTimes(
  plan: DeliveryPlan,
  { attempts, created_at }: Delivery,
  waits: readonly number[],
  where: string,
): void {
  const [first, ...rest] = attempts.filter(({ reason }) => reason !== 'duplicate');
  if (!first) return;
  const waited = Date.parse(first.attempted_at) - Date.parse(created_at);
  const delay = (plan.delay && parseDurationRange(plan.delay)) || { min: 0, max: 0 };
  const swap = (plan.reorder ?? 0) > 0 ? SWAP_MS : 0;
  expect(waited, where).toBeGreaterThanOrEqual(swap > 0 ? 0 : delay.min);
  expect(waited, where).toBeLessThanOrEqual(delay.max + swap);
  let before = Date.parse(first.attempted_at);
  for (const [nth, { attempted_at }] of rest.entries()) {
    expect(Date.parse(attempted_at) - before, where).toBe(waits[nth]);
    before = Date.parse(attempted_at);
  }
}

/** What arrived is what was sent, to the byte, and nothing else. */
function checkArrivals(world: ModelWorld, receiver: RefusingReceiver, found: readonly Found[]): void {
  const sent = found.flatMap(({ delivery, subscription }) =>
    delivery.attempts
      .slice(world.attemptsBefore.get(delivery.id) ?? 0)
      .filter(({ response }) => response !== null)
      .map(({ request, response }) => `${subscription.path} ${response?.status} ${request.body}`),
  );
  const arrived = arrivalsOf(world, receiver).map(({ path, status, body }) => `${path} ${status} ${body}`);
  expect(arrived.sort(), `what has arrived from ${world.name}`).toEqual(sent.sort());
}

const arrivalsOf = ({ name, arrivedBefore }: ModelWorld, { got }: RefusingReceiver) =>
  got.slice(arrivedBefore).filter(({ path }) => path.startsWith(`/${name}/`));

/** Whether a plan leaves deliveries where they are in the order. */
const keepsOrder = ({ delay, reorder, retries }: DeliveryPlan): boolean =>
  delay === undefined && (reorder ?? 0) === 0 && (retries === undefined || retries === 'none');

function checkOrder(world: ModelWorld, receiver: RefusingReceiver, found: readonly Found[]): void {
  const orderly = found.filter(
    ({ subscription }) => !subscription.changed && keepsOrder(subscription.plan ?? world.plan ?? {}),
  );
  const events = new Map(
    orderly.flatMap(({ delivery, subscription, event }) =>
      delivery.attempts.map(({ request }) => [`${subscription.path} ${request.body}`, event] as const),
    ),
  );
  const latest = new Map<string, number>();
  for (const { path, body } of arrivalsOf(world, receiver)) {
    const event = events.get(`${path} ${body}`);
    const record: unknown = JSON.parse(body).id;
    if (event === undefined || typeof record !== 'string') continue;
    if (event < (latest.get(record) ?? 0))
      throw new Error(`${world.name} sent event ${event} about ${record} too late`);
    latest.set(record, event);
  }
}
