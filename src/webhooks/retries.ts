// Further attempts of a failed delivery, as the world assumes (`delivery_policy`). Each is a scheduled task of the world's
// clock; later deliveries do not wait for it. The task is about the subscription, and is canceled with it.
import { assumed, type ValueOf } from '../assumptions/catalogue.ts';
import { timestamp } from '../clock/clock.ts';
import type { Task } from '../lifecycles/tasks.ts';
import type { DeliveryEntry } from '../model.ts';
import type { Tx } from '../store/store.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The wait before each further attempt. */
const waits: Record<ValueOf<'delivery_policy'>, readonly number[]> = {
  once: [],
  short: [5, 15, 40].map((seconds) => seconds * SECOND_MS),
  standard: [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, ...[2, 3, 4, 6, 8].map((hours) => hours * HOUR_MS)],
};

/** Schedules the next attempt of a delivery that has just failed; returns it with the instant of that attempt. */
export function withRetry(tx: Tx, failed: DeliveryEntry): DeliveryEntry {
  const wait = waits[assumed(tx.state('assumptions'), 'delivery_policy')][failed.attempts.length - 1];
  const isSubscribed = tx.get('subscriptions', failed.subscription_id) !== undefined;
  if (wait === undefined || !isSubscribed || failed.epoch !== tx.state('epoch')) return failed;
  const at = tx.at + wait;
  const subject = { table: 'subscriptions', id: failed.subscription_id } as const;
  tx.schedule({ type: 'retry_delivery', subject, delivery_id: failed.id }, at);
  return { ...failed, next_attempt_at: timestamp(at) };
}

/** Queues a delivery again, unless it has been accepted, canceled or sent again meanwhile. */
export function retryDelivery(tx: Tx, { delivery_id }: Task<'retry_delivery'>): void {
  const delivery = tx.entry('deliveries', delivery_id);
  if (delivery?.status !== 'failed' || delivery.next_attempt_at !== timestamp(tx.at)) return;
  tx.amend('deliveries', { ...delivery, status: 'pending', next_attempt_at: null });
}
