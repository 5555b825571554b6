// Lead sources with their URL tokens and secrets, which no response of the platform shows, and their rotation.
import { rotate, urlTokenOf } from '../domain/contacts/lead-sources.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { transact } from '../engine/transact.ts';
import { notFound } from '../errors/api-error.ts';
import type { Row } from '../model.ts';
import type { Tx } from '../store/store.ts';
import { type Page, type PageRequest, pageOf } from './pages.ts';
import { findVisible, type Reader, visibleRows } from './reader.ts';

export type LeadSourceView = ReturnType<typeof serializeLeadSource>;

function serializeLeadSource(tx: Tx, source: Row<'lead_sources'>) {
  const { id, name, source_secret, created_at, rotated_at } = source;
  const { organization_id } = source.private;
  return { id, name, url_token: urlTokenOf(tx, source), source_secret, organization_id, created_at, rotated_at };
}

export function listLeadSources(
  { store }: Pick<SandboxContext, 'store'>,
  world: string,
  { organization, ...page }: PageRequest & Reader,
): Promise<Page<LeadSourceView>> {
  return store.transaction(world, (tx) => {
    const rows = visibleRows(tx, tx.page('lead_sources', 'all', 'all', { newestFirst: true }), { organization });
    const { data, meta } = pageOf(rows, page);
    return { data: data.map((source) => serializeLeadSource(tx, source)), meta };
  });
}

/** What to replace; the old value is no longer valid. */
export interface Rotation {
  readonly url_token: boolean;
  readonly source_secret: boolean;
}

export function rotateLeadSource(
  parts: Pick<SandboxContext, 'store' | 'runTask' | 'turns' | 'secrets'>,
  world: string,
  id: string,
  what: Rotation,
  reader: Reader = {},
): Promise<LeadSourceView> {
  return transact(parts, world, null, (tx) => {
    const source = findVisible(tx, 'lead_sources', id, reader);
    if (!source) throw notFound('lead source', id);
    return serializeLeadSource(tx, rotate(tx, parts.secrets, source, what));
  });
}
