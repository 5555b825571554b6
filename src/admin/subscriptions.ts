// The sandbox's side of webhook subscriptions: the secret that deliveries are signed with, and the plan by which they are
// sent, of one subscription or of the world. `interface.md` section 5.
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { notFound } from '../errors/api-error.ts';
import { type DeliveryPlan, type Row, wireOf } from '../model.ts';
import type { Tx } from '../store/store.ts';
import { followPlans } from '../webhooks/held-deliveries.ts';
import { planOfWorld, setPlanOfWorld } from '../webhooks/plans.ts';

type Parts = Pick<SandboxContext, 'store'>;

export type SubscriptionView = ReturnType<typeof serializeSubscription>;

function serializeSubscription(subscription: Row<'subscriptions'>) {
  const { signing_secret, plan = null } = subscription.private;
  return { ...wireOf(subscription), signing_secret, plan };
}

function subscriptionOf(tx: Tx, id: string): Row<'subscriptions'> {
  const subscription = tx.get('subscriptions', id);
  if (!subscription) throw notFound('webhook subscription', id);
  return subscription;
}

export function findSubscription({ store }: Parts, world: string, id: string): Promise<SubscriptionView> {
  return store.transaction(world, (tx) => serializeSubscription(subscriptionOf(tx, id)));
}

/** What is left out stays as it is. */
export interface SubscriptionChange {
  /** Null removes it, and deliveries are no longer signed. */
  readonly signing_secret?: string | null | undefined;
  /** Replaces the plan; null removes it, and the plan of the world applies. */
  readonly plan?: DeliveryPlan | null | undefined;
}

export function changeSubscription(
  { store }: Parts,
  world: string,
  id: string,
  change: SubscriptionChange,
): Promise<SubscriptionView> {
  return store.transaction(world, (tx) => {
    const subscription = subscriptionOf(tx, id);
    const { plan: before, ...rest } = subscription.private;
    const { signing_secret = rest.signing_secret, plan = before } = change;
    const changed = { ...subscription, private: { ...rest, signing_secret, ...(plan && { plan }) } };
    tx.put('subscriptions', changed);
    if (change.plan !== undefined) followPlans(tx);
    return serializeSubscription(changed);
  });
}

/** The plan of every subscription that has none of its own; empty if there is none. */
export function readWorldPlan({ store }: Parts, world: string): Promise<DeliveryPlan> {
  return store.transaction(world, (tx) => planOfWorld(tx) ?? {});
}

export function setWorldPlan({ store }: Parts, world: string, plan: DeliveryPlan): Promise<DeliveryPlan> {
  return store.transaction(world, (tx) => {
    setPlanOfWorld(tx, plan);
    followPlans(tx);
    return plan;
  });
}

export async function deleteWorldPlan({ store }: Parts, world: string): Promise<void> {
  await store.transaction(world, (tx) => {
    setPlanOfWorld(tx, undefined);
    followPlans(tx);
  });
}
