// The request journal: what the platform's API was asked, and what it answered.
import { z } from 'zod';
import { noSuch } from '../errors/api-error.ts';
import type { RecordedMessage, RequestEntry } from '../model.ts';
import { sha256 } from '../store/identity.ts';
import { instantField } from './clock.ts';
import { pageOfEntries, paging, route } from './route.ts';

/** An entry as the control API shows it; the hash of a body that is kept whole is worked out here. */
export function shownRequest(entry: RequestEntry) {
  const whole = (message: RecordedMessage) => ({
    ...message,
    body_sha256: message.body_sha256 ?? sha256(message.body),
  });
  return { ...entry, request: whole(entry.request), response: whole(entry.response) };
}

export const requestRoutes = [
  route({
    method: 'get',
    path: '/requests',
    summary: 'The request journal, newest first',
    query: z.strictObject({
      ...paging,
      method: z.string().optional(),
      path: z.string().optional(),
      operation: z.string().optional(),
      status: z.coerce.number().int().optional(),
      since: instantField.optional(),
    }),
    async handle({ house, world, query }) {
      const { entries, dropped } = await house.store.transaction(world, (tx) => tx.journal('requests'));
      const matching = entries.filter(
        (entry) =>
          (query.method === undefined || entry.method === query.method.toUpperCase()) &&
          (query.path === undefined || entry.path === query.path) &&
          (query.operation === undefined || entry.operation === query.operation) &&
          (query.status === undefined || entry.status === query.status) &&
          (query.since === undefined || Date.parse(entry.at) >= query.since),
      );
      const { page, meta } = pageOfEntries(matching.reverse(), query);
      return { data: page.map(shownRequest), meta: { ...meta, dropped } };
    },
  }),
  route({
    method: 'get',
    path: '/requests/:id',
    summary: 'One request and its answer',
    async handle({ house, world, params: { id = '' } }) {
      const entry = await house.store.transaction(world, (tx) => tx.entry('requests', id));
      if (!entry) throw noSuch('request', id);
      return { data: shownRequest(entry) };
    },
  }),
];
