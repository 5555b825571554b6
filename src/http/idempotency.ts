// Idempotency keys, as the ledger pins them: the identity is organization, method, path and key; bodies are compared
// as JSON; only successes are kept, for 24 hours. Look-up, effect and reply are one transaction, so that a repeat that
// comes while the first runs waits for it.
import stringify from 'safe-stable-stringify';
import { wall } from '../clock/clock.ts';
import type { Reply } from '../engine/operation.ts';
import { ApiError, shown } from '../errors/api-error.ts';
import type { Row, ScenarioChoice } from '../model.ts';
import { sha256 } from '../store/identity.ts';
import type { Tx } from '../store/store.ts';
import type { Exchange } from './exchange.ts';

const HEADER = 'Idempotency-Key';
const LIFE_MS = 24 * 60 * 60_000;
const MOST_KEPT = 100_000;
const uuid = /^("?)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\1$/i;

/** What a request's key stands for: whose and which request, and which body. */
export interface IdempotencyKey {
  readonly id: string;
  readonly fingerprint: string;
}

/** The key of a request, where its operation takes one; `validation_error` where it is no UUID. */
export function readKey(exchange: Exchange, json: unknown): IdempotencyKey | null {
  const given = exchange.req.headers['idempotency-key'];
  const { operation, caller } = exchange;
  if (given === undefined || !operation?.takesIdempotencyKey || !caller) return null;
  const key = uuid.exec(String(given).trim())?.[2];
  if (key === undefined) {
    throw new ApiError('validation_error', {
      fields: { [HEADER]: `${shown(given)} is no UUID` },
      hint: 'Send a UUID, bare or in quotes.',
      assumption: 'idempotency',
    });
  }
  const identity = [caller.organization_id, operation.method, exchange.path, key.toLowerCase()].join(' ');
  return { id: sha256(identity), fingerprint: sha256(stringify(json) ?? '') };
}

/** The reply that is kept under a key; `idempotency_conflict` where it answered another body. */
export function replay(tx: Tx, key: IdempotencyKey): Row<'replies'> | undefined {
  const kept = tx.get('replies', key.id);
  if (!kept || isExpired(tx, kept)) return undefined;
  if (kept.fingerprint !== key.fingerprint) {
    throw new ApiError('idempotency_conflict', { assumption: 'idempotency' });
  }
  return kept;
}

/** Keeps a success under its key, and forgets what has expired. */
export function keep(tx: Tx, key: IdempotencyKey, reply: Reply, choice: ScenarioChoice | null): void {
  if (reply.status >= 300) return;
  forgetExpired(tx);
  tx.put('replies', {
    ...key,
    status: reply.status,
    body: reply.body,
    choice,
    at: tx.at,
    wall: wall(),
    private: { organization_id: tx.world.organization_id, rank: tx.ordinal('replies') },
  });
}

/** On the world's time, except on an instant clock, which leaps ahead of its users. */
function isExpired(tx: Tx, kept: Row<'replies'>): boolean {
  const instant = tx.cell('clock').mode === 'instant';
  return instant ? wall() - kept.wall >= LIFE_MS : tx.at - kept.at >= LIFE_MS;
}

function forgetExpired(tx: Tx): void {
  const full = tx.count('replies', 'all', 'all') >= MOST_KEPT;
  for (const kept of tx.page('replies', 'all', 'all', { limit: 2 })) {
    if (full || isExpired(tx, kept)) tx.remove('replies', kept.id);
  }
}
