// The request journal: what the platform's API was asked, and what it answered.
import { z } from 'zod';
import { notFound } from '../errors/api-error.ts';
import { sha256 } from '../identity/seeded.ts';
import type { RecordedMessage, RequestEntry } from '../model.ts';
import { instantField } from './clock.ts';
import { pageOfEntries, paging, route, wholeNumber } from './route.ts';

/** An entry as the control API shows it; the hash of a body that is kept whole is worked out here. */
export function serializeRequest(entry: RequestEntry) {
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
      status: wholeNumber.optional(),
      since: instantField.optional(),
    }),
    async handle({ sandbox, world, query }) {
      const { entries, dropped } = await sandbox.store.transaction(world, (tx) => tx.journal('requests'));
      const matching = entries.filter(
        (entry) =>
          (query.method === undefined || entry.method === query.method.toUpperCase()) &&
          (query.path === undefined || entry.path === query.path) &&
          (query.operation === undefined || entry.operation === query.operation) &&
          (query.status === undefined || entry.status === query.status) &&
          (query.since === undefined || Date.parse(entry.at) >= query.since),
      );
      const { page, meta } = pageOfEntries(matching.reverse(), query);
      return { data: page.map(serializeRequest), meta: { ...meta, dropped } };
    },
  }),
  route({
    method: 'get',
    path: '/requests/:id',
    summary: 'One request and its answer',
    async handle({ sandbox, world, params: { id = '' } }) {
      const entry = await sandbox.store.transaction(world, (tx) => tx.entry('requests', id));
      if (!entry) throw notFound('request', id);
      return { data: serializeRequest(entry) };
    },
  }),
];
