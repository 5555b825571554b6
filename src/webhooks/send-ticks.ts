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
import { type ReceiverSlots, receiverOf, type SlotWait } from './receiver.ts';
import { isNoBug, transactInTurn } from './turn-transaction.ts';

const headers = { 'content-type': 'application/json' };

export interface TickParts {
  readonly store: Store;
  readonly work: Work;
  readonly turns: { work<Result>(piece: () => Result, world?: string): Result };
  readonly poster: Poster;
  readonly slots: ReceiverSlots;
  readonly openWork: OpenWork;
  readonly log: Log;
}

/** By world: the ticks of an epoch that wait for a slot of their receiver. */
type WaitingTicks = Map<string, { readonly epoch: number; readonly waits: Set<SlotWait> }>;

/** Sends each tick once it is stored, unless its world is reset before. */
export function sendTicks(parts: TickParts): void {
  const waiting: WaitingTicks = new Map();
  parts.work.onCommit(({ world, epoch, appended }) => {
    const before = waiting.get(world);
    if (before && before.epoch !== epoch) for (const wait of before.waits) wait.withdraw();
    for (const { journal, entry } of appended) {
      if (journal === 'ticks' && entry.status === 'pending') void send(parts, waiting, world, entry);
    }
  });
}

async function send(parts: TickParts, waiting: WaitingTicks, world: string, tick: TickEntry): Promise<void> {
  const { openWork, log, slots } = parts;
  const receiver = receiverOf(tick.url);
  const key = epochKey(world, tick.epoch);
  openWork.begin(key);
  try {
    if (!(await hasSlot(slots.take(receiver, world), waiting, world, tick.epoch))) return;
    const result = await attempt(parts, world, tick).finally(() => slots.leave(receiver, world));
    if (!result || result.error_class === null) return;
    const { error_class, error, status } = result;
    const hint = hintFor(error_class, status, error);
    log.info({ world, tick: tick.id, target: targetOf(tick.url), error_class, error, hint }, 'a tick failed');
  } catch (error) {
    if (!isNoBug(error)) log.error({ err: error, world, tick: tick.id }, 'a tick could not be sent');
  } finally {
    openWork.end(key);
  }
}

/** Waits for a slot; false if the wait was withdrawn, since the world was reset or is gone. */
async function hasSlot(
  wait: SlotWait | undefined,
  waiting: WaitingTicks,
  world: string,
  epoch: number,
): Promise<boolean> {
  if (!wait) return true;
  const known = waiting.get(world);
  const { waits } = known?.epoch === epoch ? known : { waits: new Set<SlotWait>() };
  waiting.set(world, { epoch, waits: waits.add(wait) });
  const isGranted = await wait.granted;
  waits.delete(wait);
  if (waits.size === 0 && waiting.get(world)?.waits === waits) waiting.delete(world);
  return isGranted;
}

/** Sends a tick and stores the result; undefined if its world was reset, or is gone. */
async function attempt(parts: TickParts, world: string, tick: TickEntry): Promise<PostResult | undefined> {
  const { poster, turns } = parts;
  const limits = await transactInTurn(parts, world, (tx) => start(tx, tick));
  if (!limits) return undefined;
  const of = { world, epoch: tick.epoch };
  const result = await turns.work(() => poster.post(of, tick.url, headers, tick.body, limits), world).catch(notSent);
  if (result) await transactInTurn(parts, world, (tx) => end(tx, tick, result));
  return result;
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
