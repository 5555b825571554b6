// The request journal: requests, their responses, and which scenario was selected. Secrets are removed before an entry
// is stored.
import type { IncomingMessage } from 'node:http';
import { timestamp } from '../clock/clock.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { setHeader, setLeftOut } from '../header-fields.ts';
import { sha256 } from '../identity/seeded.ts';
import { KEPT_BODY_BYTES, type RecordedMessage, type RequestEntry, type SelectionRecord } from '../model.ts';
import { redactedBody, redactedHeader, redactedHeaders } from '../redaction/text.ts';
import { redactedPath, redactedQuery } from '../redaction/urls.ts';
import { hasSameTexts, keptOnce } from '../repeated.ts';
import { ifGone } from '../store/if-gone.ts';
import { nextEntryId } from '../store/next-id.ts';
import type { Tx } from '../store/store.ts';
import { worldOfKey } from './authenticate.ts';
import { noControls } from './controls.ts';
import { coverRequest } from './cover-request.ts';
import { worldOfSource } from './lead-source.ts';
import { beginningOf, isLongBody, type LongBody } from './long-body.ts';
import type { HttpResponse } from './response.ts';
import type { AnyStage, JournalPlace, RequestIdentity } from './stages.ts';

type Parts = Pick<SandboxContext, 'store'>;

/** An id for the next request of this world. */
export function requestId(tx: Tx): string {
  return nextEntryId(tx, 'requests');
}

/**
 * The identity of a request, and its place in a journal: that of the world of its credentials, or of `default` if they
 * belong to none. A request that never entered its world gets its place here; null if the world has been deleted.
 */
export async function identify(
  parts: Parts,
  request: AnyStage,
): Promise<{ identity: RequestIdentity; place: JournalPlace | null }> {
  if ('entered' in request) return { identity: request.entered, place: request.entered };
  const own = (await worldOfCredentials(parts, request)) ?? null;
  const world = own ?? 'default';
  const place = await inJournal(parts, world, (tx) => ({
    world,
    id: requestId(tx),
    at: tx.at,
    epoch: tx.state('epoch'),
    assumptions: tx.state('assumptions'),
  }));
  return { identity: { world: own, id: place?.id ?? null }, place };
}

function worldOfCredentials(parts: Parts, request: AnyStage): Promise<string | undefined> {
  if ('route' in request && request.route.contract.credentials === 'source') {
    return worldOfSource(parts, request.route.params.url_token ?? '');
  }
  return worldOfKey(parts, request.received.req.headers.authorization);
}

/** Writes a request and its response to the journal, in a transaction of its own; replaces a response that is there. */
export async function recordRequest(
  parts: Parts,
  request: AnyStage,
  place: JournalPlace | null,
  response: HttpResponse,
): Promise<void> {
  if (!place) return;
  const took = timeTaken(request);
  await inJournal(parts, place.world, (tx) => {
    if (!tx.entry('requests', place.id)) appendRequest(tx, request, place, response, took);
    // Ids start again after a reset: this one may belong to another request.
    else if (place.epoch === tx.state('epoch')) tx.amend('requests', entryOf(request, place, response, took()));
  });
}

/**
 * How many milliseconds a request has taken when that is asked first, as its transaction ends: one that runs again writes
 * the same.
 */
export function timeTaken({ received }: AnyStage): () => number {
  let ms: number | undefined;
  return () => {
    ms ??= Math.round(performance.now() - received.began);
    return ms;
  };
}

/** Writes a request to the journal that is not there yet, and its response. */
export function appendRequest(
  tx: Tx,
  request: AnyStage,
  place: JournalPlace,
  response: HttpResponse,
  took: () => number,
): void {
  // The journal of this request is gone after a reset.
  if (place.epoch !== tx.state('epoch')) return;
  tx.append('requests', entryOf(request, place, response, took()));
  coverRequest(tx, request, response);
}

/** Null if the world was deleted while the request was being served; its journal went with it. */
const inJournal = <T>({ store }: Parts, world: string, body: (tx: Tx) => T): Promise<T | null> =>
  store.transaction(world, body).catch(ifGone(null));

function entryOf(
  request: AnyStage,
  { id, at }: JournalPlace,
  response: HttpResponse,
  duration_ms: number,
): RequestEntry {
  const { req, method, path, rawQuery } = request.received;
  const { fault, faults } = 'controls' in request ? request.controls : noControls;
  const body = 'body' in request ? request.body : null;
  return {
    id,
    at: timestamp(at),
    method,
    path: redactedPath(path),
    query: redactedQuery(rawQuery),
    operation: 'route' in request ? request.route.contract.id : null,
    key_id: 'entered' in request ? request.entered.caller.id : null,
    status: response.status,
    error_code: response.errorCode,
    duration_ms,
    replayed: 'outcome' in request && request.outcome.replayed,
    fault: fault ? `${fault.kind};when=${fault.when}` : null,
    faults: faults?.applied,
    scenario: 'outcome' in request ? selectionOnce(request.outcome.selection) : null,
    request: messageOf(headersOnce(headersOf(req)), body?.bytes ?? null, body?.sha256),
    // Only a fault can have put a secret in the headers of a response.
    response: messageOf(faults?.applied ? redactedHeaders(response.headers) : response.headers, response.body),
  };
}

const headersOnce = keptOnce<Readonly<Record<string, string>>>(hasSameTexts);
const selectionOnce = keptOnce<SelectionRecord | null>(isSameSelection);

/** Whether both say the same; two that outrank anything but one scenario are taken for different ones. */
function isSameSelection(a: SelectionRecord | null, b: SelectionRecord | null): boolean {
  if (a === null || b === null) return a === b;
  const [outranked, other] = [a.outranked[0], b.outranked[0]];
  return (
    a.name === b.name &&
    a.source === b.source &&
    hasSameTexts(a.parameters, b.parameters) &&
    a.outranked.length <= 1 &&
    b.outranked.length === a.outranked.length &&
    outranked?.source === other?.source &&
    outranked?.name === other?.name &&
    outranked?.reason === other?.reason
  );
}

function messageOf(
  headers: Readonly<Record<string, string>>,
  body: Buffer | string | LongBody | null,
  hash: string | null = null,
): RecordedMessage {
  if (body === null) return { headers, body: '', body_bytes: 0, body_sha256: null };
  if (isLongBody(body)) {
    const kept = beginningOf(body, KEPT_BODY_BYTES).subarray(0, KEPT_BODY_BYTES).toString('utf8');
    return { headers, body: redactedBody(kept), body_bytes: body.bytes, body_sha256: body.sha256 };
  }
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  const whole = bytes <= KEPT_BODY_BYTES;
  const kept = typeof body === 'string' && whole ? body : firstBytes(body).toString('utf8');
  const text = redactedBody(kept);
  return {
    headers,
    body: text,
    body_bytes: bytes,
    body_sha256: whole && text === kept ? null : (hash ?? sha256(body)),
  };
}

const firstBytes = (body: Buffer | string): Buffer =>
  (typeof body === 'string' ? Buffer.from(body.slice(0, KEPT_BODY_BYTES)) : body).subarray(0, KEPT_BODY_BYTES);

/** The headers of a request by lower-case name, without secrets. */
export function headersOf(req: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name in req.headers) {
    setHeader(headers, name, redactedHeader(name, String(req.headers[name])));
  }
  setLeftOut(headers, req, redactedHeader);
  return headers;
}
