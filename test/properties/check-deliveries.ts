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
  /** The record that it is about. */
  readonly subject: string | null;
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
  for (const [number, { id, event_type, body, subject }] of events.entries()) {
    for (const subscription of world.subscriptions) {
      const { since, until } = subscription;
      if (subscription.event_type !== event_type || number < since || number >= until) continue;
      const [delivery, ...others] = own.filter(
        (each) => each.event_id === id && each.subscription_id === subscription.id,
      );
      if (!delivery || others.length > 0)
        throw new Error(`${id} of ${world.name} has ${others.length} more deliveries`);
      expect(delivery.body).toBe(body);
      found.push({ delivery, subscription, event: number, subject: subject?.id ?? null });
    }
  }
  expect(found, `the deliveries of ${world.name}`).toHaveLength(own.length);
  for (const each of found) checkPlan(world, each, extent);
  checkArrivals(world, receiver, found);
  for (const { inbox } of world.subscriptions) if (inbox !== null) await checkInbox(world, inbox, found);
  checkSwaps(world, own, found);
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
  if (!subscription.delayed) checkTimes(plan, delivery, waits, where);
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
  const toReceiver = found.filter(({ subscription }) => subscription.inbox === null);
  const sent = toReceiver.flatMap(({ delivery, subscription }) =>
    delivery.attempts
      .slice(world.attemptsBefore.get(delivery.id) ?? 0)
      .filter(({ response }) => response !== null)
      .map(({ request, response }) => `${subscription.path} ${response?.status} ${request.body}`),
  );
  const arrived = arrivalsOf(world, receiver).map(({ path, status, body }) => `${path} ${status} ${body}`);
  expect(arrived.sort(), `what has arrived from ${world.name}`).toEqual(sent.sort());
}

const arrivalsOf = ({ name, arrivedBefore }: ModelWorld, { got }: RefusingReceiver) =>
  got.slice(arrivedBefore).filter(({ path }) => path.startsWith(`/${name}/`) && path !== `/${name}/tick`);

/** An inbox has what was sent to it, also before a restore, and nothing else. */
async function checkInbox(world: ModelWorld, inbox: string, found: readonly Found[]): Promise<void> {
  const { data } = await world.must('GET', `/_sandbox/inbox/${inbox}/messages?page_size=1000`);
  const messages = data.map(({ status, body }: { status: number; body: string }) => `${status} ${body}`);
  const sent = found
    .filter(({ subscription }) => subscription.inbox === inbox)
    .flatMap(({ delivery }) => delivery.attempts.filter(({ response }) => response !== null))
    .map(({ request, response }) => `${response?.status} ${request.body}`);
  expect(messages.sort(), `what has arrived in ${inbox} of ${world.name}`).toEqual(sent.sort());
}

/**
 * A swapped delivery is sent with the next one of its subscription, or about its record to its receiver; a minute later
 * if there is none.
 */
function checkSwaps(world: ModelWorld, own: readonly Delivery[], found: readonly Found[]): void {
  const byId = new Map(found.map((each) => [each.delivery.id, each]));
  const inOrder = own.flatMap(({ id }) => byId.get(id) ?? []);
  if (inOrder.some(({ subscription }) => subscription.changed || subscription.delayed)) return;
  for (const [nth, { delivery, subscription, subject }] of inOrder.entries()) {
    const [first] = delivery.attempts;
    if (!first?.plan.includes('reorder')) continue;
    const overtakes = inOrder.slice(nth + 1).find((later) => {
      const isSame = later.subscription.id === subscription.id;
      const isAbout = subject !== null && later.subject === subject;
      const isThere = (later.subscription.inbox === null) === (subscription.inbox === null);
      return later.delivery.status !== 'dropped' && (isSame || (isAbout && isThere));
    });
    const latest = new Date(Date.parse(delivery.created_at) + SWAP_MS).toISOString();
    const isIn = overtakes !== undefined && overtakes.delivery.created_at < latest;
    const other = isIn ? overtakes.delivery.attempts[0] : undefined;
    // What overtakes it may be canceled, or be created at the very instant.
    if ((isIn && !other) || overtakes?.delivery.created_at === latest) continue;
    const expected = other?.attempted_at ?? latest;
    expect(first.attempted_at, `the swapped ${delivery.id} of ${world.name}`).toBe(expected);
  }
}

/** Whether a plan leaves deliveries where they are in the order. */
const keepsOrder = ({ delay, reorder, retries }: DeliveryPlan): boolean =>
  delay === undefined && (reorder ?? 0) === 0 && (retries === undefined || retries === 'none');

function checkOrder(world: ModelWorld, receiver: RefusingReceiver, found: readonly Found[]): void {
  const orderly = found.filter(
    ({ subscription }) =>
      !subscription.changed && !subscription.delayed && keepsOrder(subscription.plan ?? world.plan ?? {}),
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
