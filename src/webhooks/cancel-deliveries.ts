// Cancels what is still to be sent for a subscription that was deleted. That can be tens of thousands of deliveries, and
// all worlds would wait while one transaction cancels them.
import type { Task } from '../lifecycles/tasks.ts';
import type { DeliveryEntry } from '../model.ts';
import type { Tx } from '../store/store.ts';
import { unhold } from './held-deliveries.ts';

/** How many one transaction cancels. */
const SLICE = 250;

/**
 * To be called in the transaction that deletes the subscription: cancels a part, and leaves the rest to tasks of the same
 * instant. What is left is not sent meanwhile, since its subscription is gone.
 */
export function cancelDeliveries(tx: Tx, subscription: string): void {
  const held = tx.page('waiting_deliveries', 'subscription', subscription, { limit: SLICE });
  for (const { id } of held) {
    const delivery = unhold(tx, id);
    if (delivery) tx.amend('deliveries', delivery.status === 'pending' ? canceled(delivery) : delivery);
  }
  const isQueued = ({ status, subscription_id }: DeliveryEntry): boolean =>
    status === 'pending' && subscription_id === subscription;
  const queued = tx.history.open('deliveries', isQueued, SLICE - held.length);
  for (const { entry } of queued) tx.amend('deliveries', canceled(entry));
  if (held.length + queued.length < SLICE) return;
  tx.schedule({ type: 'cancel_deliveries', subject: { table: 'subscriptions', id: subscription } }, tx.at);
}

export const goOnCanceling = (tx: Tx, { subject }: Task<'cancel_deliveries'>): void => cancelDeliveries(tx, subject.id);

const canceled = (delivery: DeliveryEntry): DeliveryEntry => ({ ...delivery, status: 'canceled' });
