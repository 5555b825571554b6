// What the sandbox adds to webhook subscriptions: the secret that signs deliveries, and the delivery plan of one
// subscription or of the world. `interface.md` section 5.
import { addSubscription, checkWebhookUrl } from '../domain/webhooks/new-subscription.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { transactSlice } from '../engine/transact-slice.ts';
import { notFound } from '../errors/api-error.ts';
import type { EventType } from '../events/catalogue.ts';
import { type DeliveryPlan, type Row, wireOf } from '../model.ts';
import type { Tx } from '../store/store.ts';
import { followFurther, followPlans, isFollowing } from '../webhooks/held-deliveries.ts';
import { planOfWorld, setPlanOfWorld } from '../webhooks/plans.ts';
import { type Page, type PageRequest, pageOf } from './pages.ts';
import { findVisible, type Reader } from './reader.ts';

type Parts = Pick<SandboxContext, 'store'>;
type ChangeParts = Pick<SandboxContext, 'store' | 'turns' | 'planChanges'>;

export type SubscriptionView = ReturnType<typeof serializeSubscription>;

function serializeSubscription(subscription: Row<'subscriptions'>) {
  const { signing_secret, plan = null } = subscription.private;
  return { ...wireOf(subscription), signing_secret, plan };
}

function subscriptionOf(tx: Tx, id: string, reader: Reader): Row<'subscriptions'> {
  const subscription = findVisible(tx, 'subscriptions', id, reader);
  if (!subscription) throw notFound('webhook subscription', id);
  return subscription;
}

export function findSubscription(
  { store }: Parts,
  world: string,
  id: string,
  reader: Reader = {},
): Promise<SubscriptionView> {
  return store.transaction(world, (tx) => serializeSubscription(subscriptionOf(tx, id, reader)));
}

/** Those of the reader's organization, or of the world's own, in the order in which they were made. */
export function listSubscriptions(
  { store }: Parts,
  world: string,
  { organization, ...page }: PageRequest & Reader,
): Promise<Page<SubscriptionView>> {
  return store.transaction(world, (tx) => {
    const rows = tx.page('subscriptions', 'organization', organization ?? tx.world.organization_id);
    return pageOf(rows.map(serializeSubscription), page);
  });
}

/**
 * Subscribes an address to event types of the world's own organization, each with that plan; returns the subscriptions in
 * the order of the types. `validation_error` for an address that cannot be.
 */
export async function subscribe(
  { store, settings }: Pick<SandboxContext, 'store' | 'settings'>,
  world: string,
  webhook_url: string,
  types: readonly EventType[],
  plan: DeliveryPlan | undefined,
): Promise<SubscriptionView[]> {
  checkWebhookUrl(webhook_url, settings.webhookHttp);
  return store.transaction(world, (tx) =>
    tx.withinBounds(() =>
      types.map((event_type) =>
        serializeSubscription(addSubscription(tx, tx.world, { webhook_url, event_type }, plan)),
      ),
    ),
  );
}

/** What is left out stays as it is. */
export interface SubscriptionChange {
  /** Null removes it, and deliveries are no longer signed. */
  readonly signing_secret?: string | null | undefined;
  /** Replaces the plan; null removes it, and the plan of the world applies. */
  readonly plan?: DeliveryPlan | null | undefined;
}

export function changeSubscription(
  parts: ChangeParts,
  world: string,
  id: string,
  change: SubscriptionChange,
  reader: Reader = {},
): Promise<SubscriptionView> {
  const body = (tx: Tx): SubscriptionView => {
    const subscription = subscriptionOf(tx, id, reader);
    const { plan: before, ...rest } = subscription.private;
    const { signing_secret = rest.signing_secret, plan = before } = change;
    const changed = { ...subscription, private: { ...rest, signing_secret, ...(plan && { plan }) } };
    tx.withinBounds(() => tx.put('subscriptions', changed));
    return serializeSubscription(changed);
  };
  return change.plan === undefined ? parts.store.transaction(world, body) : changePlans(parts, world, body);
}

/**
 * Changes plans, and holds and sends what follows from that, in slices: a world can have tens of thousands of deliveries
 * that a pause has held. What is left of an earlier change, by another process as well, is done first: deliveries keep
 * their order. If the server ends in between, the caller has had no answer, and the schedule of the world goes on with it.
 */
function changePlans<Result>(parts: ChangeParts, world: string, change: (tx: Tx) => Result): Promise<Result> {
  const begin = (tx: Tx) => {
    if (!isFollowing(tx)) return { result: change(tx), left: followPlans(tx) };
    followFurther(tx);
    return undefined;
  };
  return parts.planChanges.run(world, async () => {
    let begun = await parts.store.transaction(world, begin);
    while (!begun) begun = await transactSlice(parts, world, begin);
    let { left } = begun;
    while (left) {
      const now = left;
      left = await transactSlice(parts, world, (tx) => followFurther(tx, now));
    }
    return begun.result;
  });
}

/** Does what is left of a change of plans: a snapshot may have been made in the middle of one. */
export const finishPlanChange = (parts: ChangeParts, world: string): Promise<void> =>
  changePlans(parts, world, () => {});

/** The plan of every subscription that has none of its own; empty if there is none. */
export function readWorldPlan({ store }: Parts, world: string): Promise<DeliveryPlan> {
  return store.transaction(world, (tx) => planOfWorld(tx) ?? {});
}

export function setWorldPlan(parts: ChangeParts, world: string, plan: DeliveryPlan): Promise<DeliveryPlan> {
  return changePlans(parts, world, (tx) => {
    tx.withinBounds(() => setPlanOfWorld(tx, plan));
    return plan;
  });
}

export function deleteWorldPlan(parts: ChangeParts, world: string): Promise<void> {
  return changePlans(parts, world, (tx) => setPlanOfWorld(tx, undefined));
}
