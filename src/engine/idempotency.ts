// Idempotency keys, as the assumption ledger defines them: a key belongs to an organization, method and path; bodies are
// compared as JSON; only successes are kept, for 24 hours. Look-up, effect and result share one transaction, so a repeat
// that arrives while the first request is running waits for it.
import stringify from 'safe-stable-stringify';
import { type AssumptionValues, assumed } from '../assumptions/catalogue.ts';
import { ApiError, quote } from '../errors/api-error.ts';
import { sha256 } from '../identity/seeded.ts';
import type { Row, SelectionRecord } from '../model.ts';
import type { Tx } from '../store/store.ts';
import type { Caller, OperationResult } from './operation.ts';

const HOUR_MS = 60 * 60_000;
/** Of a key that need not be a UUID. */
const MAX_KEY_LENGTH = 255;
const uuid = /^("?)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\1$/i;

export interface IdempotencyKey {
  /** A hash of the key and of the organization, method and path that it belongs to. */
  readonly id: string;
  /** A hash of the body. */
  readonly fingerprint: string;
}

/** Reads the `Idempotency-Key` of a request; `validation_error` if it does not have the form that the world assumes. */
export function readIdempotencyKey(
  given: string,
  { organization_id }: Caller,
  method: string,
  path: string,
  body: unknown,
  assumptions: AssumptionValues,
): IdempotencyKey {
  const text = given.trim();
  const takesAny =
    assumed(assumptions, 'idempotency_key_form') === 'any' && text !== '' && text.length <= MAX_KEY_LENGTH;
  const key = uuid.exec(text)?.[2]?.toLowerCase() ?? (takesAny ? text : undefined);
  if (key === undefined) {
    throw new ApiError('validation_error', {
      fields: { 'Idempotency-Key': `${quote(given)} is not a valid UUID` },
      hint: 'Send a UUID, bare or in quotes.',
      assumption: 'idempotency, idempotency_key_form',
    });
  }
  const identity = [organization_id, method, path, key].join(' ');
  return { id: sha256(identity), fingerprint: sha256(stringify(body) ?? '') };
}

/** The result kept under a key; `idempotency_conflict` if it belongs to a different body. */
export function findReplay(tx: Tx, key: IdempotencyKey): Row<'idempotency_records'> | undefined {
  const kept = tx.get('idempotency_records', key.id);
  if (!kept || isExpired(tx, kept)) return undefined;
  if (kept.fingerprint !== key.fingerprint) {
    throw new ApiError('idempotency_conflict', { assumption: 'idempotency' });
  }
  return kept;
}

/** Keeps a success under its key, and deletes expired ones. */
export function keepResult(
  tx: Tx,
  key: IdempotencyKey,
  result: OperationResult,
  selection: SelectionRecord | null,
): void {
  if (result.status >= 300) return;
  deleteExpired(tx);
  tx.put('idempotency_records', {
    ...key,
    status: result.status,
    body: result.body,
    selection,
    at: tx.at,
    systemTime: tx.systemTime,
    private: { organization_id: tx.world.organization_id, rank: tx.ordinal('idempotency_records') },
  });
}

/** By the world's time, except on an instant clock, which jumps ahead of its users. */
function isExpired(tx: Tx, kept: Row<'idempotency_records'>): boolean {
  const life = assumed(tx.state('assumptions'), 'idempotency_hours') * HOUR_MS;
  const instant = tx.state('clock').mode === 'instant';
  return (instant ? tx.systemTime - kept.systemTime : tx.at - kept.at) >= life;
}

/** Each result that is kept deletes up to two expired ones; how many a world keeps is bounded as for every record. */
function deleteExpired(tx: Tx): void {
  const oldest = tx.page('idempotency_records', 'all', 'all', { limit: 2 });
  for (const kept of oldest) if (isExpired(tx, kept)) tx.remove('idempotency_records', kept.id);
}
