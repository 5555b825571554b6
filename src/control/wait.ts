// Waiting, on real time, until something has happened in a world.
import { z } from 'zod';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError } from '../errors/api-error.ts';
import { type EventType, eventTypes } from '../events/catalogue.ts';
import type { EventEntry } from '../model.ts';
import { NoSuchWorld, type Tx } from '../store/store.ts';
import { durationField, instantField } from './clock.ts';
import { serializeEvent } from './events.ts';
import { route } from './route.ts';

export interface WaitFor {
  readonly event_type?: EventType | undefined;
  /** The id of the call that the event is about. */
  readonly call_id?: string | undefined;
  /** Whether every delivery of the event must have been accepted, and there must be one. */
  readonly delivered?: boolean | undefined;
  /** Events before this instant (milliseconds of the world's time) do not count. */
  readonly since?: number | undefined;
}

/**
 * The first event that matches, as soon as there is one. `timeout` when the time is up, or the world is reset or gone;
 * `conflict` where what was waited for may be among entries that the journal has dropped.
 */
export async function waitForEvent(
  sandbox: SandboxContext,
  world: string,
  match: WaitFor,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<EventEntry> {
  const epoch = await sandbox.store.transaction(world, (tx) => tx.state('epoch'));
  let wake = (): void => {};
  const stop = sandbox.store.onCommit((commit) => {
    // Nothing to look at where records alone were written; a reset and the end of a world change the agenda.
    if (commit.world === world && (commit.appended.length > 0 || commit.schedule)) wake();
  });
  let over = false;
  const giveUp = (): void => {
    over = true;
    wake();
  };
  const timer = setTimeout(giveUp, timeoutMs);
  signal?.addEventListener('abort', giveUp);
  try {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const found = await look(sandbox, world, match, epoch);
      if (found) return found;
      if (over) throw notInTime(match, timeoutMs);
      await changed;
    }
  } finally {
    clearTimeout(timer);
    stop();
    signal?.removeEventListener('abort', giveUp);
  }
}

async function look(
  sandbox: SandboxContext,
  world: string,
  match: WaitFor,
  epoch: number,
): Promise<EventEntry | undefined> {
  try {
    return await sandbox.store.transaction(world, (tx) => {
      if (tx.state('epoch') !== epoch) {
        throw new ApiError('timeout', { message: 'The world was reset while it was waited for.' });
      }
      return lookIn(tx, match);
    });
  } catch (error) {
    if (!(error instanceof NoSuchWorld)) throw error;
    throw new ApiError('timeout', { message: 'The world was deleted while it was waited for.' });
  }
}

function lookIn(tx: Tx, match: WaitFor): EventEntry | undefined {
  const { entries, dropped, droppedUpTo } = tx.journal('events');
  const matching = entries.filter(
    (event) =>
      (match.event_type === undefined || event.event_type === match.event_type) &&
      (match.call_id === undefined || event.subject?.id === match.call_id) &&
      (match.since === undefined || Date.parse(event.at) >= match.since),
  );
  const found = match.delivered === true ? delivered(tx, matching) : matching[0];
  const outOfSight = droppedUpTo !== null && (match.since === undefined || Date.parse(droppedUpTo) >= match.since);
  if (found || !outOfSight) return found;
  throw outOfReach(dropped, 'events');
}

/** The first of these events of which every delivery was accepted, and there is one. */
function delivered(tx: Tx, events: readonly EventEntry[]): EventEntry | undefined {
  const { entries, dropped } = tx.journal('deliveries');
  const epoch = tx.state('epoch');
  let inDoubt = false;
  for (const event of events) {
    if (event.deliveries === 0) continue;
    // Ids begin anew with a reset; what an older epoch did not send is no delivery of this event.
    const kept = entries.filter((delivery) => delivery.event_id === event.id && delivery.epoch === epoch);
    if (!kept.every(({ status }) => status === 'delivered')) continue;
    if (kept.length === event.deliveries) return event;
    inDoubt = true;
  }
  if (inDoubt) throw outOfReach(dropped, 'deliveries');
  return undefined;
}

function outOfReach(dropped: number, what: string): ApiError {
  return new ApiError('conflict', {
    message: `The journal has dropped ${dropped} ${what}, and what is waited for may be among them.`,
    hint: 'Wait sooner, give `since`, or raise --journal-limit.',
  });
}

function notInTime({ event_type, delivered }: WaitFor, timeoutMs: number): ApiError {
  return new ApiError('timeout', {
    message: `No ${event_type ?? 'event'} ${delivered ? 'was delivered' : 'happened'} within ${timeoutMs} ms.`,
    hint: 'On a standing clock nothing moves until POST /_sandbox/clock/advance.',
  });
}

export const waitRoutes = [
  route({
    method: 'get',
    path: '/wait',
    summary: 'Answers when an event has happened; 408 when not in time',
    query: z.strictObject({
      event_type: z.enum(eventTypes as [EventType, ...EventType[]]).optional(),
      call_id: z.string().optional(),
      delivered: z.enum(['true', 'false']).optional(),
      since: instantField.optional(),
      timeout: durationField.refine((ms) => ms <= 60_000, { error: 'must be at most 60s' }).default(10_000),
    }),
    async handle({ sandbox, world, query, signal }) {
      const { event_type, call_id, delivered, since, timeout } = query;
      const match = { event_type, call_id, delivered: delivered === 'true', since };
      return { data: serializeEvent(await waitForEvent(sandbox, world, match, timeout, signal)) };
    },
  }),
];
