// The tick of a world, which drives a scheduler of the customer's by the world's clock. `interface.md` section 5.
import { LATEST_INSTANT, timestamp } from '../clock/clock.ts';
import { durationForm, parseDuration } from '../clock/duration.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError, invalidField } from '../errors/api-error.ts';
import { type Row, TICK, type TickEntry } from '../model.ts';
import { redactedUrl } from '../redaction/urls.ts';
import { MAX_TICKS } from '../scheduler/scheduler.ts';
import type { Tx } from '../store/store.ts';
import { urlProblem } from '../webhooks/egress.ts';
import { startTick, stopTick } from '../webhooks/ticks.ts';
import { serializeAttempt } from './deliveries.ts';
import { type JournalPage, listEntries } from './journal.ts';
import type { PageRequest } from './pages.ts';
import type { Slicing } from './read-journal.ts';

type Parts = Pick<SandboxContext, 'store' | 'settings'>;

/** The tick that is set. */
export interface TickView {
  /** A duration such as `1m`. */
  readonly every: string;
  readonly url: string;
  /** When the next one is: an instant of the world's time. */
  readonly next_at: string;
  readonly sent: number;
  /** Instants without a tick, because the one before had no answer yet. */
  readonly skipped: number;
}

export function serializeTick({ every, url, next, sent, skipped }: Row<'ticks'>): TickView {
  return { every, url, next_at: timestamp(Math.min(next, LATEST_INSTANT)), sent, skipped };
}

/** `not_found` if none is set. */
export function readTick({ store }: Pick<Parts, 'store'>, world: string): Promise<TickView> {
  return store.transaction(world, (tx) => {
    const tick = tx.get('ticks', TICK);
    if (tick) return serializeTick(tick);
    throw new ApiError('not_found', {
      message: 'No tick is set in this world.',
      hint: 'Set one with PUT /_sandbox/clock/tick { "every": "1m", "url": "http://…" }.',
    });
  });
}

/** Sets the tick, in the place of another. `validation_error` for no duration, or an address that no webhook could have. */
export async function setTick(
  { store, settings }: Parts,
  world: string,
  { every, url }: Pick<TickView, 'every' | 'url'>,
): Promise<TickView> {
  if (!parseDuration(every)) throw invalidField('every', `must be ${durationForm}, and more than 0`);
  const problem = urlProblem(url, settings.webhookHttp);
  if (problem) throw invalidField('url', problem);
  return store.transaction(world, (tx) => tx.withinBounds(() => serializeTick(startTick(tx, every, url))));
}

export async function deleteTick({ store }: Pick<Parts, 'store'>, world: string): Promise<void> {
  await store.transaction(world, stopTick);
}

export type SentTick = ReturnType<typeof serializeSentTick>;

export function serializeSentTick({ id, at, url, body, status, attempts: [attempt] }: TickEntry) {
  return { id, at, url: redactedUrl(url), status, attempt: attempt ? serializeAttempt(attempt, body) : null };
}

/** The ticks that the journal keeps, newest first. */
export function listTicks(parts: Slicing, world: string, page: PageRequest): Promise<JournalPage<SentTick>> {
  return listEntries(parts, world, 'ticks', page, () => true, serializeSentTick);
}

/** Whether there are more ticks up to an instant than an advance may have. */
export function hasTooManyTicks(tx: Tx, until: number): boolean {
  const tick = tx.get('ticks', TICK);
  const every = tick && parseDuration(tick.every);
  return every !== undefined && tick !== undefined && (until - tick.next) / every >= MAX_TICKS;
}

export function tooManyTicks(): ApiError {
  return new ApiError('conflict', {
    message: `The advance would have more than ${MAX_TICKS} ticks, the most of one advance.`,
    hint: 'Advance by less, or let the tick come less often: PUT /_sandbox/clock/tick.',
  });
}
