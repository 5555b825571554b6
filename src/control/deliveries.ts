// Deliveries: every attempt of every webhook, exactly as it went over the wire.
import { z } from 'zod';
import { ApiError, notFound } from '../errors/api-error.ts';
import { eventTypes } from '../events/catalogue.ts';
import type { DeliveryEntry } from '../model.ts';
import { pageOfEntries, paging, route } from './route.ts';

/** A delivery as the control API shows it. */
export function serializeDelivery(delivery: DeliveryEntry) {
  return {
    id: delivery.id,
    event_id: delivery.event_id,
    event_type: delivery.event_type,
    subscription_id: delivery.subscription_id,
    url: delivery.url,
    status: delivery.status,
    created_at: delivery.at,
    /** The exact bytes that are sent, as text. */
    body: delivery.body,
    schema_violations: delivery.schema_violations,
    cause: delivery.cause,
    attempts: delivery.attempts.map(({ at, request_headers, status, response_headers, response_body, ...rest }) => ({
      attempted_at: at,
      ...rest,
      request: { headers: request_headers, body: delivery.body },
      response: status === null ? null : { status, headers: response_headers, body: response_body },
    })),
  };
}

export const deliveryRoutes = [
  route({
    method: 'get',
    path: '/deliveries',
    summary: 'Deliveries, newest first',
    query: z.strictObject({
      ...paging,
      status: z.enum(['pending', 'in_flight', 'delivered', 'failed', 'canceled']).optional(),
      event_type: z.enum(eventTypes as [string, ...string[]]).optional(),
      subscription_id: z.string().optional(),
    }),
    async handle({ sandbox, world, query }) {
      const { entries, dropped } = await sandbox.store.transaction(world, (tx) => tx.journal('deliveries'));
      const matching = entries.filter(
        (each) =>
          (query.status === undefined || each.status === query.status) &&
          (query.event_type === undefined || each.event_type === query.event_type) &&
          (query.subscription_id === undefined || each.subscription_id === query.subscription_id),
      );
      const { page, meta } = pageOfEntries(matching.reverse(), query);
      return { data: page.map(serializeDelivery), meta: { ...meta, dropped } };
    },
  }),
  route({
    method: 'get',
    path: '/deliveries/:id',
    summary: 'One delivery',
    async handle({ sandbox, world, params: { id = '' } }) {
      const delivery = await sandbox.store.transaction(world, (tx) => tx.entry('deliveries', id));
      if (!delivery) throw notFound('delivery', id);
      return { data: serializeDelivery(delivery) };
    },
  }),
  route({
    method: 'post',
    path: '/deliveries/:id/redeliver',
    summary: 'Send the same bytes again, as a further attempt',
    async handle({ sandbox, world, params: { id = '' } }) {
      const again = await sandbox.store.transaction(world, (tx): DeliveryEntry => {
        const delivery = tx.entry('deliveries', id);
        if (!delivery) throw notFound('delivery', id);
        if (delivery.status === 'pending' || delivery.status === 'in_flight') {
          throw new ApiError('conflict', {
            message: `The delivery is ${delivery.status}; one that is delivered, failed or canceled can be sent again.`,
          });
        }
        if (delivery.epoch !== tx.state('epoch')) {
          throw new ApiError('conflict', {
            message: 'The delivery belongs to the time before a reset; it is recorded and never sent.',
          });
        }
        if (!tx.get('subscriptions', delivery.subscription_id)) {
          throw new ApiError('conflict', { message: `The subscription ${delivery.subscription_id} has been deleted.` });
        }
        const pending: DeliveryEntry = { ...delivery, status: 'pending' };
        tx.amend('deliveries', pending);
        return pending;
      });
      return { data: serializeDelivery(again) };
    },
  }),
];
