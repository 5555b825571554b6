// What a request adds to the coverage of its world: its operation with status and error code, the effect of control
// headers and faults, and whether it repeats a request that clients are expected to repeat. `interface.md` section 5.
import { BROKEN, faulted, REPLAYED, requested, retried, unanswered } from '../coverage/facts.ts';
import { sha256 } from '../identity/seeded.ts';
import type { AwaitedRetry, Retriable } from '../model.ts';
import type { Tx } from '../store/store.ts';
import { type Controls, noControls } from './controls.ts';
import type { HttpResponse } from './response.ts';
import type { AnyStage } from './stages.ts';

export function coverRequest(tx: Tx, request: AnyStage, response: Pick<HttpResponse, 'status' | 'errorCode'>): void {
  const operation = 'route' in request ? request.route.contract.id : null;
  const controls = 'controls' in request ? request.controls : noControls;
  // What a client does not get, it has not met.
  const isBroken = controls.fault !== null || response.status === 0;
  tx.cover(requested(operation, isBroken ? BROKEN : response.status, isBroken ? null : response.errorCode));
  if ('outcome' in request && request.outcome.replayed) tx.cover(REPLAYED);
  coverFaults(tx, controls);
  if (tx.counter(AWAITED) > 0) meetRetry(tx, request);
  const kind = isBroken ? BROKEN : retriableKind(response.status);
  if (kind) awaitRetry(tx, request, kind);
}

function coverFaults(tx: Tx, { error, fault, delayMs, faults }: Controls): void {
  if (error !== null) tx.cover(faulted('error'));
  if (fault) tx.cover(faulted(fault.kind));
  if (delayMs > 0) tx.cover(faulted('latency'));
  if (!faults) return;
  const { substitute, drift, applied } = faults;
  if (substitute) tx.cover(faulted('respond' in substitute ? 'respond' : 'error'));
  for (const each of drift) tx.cover(faulted(each));
  if (delayMs === 0 && applied.some(({ effect }) => effect.includes('latency='))) tx.cover(faulted('latency'));
}

function retriableKind(status: number): Retriable | undefined {
  if (status === 429) return '429';
  return status >= 500 ? '5xx' : undefined;
}

/** How many requests of a world are awaited again; a counter costs every request less to read than the record does. */
const AWAITED = 'awaited retries';
/** How many are awaited at most; the oldest are given up first. */
const MAX_AWAITED = 100;
const ID = 'all';

const awaitedIn = (tx: Tx): readonly AwaitedRetry[] => tx.get('awaited_retries', ID)?.requests ?? [];

function setAwaited(tx: Tx, requests: readonly AwaitedRetry[]): void {
  const { organization_id } = tx.world;
  tx.setCounter(AWAITED, requests.length);
  tx.put('awaited_retries', { id: ID, requests, private: { organization_id, rank: 0 } });
}

function awaitRetry(tx: Tx, request: AnyStage, kind: Retriable): void {
  tx.cover(unanswered(kind));
  setAwaited(tx, [...awaitedIn(tx), { ...identityOf(request), kind }].slice(-MAX_AWAITED));
}

function meetRetry(tx: Tx, request: AnyStage): void {
  const identity = identityOf(request);
  const awaited = awaitedIn(tx);
  const met = awaited.find((each) => isSameRequest(each, identity));
  if (!met) return;
  tx.cover(retried(met.kind));
  setAwaited(
    tx,
    awaited.filter((each) => each !== met),
  );
}

type RequestIdentity = Omit<AwaitedRetry, 'kind'>;

/** A request with an idempotency key is repeated with the same key, any other with the same body, where that was read. */
function isSameRequest(a: RequestIdentity, b: RequestIdentity): boolean {
  if (a.target !== b.target) return false;
  if (a.key !== null || b.key !== null) return a.key === b.key;
  return a.body === null || b.body === null || a.body === b.body;
}

/** Hashes alone are kept, since paths and bodies can have secrets. */
function identityOf(request: AnyStage): RequestIdentity {
  const { req, path, rawQuery } = request.received;
  const key = req.headers['idempotency-key'];
  const body = 'body' in request ? request.body : null;
  return {
    target: sha256(`${req.method} ${path}?${rawQuery}`),
    key: key === undefined ? null : sha256(String(key)),
    body: body && (body.sha256 ?? sha256(body.bytes)),
  };
}
