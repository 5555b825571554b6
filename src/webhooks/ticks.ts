// The tick of a world: at regular instants of its clock, a POST to an address of the customer's, so that their
// scheduler runs in step with it. An advance waits for each tick; otherwise, an instant is skipped while the previous
// tick is unanswered. `interface.md` section 5.
import { LATEST_INSTANT, timestamp, worldTime } from '../clock/clock.ts';
import { parseDuration } from '../clock/duration.ts';
import { isOpen, type Row, TICK, type TickEntry } from '../model.ts';
import { nextEntryId } from '../store/next-id.ts';
import { countPeriodic } from '../store/periodic-tasks.ts';
import type { Tx } from '../store/store.ts';

const subject = { table: 'ticks', id: TICK } as const;

/** Begins a tick, in the place of another; the first one is a whole interval from now. */
export function startTick(tx: Tx, every: string, url: string): Row<'ticks'> {
  const latest = stopTick(tx)?.latest ?? null;
  const next = tx.at + (parseDuration(every) ?? 0);
  const { organization_id } = tx.world;
  return schedule(tx, {
    id: TICK,
    every,
    url,
    next,
    sent: 0,
    skipped: 0,
    latest,
    private: { organization_id, rank: 0 },
  });
}

/** Ends the tick; returns it if there was one. What is on its way is still answered. */
export function stopTick(tx: Tx): Row<'ticks'> | undefined {
  const tick = tx.get('ticks', TICK);
  tx.remove('ticks', TICK);
  tx.unschedule(subject);
  countPeriodic(tx, 0);
  return tick;
}

function schedule(tx: Tx, tick: Row<'ticks'>): Row<'ticks'> {
  tx.put('ticks', tick);
  const hasNext = tick.next <= LATEST_INSTANT;
  if (hasNext) tx.schedule({ type: 'tick', subject }, tick.next);
  countPeriodic(tx, hasNext ? 1 : 0);
  return tick;
}

/** The instant of a tick has come. */
export function tick(tx: Tx): void {
  const row = tx.get('ticks', TICK);
  if (!row) return;
  const every = parseDuration(row.every) ?? 1;
  const before = row.latest === null ? undefined : tx.entry('ticks', row.latest);
  const isSkipped = before !== undefined && isOpen(before.status) && !tx.state('clock').frozen;
  const next = tx.at + every;
  /** The instants before this one pass without a tick. */
  const past = Math.max(0, Math.ceil((resumesAt(tx, isSkipped) - next) / every));
  schedule(tx, {
    ...row,
    next: next + past * every,
    skipped: row.skipped + past + (isSkipped ? 1 : 0),
    ...(!isSkipped && { sent: row.sent + 1, latest: send(tx, row.url) }),
  });
}

/**
 * From which instant on ticks make sense: on a running clock, from now on, however late this one is; on an instant clock,
 * which passes any number of instants at once, from the next task on, while the tick before has no answer.
 */
function resumesAt(tx: Tx, isSkipped: boolean): number {
  const clock = tx.state('clock');
  if (clock.frozen) return 0;
  if (clock.mode !== 'instant') return worldTime(clock, tx.systemTime);
  return isSkipped ? (tx.nextTask()?.at ?? 0) : 0;
}

function send(tx: Tx, url: string): string {
  const at = timestamp(tx.at);
  const entry: TickEntry = {
    id: nextEntryId(tx, 'ticks'),
    at,
    url,
    body: JSON.stringify({ now: at }),
    status: 'pending',
    attempts: [],
    next_attempt_at: null,
    epoch: tx.state('epoch'),
  };
  tx.append('ticks', entry);
  return entry.id;
}
