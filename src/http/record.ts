// The request journal: what came, what was answered, and by which rule. Secrets are taken out before anything is kept.
import type { Request } from 'express';
import { timeOf, timestamp, wall } from '../clock/clock.ts';
import type { House } from '../engine/house.ts';
import type { RecordedMessage, RequestEntry } from '../model.ts';
import { sha256 } from '../store/identity.ts';
import { NoSuchWorld, type Tx } from '../store/store.ts';
import type { Answer } from './answer.ts';
import { worldOfKey } from './authenticate.ts';
import { type Exchange, requestId } from './exchange.ts';
import { worldOfSource } from './lead-source.ts';
import { redactedBody, redactedHeader, redactedQuery, withoutKeys } from './redact.ts';

/** Bytes of a body that the journal keeps. */
const KEPT_BYTES = 64 * 1024;

/** The world in whose journal a request is written: the one that its key names, `default` where it names none. */
const journalOf = (exchange: Exchange): string => exchange.world ?? 'default';

/** Gives a request that failed before it was admitted its id and instant. */
export async function identify(house: House, exchange: Exchange): Promise<void> {
  if (exchange.id !== null) return;
  exchange.world ??= (await worldAskedFor(house, exchange)) ?? null;
  await inJournal(house, exchange, (tx) => {
    exchange.id = requestId(tx);
    exchange.at = timeOf(tx.cell('clock'), wall());
    exchange.epoch = tx.cell('epoch');
  });
}

function worldAskedFor(house: House, { operation, params, req }: Exchange): Promise<string | undefined> {
  if (operation?.asksFor === 'source') return worldOfSource(house, params.url_token ?? '');
  return worldOfKey(house, req.headers.authorization);
}

/** Writes a request and its answer to the journal, in a transaction of its own. */
export async function record(house: House, exchange: Exchange, answer: Answer): Promise<void> {
  await inJournal(house, exchange, (tx) => recordIn(tx, exchange, answer));
}

/** Writes a request and its answer to the journal; the later answer where a request comes to have two. */
export function recordIn(tx: Tx, exchange: Exchange, answer: Answer): void {
  const { id, at, epoch } = exchange;
  // Ids begin anew with a reset: the journal that it belongs to is gone, and another request has its id.
  if (id === null || at === null || epoch !== tx.cell('epoch')) return;
  const entry = entryOf(exchange, id, at, answer);
  if (tx.entry('requests', id)) tx.amend('requests', entry);
  else tx.append('requests', entry);
}

async function inJournal(house: House, exchange: Exchange, body: (tx: Tx) => void): Promise<void> {
  try {
    await house.store.transaction(journalOf(exchange), body);
  } catch (error) {
    // The world has been deleted while the request was being served; its journal went with it.
    if (!(error instanceof NoSuchWorld)) throw error;
  }
}

function entryOf(exchange: Exchange, id: string, at: number, answer: Answer): RequestEntry {
  const { req, operation, caller, controls } = exchange;
  return {
    id,
    at: timestamp(at),
    method: req.method,
    path: withoutKeys(exchange.path),
    query: redactedQuery(exchange.query),
    operation: operation?.id ?? null,
    key_id: caller?.id ?? null,
    status: answer.status,
    error_code: answer.errorCode,
    duration_ms: Math.round(performance.now() - exchange.began),
    replayed: exchange.replayed,
    fault: controls.fault ? `${controls.fault.kind};when=${controls.fault.when}` : null,
    scenario: exchange.choice,
    request: messageOf(headersOf(req), exchange.body?.bytes ?? null),
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
