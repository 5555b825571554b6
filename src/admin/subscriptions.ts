// The sandbox's side of a webhook subscription: the secret that its deliveries are signed with.
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { notFound } from '../errors/api-error.ts';
import { type Row, wireOf } from '../model.ts';
import type { Tx } from '../store/store.ts';

type Parts = Pick<SandboxContext, 'store'>;

export type SubscriptionView = ReturnType<typeof serializeSubscription>;

function serializeSubscription(subscription: Row<'subscriptions'>) {
  return { ...wireOf(subscription), signing_secret: subscription.private.signing_secret };
}

function subscriptionOf(tx: Tx, id: string): Row<'subscriptions'> {
  const subscription = tx.get('subscriptions', id);
  if (!subscription) throw notFound('webhook subscription', id);
  return subscription;
}

export function findSubscription({ store }: Parts, world: string, id: string): Promise<SubscriptionView> {
  return store.transaction(world, (tx) => serializeSubscription(subscriptionOf(tx, id)));
}

/** Sets the signing secret; null removes it, and its deliveries are no longer signed. */
export function setSigningSecret(
  { store }: Parts,
  world: string,
  id: string,
  signing_secret: string | null,
): Promise<SubscriptionView> {
  return store.transaction(world, (tx) => {
    const subscription = subscriptionOf(tx, id);
    const changed = { ...subscription, private: { ...subscription.private, signing_secret } };
    tx.put('subscriptions', changed);
    return serializeSubscription(changed);
  });
}
