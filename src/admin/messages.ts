// The messages of a world for people who watch it. Reading them here does not count towards a rate limit and is not
// journaled.
import type { Schemas } from '../contract/document.ts';
import { serializeMessage } from '../domain/texting/messages.ts';
import { pageOf } from '../engine/paging.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import type { Page, PageRequest } from './pages.ts';
import { findVisible, type Reader } from './reader.ts';

export interface MessagesRequest extends PageRequest, Reader {
  /** These messages alone, without those that are not there. */
  readonly ids?: readonly string[] | undefined;
}

/** The messages of the reader's organization, or of the world's own, newest first; or those that are named. */
export function listMessages(
  { store }: Pick<SandboxContext, 'store'>,
  world: string,
  request: MessagesRequest,
): Promise<Page<Schemas['Message']>> {
  const { ids, organization, cursor, page_size } = request;
  return store.transaction(world, (tx) => {
    if (ids) {
      const data = ids.flatMap((id) => findVisible(tx, 'messages', id, request) ?? []).map(serializeMessage);
      return { data, meta: { cursor: null, total_results: data.length, page_size } };
    }
    const owner = organization ?? tx.world.organization_id;
    const options = { ...(cursor === undefined ? {} : { cursor }), page_size, newestFirst: true };
    const { rows, counted } = pageOf(tx, 'messages', 'organization', owner, options);
    const meta = { page_size, total_results: counted.total_results, cursor: counted.cursor };
    return { data: rows.map(serializeMessage), meta };
  });
}
