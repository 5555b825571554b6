// Tools for webhooks: who subscribes, what was sent, and why something did not arrive.
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { eventTypes } from '../../events/catalogue.ts';
import { explainDelivery } from '../explain-delivery.ts';
import { defineTool, limit, type Tool } from '../tool.ts';
import { deliveryInWords } from './clock.ts';

const event_type = z.enum(eventTypes);

/** How long sending again takes at most, and how often it is looked at. */
const REDELIVER_MS = 20_000;
const POLL_MS = 50;

/** Neither at its end nor held by a plan. */
const isUnderWay = ({ status, held_by }: { readonly status: string; readonly held_by: string | null }): boolean =>
  (status === 'pending' && held_by === null) || status === 'in_flight';

export const deliveryTools: readonly Tool[] = [
  defineTool({
    name: 'subscribe',
    title: 'Subscribe a webhook',
    description: 'Subscribes an address to event types, as POST /api/v1/webhook_subscriptions does for each.',
    reads: false,
    input: {
      webhook_url: z.string().min(1).describe('Where events are POSTed.'),
      event_types: z.array(event_type).min(1).describe('The event types.'),
    },
    async run(session, { webhook_url, event_types, world }) {
      const platform = session.platform(world);
      const made = [];
      for (const event_type of event_types)
        made.push(await platform.call('createWebhookSubscription', { body: { webhook_url, event_type } }));
      return made;
    },
  }),
  defineTool({
    name: 'list_deliveries',
    title: 'List webhook deliveries',
    description: 'Lists deliveries, the newest first, each in a line with its id and what became of it.',
    reads: true,
    input: {
      status: z
        .enum(['pending', 'in_flight', 'delivered', 'failed', 'dropped', 'canceled'])
        .optional()
        .describe('Only those with this status.'),
      event_type: event_type.optional().describe('Only those of this type.'),
      limit,
    },
    async run(session, { world, limit, ...query }) {
      const page = await session.control(world).page('listDeliveries', { query: { ...query, page_size: limit } });
      const dropped = page.meta.dropped > 0 ? { dropped_from_the_journal: page.meta.dropped } : {};
      return { total: page.meta.total_results, ...dropped, deliveries: page.data.map(deliveryInWords) };
    },
  }),
  defineTool({
    name: 'explain_delivery',
    title: 'Explain a delivery',
    description:
      'Says in plain words why a webhook did not arrive, and what to do. Without an id, the latest that failed.',
    reads: true,
    input: { id: z.string().optional().describe('The id of the delivery, as list_deliveries shows it.') },
    async run(session, { id, world }) {
      const control = session.control(world);
      if (id !== undefined) return explainDelivery(await control.call('getDelivery', { path: { id } }));
      const failed = await control.page('listDeliveries', { query: { status: 'failed', page_size: 1 } });
      const [latest] = failed.data;
      if (latest) return explainDelivery(latest);
      const { meta } = await control.page('listDeliveries', { query: { page_size: 1 } });
      if (meta.total_results > 0) return 'No delivery has failed; list_deliveries shows what became of each.';
      return 'There are no deliveries. An event is delivered to subscriptions that existed when it happened: subscribe first; read_timeline says of each event why nobody heard it.';
    },
  }),
  defineTool({
    name: 'redeliver',
    title: 'Send a delivery again',
    description: 'Sends the same bytes again, as another attempt.',
    reads: false,
    input: { id: z.string().min(1).describe('The id of the delivery.') },
    async run(session, { id, world }) {
      const control = session.control(world);
      let delivery = await control.call('redeliver', { path: { id } });
      const until = performance.now() + REDELIVER_MS;
      while (isUnderWay(delivery) && performance.now() < until) {
        await sleep(POLL_MS);
        delivery = await control.call('getDelivery', { path: { id } });
      }
      return explainDelivery(delivery);
    },
  }),
];
