// Idempotency keys, as the ledger pins them: the identity is organization, method, path and key; bodies are compared
// as JSON; only successes are kept, for 24 hours. Look-up, effect and reply are one transaction, so that a repeat that
// comes while the first runs waits for it.
import stringify from 'safe-stable-stringify';
import { systemNow } from '../clock/clock.ts';
import type { OperationResult } from '../engine/operation.ts';
import { ApiError, quote } from '../errors/api-error.ts';
import { sha256 } from '../identity/seeded.ts';
import type { Row, SelectionRecord } from '../model.ts';
import type { Tx } from '../store/store.ts';
import type { RequestContext } from './request-context.ts';

const HEADER = 'Idempotency-Key';
const LIFE_MS = 24 * 60 * 60_000;
/**
 * What one world keeps, in replies and in bytes; past either the oldest go before their time. Ordinary replies fill the
 * number first; the bytes are for those that repeat a long text.
 */
const MOST_KEPT = 100_000;
const MOST_BYTES = 64 * 1024 * 1024;
/** What a reply takes beside its body, about. */
const FLAT_BYTES = 500;
const BYTES = 'bytes of kept replies';
const uuid = /^("?)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\1$/i;

/** What a request's key stands for: whose and which request, and which body. */
export interface IdempotencyKey {
  readonly id: string;
  readonly fingerprint: string;
}

/** The key of a request, where its operation takes one; `validation_error` where it is no UUID. */
export function readKey(context: RequestContext, json: unknown): IdempotencyKey | null {
  const given = context.req.headers['idempotency-key'];
  const { operation, caller } = context;
  if (given === undefined || !operation?.takesIdempotencyKey || !caller) return null;
  const key = uuid.exec(String(given).trim())?.[2];
  if (key === undefined) {
    throw new ApiError('validation_error', {
      fields: { [HEADER]: `${quote(given)} is no UUID` },
      hint: 'Send a UUID, bare or in quotes.',
      assumption: 'idempotency',
    });
  }
  const identity = [caller.organization_id, operation.method, context.path, key.toLowerCase()].join(' ');
  return { id: sha256(identity), fingerprint: sha256(stringify(json) ?? '') };
}

/** The reply that is kept under a key; `idempotency_conflict` where it answered another body. */
export function findReplay(tx: Tx, key: IdempotencyKey): Row<'idempotency_records'> | undefined {
  const kept = tx.get('idempotency_records', key.id);
  if (!kept || isExpired(tx, kept)) return undefined;
  if (kept.fingerprint !== key.fingerprint) {
    throw new ApiError('idempotency_conflict', { assumption: 'idempotency' });
  }
  return kept;
}

/** Keeps a success under its key, and forgets what has expired. */
export function keepResult(tx: Tx, key: IdempotencyKey, reply: OperationResult, choice: SelectionRecord | null): void {
  if (reply.status >= 300) return;
  const expired = tx.get('idempotency_records', key.id);
  if (expired) forget(tx, expired);
  const bytes = bytesOf(reply);
  makeRoom(tx, bytes);
  tx.setCounter(BYTES, tx.counter(BYTES) + bytes);
  tx.put('idempotency_records', {
    ...key,
    status: reply.status,
    body: reply.body,
    choice,
    at: tx.at,
    systemTime: systemNow(),
    private: { organization_id: tx.world.organization_id, rank: tx.ordinal('idempotency_records') },
  });
}

/** On the world's time, except on an instant clock, which leaps ahead of its users. */
function isExpired(tx: Tx, kept: Row<'idempotency_records'>): boolean {
  const instant = tx.state('clock').mode === 'instant';
  return instant ? systemNow() - kept.systemTime >= LIFE_MS : tx.at - kept.at >= LIFE_MS;
}

/** Each new reply takes two that have expired with it, and as many as it needs the room of. */
function makeRoom(tx: Tx, bytes: number): void {
  const oldest = (limit: number): Row<'idempotency_records'>[] =>
    tx.page('idempotency_records', 'all', 'all', { limit });
  const full = tx.count('idempotency_records', 'all', 'all') >= MOST_KEPT;
  for (const kept of oldest(2)) if (full || isExpired(tx, kept)) forget(tx, kept);
  while (tx.counter(BYTES) + bytes > MOST_BYTES) {
    const [kept] = oldest(1);
    if (!kept) return;
    forget(tx, kept);
  }
}

function forget(tx: Tx, kept: Row<'idempotency_records'>): void {
  tx.remove('idempotency_records', kept.id);
  tx.setCounter(BYTES, Math.max(0, tx.counter(BYTES) - bytesOf(kept)));
}

function bytesOf({ body }: { readonly body?: unknown }): number {
  return FLAT_BYTES + (JSON.stringify(body)?.length ?? 0);
}
