// Deliveries that are not sent at once: their plan delays them, swaps them with the next one or is paused, or they have
// failed and will be retried. Each is held by a record of its own, the subject of the task that sends it. A held
// delivery blocks neither the barrier of an advance nor later deliveries.
import { isStopped, LATEST_INSTANT, timestamp } from '../clock/clock.ts';
import { formatDuration } from '../clock/duration.ts';
import type { Task } from '../lifecycles/tasks.ts';
import type { DeliveryEntry, DeliveryPlan, Hold, NextAttempt, Row } from '../model.ts';
import type { Tx } from '../store/store.ts';
import { coverAttempt } from './cover-attempt.ts';
import { droppedByPlan } from './failures.ts';
import { type Delay, delayEffect, delayOf, happens, planOf } from './plans.ts';
import { receiverOf } from './receiver.ts';

/** A delivery that waits for the next one is sent after this time of the world, if none has come. */
const SWAP_MS = 60_000;

/** Their order: a delivery that is held gets the next number. */
const ORDER = 'order of waiting deliveries';

/** How many deliveries wait for the next one: a counter, which every other delivery can ask at no cost. */
const SWAPPED = 'deliveries that wait for the next one';

/** Appends a new delivery, to be sent as the plan of its subscription says. */
export function place(tx: Tx, delivery: DeliveryEntry, subscription: Row<'subscriptions'>): void {
  if (delivery.status !== 'pending') return tx.append('deliveries', delivery);
  const plan = planOf(tx, subscription);
  if (plan && happens(plan, 'drop', delivery)) return drop(tx, delivery);
  if (plan?.paused || isBehindPaused(tx, delivery))
    return tx.append('deliveries', hold(tx, delivery, 'paused', null, withEffect(delivery, 'paused')));
  const swapped = tx.counter(SWAPPED) > 0 ? whatItOvertakes(tx, delivery) : [];
  if (plan && swapped.length === 0 && happens(plan, 'reorder', delivery)) {
    return tx.append('deliveries', hold(tx, delivery, 'reorder', tx.at + SWAP_MS, withEffect(delivery, 'reorder')));
  }
  const delay = plan && delayOf(plan, delivery);
  const due = delay ? dueAfter(tx, delivery, delay) : null;
  tx.append('deliveries', due === null ? delivery : delayed(tx, delivery, due));
  for (const { id } of swapped) sendAt(tx, id, due);
}

function drop(tx: Tx, delivery: DeliveryEntry): void {
  const unsent = { request_headers: {}, status: null, response_headers: null, response_body: null, latency_ms: 0 };
  const attempt = { number: 1, at: delivery.at, ...unsent, ...droppedByPlan, plan: ['drop'] };
  tx.append('deliveries', { ...delivery, status: 'dropped', attempts: [attempt] });
  coverAttempt(tx, delivery, attempt);
}

/**
 * Whether deliveries are ahead of one whose plan is not paused, of its subscription or about its record to its receiver,
 * that a pause has held and the end of that pause has not reached yet: see `followPlans`.
 */
function isBehindPaused(tx: Tx, delivery: DeliveryEntry): boolean {
  if (!isFollowing(tx) || tx.count('waiting_deliveries', 'held_by', 'paused' satisfies Hold) === 0) return false;
  const latest = { newestFirst: true, limit: 1 };
  const inSubscription = `paused ${delivery.subscription_id}`;
  if (tx.count('waiting_deliveries', 'held_in_subscription', inSubscription) > 0) return true;
  const group = groupOf(delivery);
  const inGroup = group === null ? [] : tx.page('waiting_deliveries', 'held_in_group', `paused ${group}`, latest);
  return inGroup.some(({ subscription_id }) => !planOf(tx, tx.get('subscriptions', subscription_id))?.paused);
}

/** The deliveries whose turn it is after this one: of its subscription, or about its record to its receiver. */
function whatItOvertakes(tx: Tx, delivery: DeliveryEntry): Row<'waiting_deliveries'>[] {
  const inSubscription = tx.page('waiting_deliveries', 'held_in_subscription', `reorder ${delivery.subscription_id}`);
  const group = groupOf(delivery);
  const inGroup = group === null ? [] : tx.page('waiting_deliveries', 'held_in_group', `reorder ${group}`);
  const both = new Map([...inSubscription, ...inGroup].map((waiting) => [waiting.id, waiting]));
  return [...both.values()].sort((a, b) => a.private.rank - b.private.rank);
}

/** When a delivery is sent that is delayed: not before those ahead of it, as far as its own plan allows that. */
function dueAfter(tx: Tx, delivery: DeliveryEntry, { ms, max }: Delay): number {
  const group = groupOf(delivery);
  const latest = { newestFirst: true, limit: 1 };
  const ahead = [
    ...tx.page('waiting_deliveries', 'held_in_subscription', `delay ${delivery.subscription_id}`, latest),
    ...(group === null ? [] : tx.page('waiting_deliveries', 'held_in_group', `delay ${group}`, latest)),
  ].flatMap(({ due }) => (due !== null && due <= tx.at + max ? [due] : []));
  return Math.max(tx.at + ms, ...ahead);
}

const delayed = (tx: Tx, delivery: DeliveryEntry, due: number): DeliveryEntry =>
  hold(tx, delivery, 'delay', due, withEffect(delivery, delayEffect(due - tx.at)));

/** What a plan has done to the next attempt so far, and this too. */
const withEffect = ({ next }: DeliveryEntry, effect: string): NextAttempt => ({
  reason: next?.reason ?? 'event',
  effects: [...(next?.effects ?? []), effect],
});

/** Holds a delivery until an instant, or until something releases it; returns what becomes of its entry. */
export function hold(
  tx: Tx,
  delivery: DeliveryEntry,
  held_by: Hold,
  at: number | null,
  next: NextAttempt,
  rank = tx.ordinal(ORDER),
): DeliveryEntry {
  const { id, subscription_id, organization_id } = delivery;
  const due = at === null ? null : Math.min(LATEST_INSTANT, at);
  const group = groupOf(delivery);
  tx.put('waiting_deliveries', { id, held_by, subscription_id, group, due, private: { organization_id, rank } });
  if (due !== null) tx.schedule({ type: 'send_delivery', subject: { table: 'waiting_deliveries', id } }, due);
  if (held_by === 'reorder') countSwapped(tx);
  return { ...delivery, held_by, next, next_attempt_at: due === null ? null : timestamp(due) };
}

/** Of a delivery that is no longer held. */
export const notHeld = { held_by: undefined, next_attempt_at: null };

/** Ends the hold of a delivery; returns its entry, which is no longer held and has no next attempt. */
export function unhold(tx: Tx, id: string): DeliveryEntry | undefined {
  const waiting = tx.get('waiting_deliveries', id);
  const delivery = tx.entry('deliveries', id);
  if (waiting) {
    tx.remove('waiting_deliveries', id);
    tx.unschedule({ table: 'waiting_deliveries', id });
    if (waiting.held_by === 'reorder') countSwapped(tx);
  }
  return delivery && { ...delivery, ...notHeld };
}

/** Whether time alone will send a delivery that is held; not on a stopped clock, nor while the plan is paused. */
export function willSend(tx: Tx): boolean {
  const ends: readonly Hold[] = ['delay', 'reorder', 'retry'];
  return !isStopped(tx.state('clock').mode) && ends.some((hold) => tx.count('waiting_deliveries', 'held_by', hold) > 0);
}

const countSwapped = (tx: Tx): void =>
  tx.setCounter(SWAPPED, tx.count('waiting_deliveries', 'held_by', 'reorder' satisfies Hold));

/** Sends a delivery that is held, now or at a later instant. */
function sendAt(tx: Tx, id: string, due: number | null): void {
  const delivery = unhold(tx, id);
  if (!delivery) return;
  const pending: DeliveryEntry = { ...delivery, status: 'pending' };
  tx.amend('deliveries', due === null ? pending : delayed(tx, pending, due));
}

/** The instant of a delivery that was held has come. */
export function sendDelivery(tx: Tx, { subject: { id } }: Task<'send_delivery'>): void {
  const waiting = tx.get('waiting_deliveries', id);
  if (!waiting) return;
  if (!planOf(tx, tx.get('subscriptions', waiting.subscription_id))?.paused) return sendAt(tx, id, null);
  const delivery = unhold(tx, id);
  if (delivery) pause(tx, delivery);
}

function pause(tx: Tx, delivery: DeliveryEntry, rank?: number): void {
  const pending: DeliveryEntry = { ...delivery, status: 'pending' };
  tx.amend('deliveries', hold(tx, pending, 'paused', null, withEffect(pending, 'paused'), rank));
}

/** How many deliveries are held, and how many are sent, in one transaction after a change of plans. */
const SLICE = 250;

/**
 * What is left to do after a change of plans is in the world, as counters: so another process can go on with it. The number
 * of the change, 0 if nothing is left; the place of the last delivery that was looked at of those that a pause has held, -1
 * if all were; and the place of the last one that is still to be held.
 */
const CHANGE = 'change of plans that is followed';
const LOOKED_UP_TO = 'place up to which held deliveries were looked at';
const LAST_PLACE = 'place of the last delivery that is still to be held';
const ALL_LOOKED_AT = -1;

/** Goes on with it if whoever began does not: a task of its own, about no delivery. */
const goOn = { type: 'follow_plans', subject: { table: 'waiting_deliveries', id: 'all' } } as const;
/** In system time; on a stopped clock, the next advance goes on with it. */
const GO_ON_MS = 2000;

/** What whoever follows a change of plans remembers of it, which saves looking for it. */
export interface PlansToFollow {
  /** In another epoch, or after another change, there is nothing left. */
  readonly epoch: number;
  readonly change: number;
  /** What is pending and has a paused plan now, in order. */
  readonly toHold: readonly string[];
}

/** Whether something is left to do after a change of plans: the next one must not begin before that is done. */
export const isFollowing = (tx: Tx): boolean => tx.counter(CHANGE) !== 0;

/**
 * To be called in the transaction that changes plans: holds what has a paused plan now, and sends what has none any more,
 * in order. Where that is much, it is a part of it: returns what is left for `followFurther`. New deliveries keep their
 * places behind those that are left.
 */
export function followPlans(tx: Tx): PlansToFollow | undefined {
  const toHold = toHoldIn(tx);
  const left = followSlice(tx, toHold, 0, placesFor(tx, toHold.length));
  if (!left) return undefined;
  const change = tx.ordinal(CHANGE);
  keep(tx, change, left);
  scheduleGoOn(tx);
  return { epoch: tx.state('epoch'), change, toHold: left.toHold };
}

/** Does a part of what is left to do after a change of plans; returns what is left then. */
export function followFurther(tx: Tx, followed?: PlansToFollow): PlansToFollow | undefined {
  const change = tx.counter(CHANGE);
  const epoch = tx.state('epoch');
  if (change === 0 || (followed && (followed.epoch !== epoch || followed.change !== change))) return undefined;
  const toHold = followed?.toHold ?? toHoldIn(tx);
  const left = followSlice(tx, toHold, tx.counter(LOOKED_UP_TO), tx.counter(LAST_PLACE));
  if (left) {
    keep(tx, change, left);
    return { epoch, change, toHold: left.toHold };
  }
  for (const name of [CHANGE, LOOKED_UP_TO, LAST_PLACE]) tx.setCounter(name, 0);
  tx.unschedule(goOn.subject);
  return undefined;
}

/** Goes on with a change of plans that is not complete yet. */
export function goOnFollowing(tx: Tx): void {
  if (followFurther(tx)) tx.schedule(goOn, tx.at);
}

const scheduleGoOn = (tx: Tx): void => tx.schedule(goOn, tx.at + GO_ON_MS * tx.state('clock').speed);

interface Left {
  readonly lookedUpTo: number;
  readonly lastPlace: number;
  readonly toHold: readonly string[];
}

function keep(tx: Tx, change: number, { lookedUpTo, lastPlace }: Left): void {
  tx.setCounter(CHANGE, change);
  tx.setCounter(LOOKED_UP_TO, lookedUpTo);
  tx.setCounter(LAST_PLACE, lastPlace);
}

function followSlice(tx: Tx, toHold: readonly string[], lookedUpTo: number, lastPlace: number): Left | undefined {
  const isPaused = pausedIn(tx);
  const looked = lookedUpTo === ALL_LOOKED_AT ? [] : heldByPause(tx, lookedUpTo);
  for (const { id, subscription_id } of looked) if (!isPaused(subscription_id)) sendAt(tx, id, null);
  // From the end, so that what is still to be held, and may be sent meanwhile, overtakes nothing.
  const held = toHold.slice(-SLICE);
  const firstPlace = lastPlace - held.length + 1;
  for (const [index, id] of held.entries()) {
    const delivery = tx.entry('deliveries', id);
    if (delivery && isUnheld(delivery) && isPaused(delivery.subscription_id)) pause(tx, delivery, firstPlace + index);
  }
  const last = looked.length < SLICE ? ALL_LOOKED_AT : (looked.at(-1)?.private.rank ?? ALL_LOOKED_AT);
  const left = toHold.slice(0, -SLICE);
  return last === ALL_LOOKED_AT && left.length === 0
    ? undefined
    : { lookedUpTo: last, lastPlace: firstPlace - 1, toHold: left };
}

/** Gives so many deliveries the next places; returns the last of them, 0 for none. */
function placesFor(tx: Tx, count: number): number {
  if (count === 0) return 0;
  const last = tx.ordinal(ORDER) + count - 1;
  tx.setOrdinal(ORDER, last);
  return last;
}

/** What is pending and has a paused plan, and is not held yet, in order. */
function toHoldIn(tx: Tx): string[] {
  const isPaused = pausedIn(tx);
  const toHold: string[] = [];
  for (const { entry } of tx.history.allOpen('deliveries'))
    if (isUnheld(entry) && isPaused(entry.subscription_id)) toHold.push(entry.id);
  return toHold;
}

const heldByPause = (tx: Tx, after: number): Row<'waiting_deliveries'>[] =>
  tx.page('waiting_deliveries', 'held_by', 'paused' satisfies Hold, { after, limit: SLICE });

const isUnheld = ({ status, held_by }: DeliveryEntry): boolean => status === 'pending' && held_by === undefined;

/** Whether the plan of a subscription is paused, by its id; looks each up once. */
function pausedIn(tx: Tx): (subscription: string) => boolean {
  const planById = new Map<string, DeliveryPlan | undefined>();
  return (subscription) => {
    if (!planById.has(subscription)) planById.set(subscription, planOf(tx, tx.get('subscriptions', subscription)));
    return planById.get(subscription)?.paused === true;
  };
}

/** The record that a delivery is about, and its receiver. */
const groupOf = ({ subject, url }: DeliveryEntry): string | null =>
  subject && `${receiverOf(url)} ${subject.table} ${subject.id}`;

/** Plans the next attempt of a delivery that has just failed, if there is to be one; returns what becomes of its entry. */
export function withRetry(tx: Tx, failed: DeliveryEntry, wait: number | undefined): DeliveryEntry {
  if (wait === undefined || failed.epoch !== tx.state('epoch')) return failed;
  return hold(tx, failed, 'retry', tx.at + wait, { reason: 'retry', effects: [`retry=${formatDuration(wait)}`] });
}
