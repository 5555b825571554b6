// Sends the ticks of all worlds as webhooks are sent: outside transactions, to addresses that webhooks may reach,
// within the same time limits. Each result is stored in its own transaction.
import { assumed } from '../assumptions/catalogue.ts';
import type { Log } from '../log.ts';
import type { DeliveryAttempt, TickEntry } from '../model.ts';
import type { Store, Tx } from '../store/store.ts';
import type { Work } from '../store/work.ts';
import { hintFor, type Limits, limitsFor } from './failures.ts';
import { targetOf } from './log-lines.ts';
import { epochKey, type OpenWork } from './open-work.ts';
import { notSent, type Poster, type PostResult } from './post.ts';
import { isNoBug, transactInTurn } from './turn-transaction.ts';

const headers = { 'content-type': 'application/json' };

export interface TickParts {
  readonly store: Store;
  readonly work: Work;
  readonly turns: { work<Result>(piece: () => Result, world?: string): Result };
  readonly poster: Poster;
  readonly openWork: OpenWork;
  readonly log: Log;
}

/** Sends each tick once it is stored. */
export function sendTicks(parts: TickParts): void {
  parts.work.onCommit(({ world, appended }) => {
    for (const { journal, entry } of appended) {
      if (journal === 'ticks' && entry.status === 'pending') void send(parts, world, entry);
    }
  });
}

async function send(parts: TickParts, world: string, tick: TickEntry): Promise<void> {
  const { openWork, log, poster, turns } = parts;
  const { url, body } = tick;
  const key = epochKey(world, tick.epoch);
  openWork.begin(key);
  try {
    const limits = await transactInTurn(parts, world, (tx) => start(tx, tick));
    if (!limits) return;
    const result = await turns.work(() => poster.post(world, url, headers, body, limits), world).catch(notSent);
    await transactInTurn(parts, world, (tx) => end(tx, tick, result));
    const { error_class, error, status } = result;
    if (error_class === null) return;
    const hint = hintFor(error_class, status, error);
    log.info({ world, tick: tick.id, target: targetOf(url), error_class, error, hint }, 'a tick failed');
  } catch (error) {
    if (!isNoBug(error)) log.error({ err: error, world, tick: tick.id }, 'a tick could not be sent');
  } finally {
    openWork.end(key);
  }
}

/** The tick as it is now, unless the world was reset since: another can have its id then. */
function current(tx: Tx, { id, epoch }: TickEntry): TickEntry | undefined {
  const entry = tx.entry('ticks', id);
  return entry?.epoch === epoch && tx.state('epoch') === epoch ? entry : undefined;
}

/** Marks a tick as in flight; returns its time limits. */
function start(tx: Tx, tick: TickEntry): Limits | undefined {
  const entry = current(tx, tick);
  if (entry?.status !== 'pending') return undefined;
  tx.amend('ticks', { ...entry, status: 'in_flight', resumed: undefined });
  return limitsFor(assumed(tx.state('assumptions'), 'delivery_timeout'));
}

function end(tx: Tx, tick: TickEntry, result: PostResult): void {
  const entry = current(tx, tick);
  if (entry?.status !== 'in_flight') return;
  const attempt: DeliveryAttempt = { number: 1, at: entry.at, request_headers: headers, ...result };
  tx.amend('ticks', { ...entry, status: result.error_class === null ? 'delivered' : 'failed', attempts: [attempt] });
}
