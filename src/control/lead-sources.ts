// Lead sources with their URL tokens and secrets, and their rotation: what the product's settings would show.
import { z } from 'zod';
import { rotate, urlTokenOf } from '../domain/contacts/lead-sources.ts';
import { transact } from '../engine/transact.ts';
import { notFound } from '../errors/api-error.ts';
import type { Row } from '../model.ts';
import type { Tx } from '../store/store.ts';
import { pageOfEntries, paging, route } from './route.ts';

function serializeLeadSource(tx: Tx, source: Row<'lead_sources'>) {
  const { id, name, source_secret, created_at, rotated_at } = source;
  const { organization_id } = source.private;
  return { id, name, url_token: urlTokenOf(tx, source), source_secret, organization_id, created_at, rotated_at };
}

export const leadSourceRoutes = [
  route({
    method: 'get',
    path: '/lead-sources',
    summary: 'The lead sources of this world, with URL token and secret',
    query: z.strictObject(paging),
    handle: ({ sandbox, world, query }) =>
      sandbox.store.transaction(world, (tx) => {
        const sources = tx.page('lead_sources', 'all', 'all', { newestFirst: true });
        const { page, meta } = pageOfEntries(sources, query);
        return { data: page.map((source) => serializeLeadSource(tx, source)), meta };
      }),
  }),
  route({
    method: 'post',
    path: '/lead-sources/:id/rotate',
    summary: 'Give a lead source another URL token and another secret; the old ones are good no more',
    body: z.strictObject({ url_token: z.boolean().default(true), source_secret: z.boolean().default(true) }),
    handle: ({ sandbox, world, params: { id = '' }, body }) =>
      transact(sandbox, world, null, (tx) => {
        const source = tx.get('lead_sources', id);
        if (!source) throw notFound('lead source', id);
        return { data: serializeLeadSource(tx, rotate(tx, source, body)) };
      }),
  }),
];
