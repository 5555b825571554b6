// The delivery plan of a subscription, and what it decides. Draws follow from the seed, the subscription, the event and
// the attempt, so that the same order of requests always gives the same result. `interface.md` sections 5 and 6.
import { assumed, type ValueOf } from '../assumptions/catalogue.ts';
import { formatDuration, parseDuration, parseDurationRange } from '../clock/duration.ts';
import { fraction, integer, token } from '../identity/seeded.ts';
import { type DeliveryEntry, type DeliveryPlan, type Row, WORLD_PLAN } from '../model.ts';
import type { Tx } from '../store/store.ts';
import { type Limits, limitsFor } from './failures.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The wait before each further attempt. */
const retryWaits: Record<ValueOf<'delivery_policy'>, readonly number[]> = {
  once: [],
  short: [5, 15, 40].map((seconds) => seconds * SECOND_MS),
  standard: [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, ...[2, 3, 4, 6, 8].map((hours) => hours * HOUR_MS)],
};

/** A counter, which costs a world without a plan less to read than the table does. */
const HAS_PLAN = 'plan of the world';

type Probability = 'duplicate' | 'reorder' | 'drop' | 'tamper' | 'wrong_secret';

/** The plan of a subscription: its own, or else that of its world. */
export function planOf(tx: Tx, subscription: Row<'subscriptions'> | undefined): DeliveryPlan | undefined {
  return subscription?.private.plan ?? planOfWorld(tx);
}

export function planOfWorld(tx: Tx): DeliveryPlan | undefined {
  return tx.counter(HAS_PLAN) > 0 ? tx.get('webhook_plans', WORLD_PLAN)?.plan : undefined;
}

export function setPlanOfWorld(tx: Tx, plan: DeliveryPlan | undefined): void {
  const { organization_id } = tx.world;
  if (plan) tx.put('webhook_plans', { id: WORLD_PLAN, plan, private: { organization_id, rank: 0 } });
  else tx.remove('webhook_plans', WORLD_PLAN);
  tx.setCounter(HAS_PLAN, plan ? 1 : 0);
}

/** The number of the next attempt of a delivery. */
const nextNumber = ({ attempts }: DeliveryEntry): number => attempts.length + 1;

/** Whether a plan does something to the next attempt of a delivery. */
export function happens(plan: DeliveryPlan, what: Probability, delivery: DeliveryEntry): boolean {
  const probability = plan[what] ?? 0;
  if (probability === 0 || probability === 1) return probability === 1;
  const { subscription_id, event_id } = delivery;
  return fraction(subscription_id, event_id, what, nextNumber(delivery)) < probability;
}

export interface Delay {
  readonly ms: number;
  /** The longest one that the plan allows. */
  readonly max: number;
}

/** How long a delivery waits before it is sent; undefined if it does not. */
export function delayOf({ delay }: DeliveryPlan, delivery: DeliveryEntry): Delay | undefined {
  const range = delay === undefined ? undefined : parseDurationRange(delay);
  if (!range || range.max === 0) return undefined;
  const { subscription_id, event_id } = delivery;
  const ms = integer(range.min, range.max, subscription_id, event_id, 'delay', nextNumber(delivery));
  return { ms, max: range.max };
}

export const delayEffect = (ms: number): string => `delay=${formatDuration(ms)}`;

/** The wait before each further attempt; what the world assumes unless the plan says it. */
export function waitsOf(tx: Tx, plan: DeliveryPlan | undefined): readonly number[] {
  const { retries } = plan ?? {};
  if (typeof retries === 'object') return retries.map((wait) => parseDuration(wait) ?? 0);
  if (retries !== undefined) return retryWaits[retries === 'none' ? 'once' : retries];
  return retryWaits[assumed(tx.state('assumptions'), 'delivery_policy')];
}

/** The time limits of an attempt, in milliseconds of real time; what the plan leaves out is as the world assumes. */
export function limitsOf(tx: Tx, plan: DeliveryPlan | undefined): Limits {
  const { connect, answer, total } = plan?.timeout ?? {};
  const limit = (text: string | undefined): number | undefined =>
    text === undefined ? undefined : parseDuration(text);
  const response = limit(answer) ?? assumed(tx.state('assumptions'), 'delivery_timeout');
  const usual = limitsFor(response);
  return { response, connect: limit(connect) ?? usual.connect, total: limit(total) ?? usual.total };
}

/** A secret that is not the subscription's. */
export const wrongSecret = (delivery: DeliveryEntry): string =>
  token(32, delivery.subscription_id, delivery.event_id, 'wrong secret', nextNumber(delivery));

/**
 * A body of which one byte is another than was signed: a digit at the end of a value, such as that of a phone number or an
 * id, so that it is still valid JSON; a space before the last character if there is none.
 */
export function tampered(delivery: DeliveryEntry): string {
  const { body, subscription_id, event_id } = delivery;
  return tamperedBody(body, (count) => integer(0, count - 1, subscription_id, event_id, nextNumber(delivery)));
}

/** `choose` takes one of that many digits. */
export function tamperedBody(body: string, choose: (count: number) => number): string {
  const digits = [...body.matchAll(/\d(?="[,}\]])/g)].map(({ index }) => index);
  const at = digits[choose(Math.max(1, digits.length))];
  if (at === undefined) return `${body.slice(0, -1)} ${body.slice(-1)}`;
  return `${body.slice(0, at)}${(Number(body[at]) + 1) % 10}${body.slice(at + 1)}`;
}
