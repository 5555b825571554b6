// The calls of a world for who watches it: each as the platform shows it, with the scenario that it plays and what was
// said. Reading them here counts towards no rate limit and leaves no request in the journal.
import type { Schemas } from '../contract/document.ts';
import { type RecordingAddress, serializeCall } from '../domain/calls/serialize-call.ts';
import { transcriptOf } from '../domain/calls/transcripts.ts';
import { hidesContent } from '../domain/organizations/content-policy.ts';
import { pageOf } from '../engine/paging.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { notFound } from '../errors/api-error.ts';
import type { Row } from '../model.ts';
import { overlaysOf } from '../scenarios/library.ts';
import { scriptOf } from '../scenarios/transcript.ts';
import type { Tx } from '../store/store.ts';
import type { Page, PageRequest } from './pages.ts';
import { findShown, type Reader } from './reader.ts';

type Parts = Pick<SandboxContext, 'store' | 'secrets'>;

export interface WatchedCall {
  readonly call: Schemas['Call'];
  /** The scenario that it plays. */
  readonly scenario: string;
}

export interface WatchedCallDetail extends WatchedCall {
  /** What was said; null if there is no transcript, or the content policy hides it. */
  readonly transcript: Schemas['CallTranscript'] | null;
}

export interface CallsRequest extends PageRequest, Reader {
  /** These calls alone, without those that are not there. */
  readonly ids?: readonly string[] | undefined;
  /** The server's own address. */
  readonly address: string;
}

/** The calls of the reader's organization, or of the world's own, newest first; or those that are named. */
export function listCalls(parts: Parts, world: string, request: CallsRequest): Promise<Page<WatchedCall>> {
  const { ids, organization, cursor, page_size } = request;
  const recordings = { address: request.address, secrets: parts.secrets };
  return parts.store.transaction(world, (tx) => {
    const watched = (rows: readonly Row<'calls'>[]) => rows.map((call) => watchedCall(tx, call, recordings));
    if (ids) {
      const data = watched(ids.flatMap((id) => findShown(tx, 'calls', id, request) ?? []));
      return { data, meta: { cursor: null, total_results: data.length, page_size } };
    }
    const owner = organization ?? tx.world.organization_id;
    const options = { ...(cursor === undefined ? {} : { cursor }), page_size, newestFirst: true };
    const { rows, counted } = pageOf(tx, 'calls', 'organization', owner, options);
    return { data: watched(rows), meta: { page_size, total_results: counted.total_results, cursor: counted.cursor } };
  });
}

/** `not_found` for a call that the reader is not shown. */
export function readCall(
  parts: Parts & Pick<SandboxContext, 'scenarios'>,
  world: string,
  { id, address, ...reader }: Reader & { readonly id: string; readonly address: string },
): Promise<WatchedCallDetail> {
  return parts.store.transaction(world, (tx) => {
    const call = findShown(tx, 'calls', id, reader);
    if (!call) throw notFound('call', id);
    const isHidden = !call.has_transcript || hidesContent(tx, call.private.organization_id);
    const script = () => scriptOf(call, parts.scenarios.forWorld(overlaysOf(tx)));
    return {
      ...watchedCall(tx, call, { address, secrets: parts.secrets }),
      transcript: isHidden ? null : transcriptOf(call, script(), tx.world.seed),
    };
  });
}

function watchedCall(tx: Tx, call: Row<'calls'>, recordings: RecordingAddress): WatchedCall {
  const isHidden = hidesContent(tx, call.private.organization_id);
  return { call: serializeCall(tx, call, isHidden ? false : recordings), scenario: call.private.scenario.name };
}
