// The request journal: what came, what was answered, and by which rule. Secrets are taken out before anything is kept.
import type { Request } from 'express';
import { systemNow, timestamp, worldTime } from '../clock/clock.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { sha256 } from '../identity/seeded.ts';
import type { RecordedMessage, RequestEntry } from '../model.ts';
import { NoSuchWorld, type Tx } from '../store/store.ts';
import { worldOfKey } from './authenticate.ts';
import { worldOfSource } from './lead-source.ts';
import { redactedBody, redactedHeader, redactedQuery, withoutKeys } from './redact.ts';
import { type RequestContext, requestId } from './request-context.ts';
import type { HttpResponse } from './response.ts';

/** Bytes of a body that the journal keeps. */
const KEPT_BYTES = 64 * 1024;

/** The world in whose journal a request is written: the one that its key names, `default` where it names none. */
const journalOf = (context: RequestContext): string => context.world ?? 'default';

/** Gives a request that failed before it was admitted its id and instant. */
export async function identify(sandbox: SandboxContext, context: RequestContext): Promise<void> {
  if (context.id !== null) return;
  context.world ??= (await worldAskedFor(sandbox, context)) ?? null;
  await inJournal(sandbox, context, (tx) => {
    context.id = requestId(tx);
    context.at = worldTime(tx.state('clock'), systemNow());
    context.epoch = tx.state('epoch');
  });
}

function worldAskedFor(
  sandbox: SandboxContext,
  { operation, params, req }: RequestContext,
): Promise<string | undefined> {
  if (operation?.asksFor === 'source') return worldOfSource(sandbox, params.url_token ?? '');
  return worldOfKey(sandbox, req.headers.authorization);
}

/** Writes a request and its answer to the journal, in a transaction of its own. */
export async function recordRequest(
  sandbox: SandboxContext,
  context: RequestContext,
  answer: HttpResponse,
): Promise<void> {
  await inJournal(sandbox, context, (tx) => appendRequest(tx, context, answer));
}

/** Writes a request and its answer to the journal; the later answer where a request comes to have two. */
export function appendRequest(tx: Tx, context: RequestContext, answer: HttpResponse): void {
  const { id, at, epoch } = context;
  // Ids begin anew with a reset: the journal that it belongs to is gone, and another request has its id.
  if (id === null || at === null || epoch !== tx.state('epoch')) return;
  const entry = entryOf(context, id, at, answer);
  if (tx.entry('requests', id)) tx.amend('requests', entry);
  else tx.append('requests', entry);
}

async function inJournal(sandbox: SandboxContext, context: RequestContext, body: (tx: Tx) => void): Promise<void> {
  try {
    await sandbox.store.transaction(journalOf(context), body);
  } catch (error) {
    // The world has been deleted while the request was being served; its journal went with it.
    if (!(error instanceof NoSuchWorld)) throw error;
  }
}

function entryOf(context: RequestContext, id: string, at: number, answer: HttpResponse): RequestEntry {
  const { req, operation, caller, controls } = context;
  return {
    id,
    at: timestamp(at),
    method: req.method,
    path: withoutKeys(context.path),
    query: redactedQuery(context.query),
    operation: operation?.id ?? null,
    key_id: caller?.id ?? null,
    status: answer.status,
    error_code: answer.errorCode,
    duration_ms: Math.round(performance.now() - context.began),
    replayed: context.replayed,
    fault: controls.fault ? `${controls.fault.kind};when=${controls.fault.when}` : null,
    scenario: context.selection,
    request: messageOf(headersOf(req), context.body?.bytes ?? null),
    response: messageOf(answer.headers, answer.body),
  };
}

function messageOf(headers: Record<string, string>, body: Buffer | string | null): RecordedMessage {
  if (body === null) return { headers, body: '', body_bytes: 0, body_sha256: null };
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  const whole = bytes <= KEPT_BYTES;
  const kept = typeof body === 'string' && whole ? body : Buffer.from(body).subarray(0, KEPT_BYTES).toString('utf8');
  const text = redactedBody(kept);
  return { headers, body: text, body_bytes: bytes, body_sha256: whole && text === kept ? null : sha256(body) };
}

function headersOf(req: Request): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name in req.headers) {
    headers[name] = redactedHeader(name, String(req.headers[name]));
  }
  return headers;
}
