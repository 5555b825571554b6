// Waiting, in real time, until an event has happened in a world. `interface.md` section 5.
import { clearTimeout, setTimeout } from 'node:timers';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError } from '../errors/api-error.ts';
import type { EventType } from '../events/catalogue.ts';
import type { DeliveryEntry, EventEntry } from '../model.ts';
import { type Commit, NoSuchWorld } from '../store/store.ts';
import { type SandboxEvent, serializeEvent } from './events.ts';
import { isRequested } from './journal.ts';
import { type EntriesRead, readEntries } from './read-journal.ts';
import type { Reader } from './reader.ts';
import { maySee } from './timeline/subject.ts';
import { timelineHint, type Undelivered, whyUndelivered } from './undelivered.ts';

type Parts = Pick<SandboxContext, 'store' | 'turns' | 'reads' | 'waits'>;

/** Which event to wait for; every field that is given must match. */
export interface EventMatch extends Reader {
  readonly event_type?: EventType | undefined;
  /** The id of the record that the event is about; `call_id` is the same for calls. */
  readonly subject_id?: string | undefined;
  readonly call_id?: string | undefined;
  /** Whether the event must have deliveries, and all of them must have been accepted. */
  readonly delivered?: boolean | undefined;
  /** Events before this instant (milliseconds of the world's time) do not count. */
  readonly since?: number | undefined;
}

/**
 * Resolves to the first event that matches, as soon as it exists. `timeout` when `timeoutMs` has passed, the world is reset or deleted,
 * or the server stops; `conflict` if a match may be among entries that the journal has dropped.
 */
export async function waitForEvent(
  parts: Parts,
  world: string,
  match: EventMatch,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<SandboxEvent> {
  const { store, waits } = parts;
  const epoch = await store.transaction(world, (tx) => tx.state('epoch'));
  let wake = (): void => {};
  const stopListening = store.watch(world, (commit) => {
    if (!commit || commit.epoch !== epoch || mayEnd(commit, match)) wake();
  });
  let isOver = false;
  const giveUp = (): void => {
    isOver = true;
    wake();
  };
  let isStopping = false;
  const stop = (): void => {
    isStopping = true;
    wake();
  };
  waits.add(stop);
  const timer = setTimeout(giveUp, timeoutMs);
  signal?.addEventListener('abort', giveUp);
  try {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const { found, undelivered } = await findMatch(parts, world, match, epoch);
      if (found) return serializeEvent(found);
      if (isStopping) throw interrupted('The server stopped', 'Wait again when it is back, or at another replica.');
      if (isOver) throw timedOut(match, timeoutMs, undelivered);
      await changed;
    }
  } finally {
    waits.delete(stop);
    clearTimeout(timer);
    stopListening();
    signal?.removeEventListener('abort', giveUp);
  }
}

/** Whether a commit can have brought a match; a world can have a thousand waits, and most commits concern none of them. */
function mayEnd({ appended, schedule }: Commit, match: EventMatch): boolean {
  // What others have committed may be told without its entries.
  if (appended.length === 0) return schedule !== null;
  return appended.some(({ journal, entry }) => {
    if (journal === 'events') return isMeant(match, entry);
    if (journal !== 'deliveries' || match.delivered !== true) return false;
    return entry.status === 'delivered' && isRequested(match.event_type, entry.event_type);
  });
}

const isMeant = ({ event_type, subject_id, call_id, since }: EventMatch, event: EventEntry): boolean =>
  isRequested(event_type, event.event_type) &&
  isRequested(subject_id, event.subject?.id) &&
  isRequested(call_id, event.subject?.id) &&
  (since === undefined || Date.parse(event.at) >= since);

/** The event that was waited for, or else the latest that lacks a delivery alone. Many may wait: they keep no others. */
interface Findings {
  readonly found: EventEntry | undefined;
  readonly undelivered: Undelivered | undefined;
}

async function findMatch(parts: Parts, world: string, match: EventMatch, epoch: number): Promise<Findings> {
  try {
    return await parts.reads.run(world, () => matchIn(parts, world, match, epoch));
  } catch (error) {
    if (error instanceof NoSuchWorld)
      throw interrupted('The world was deleted', 'Create the world again, and wait in the new one.');
    throw error;
  }
}

/** In slices, since the journals can be long, and many may wait. What happens meanwhile makes the wait look again. */
async function matchIn(parts: Parts, world: string, match: EventMatch, epoch: number): Promise<Findings> {
  const { delivered, since, organization } = match;
  const limit = delivered === true ? undefined : 1;
  const events = await readEntries(
    parts,
    world,
    'events',
    (event, tx) => isMeant(match, event) && maySee(tx, { organization }, { journal: 'events', entry: event }),
    limit,
  );
  const matching = events.entries;
  const ids = new Set(matching.map(({ id }) => id));
  // Event ids repeat after a reset, so that a delivery of an older epoch can carry the same one.
  const deliveries =
    delivered === true
      ? await readEntries(parts, world, 'deliveries', (each) => each.epoch === epoch && ids.has(each.event_id))
      : null;
  if ([events, deliveries].some((read) => read && read.epoch !== epoch))
    throw interrupted('The world was reset', 'Wait again, after the reset.');
  const ofEvents = byEvent(deliveries?.entries ?? []);
  const found = deliveries ? firstDelivered(matching, ofEvents, deliveries) : matching[0];
  const { dropped, droppedUpTo } = events;
  const mayBeDropped = droppedUpTo !== null && (since === undefined || Date.parse(droppedUpTo) >= since);
  if (!found && mayBeDropped) throw maybeDropped(dropped, 'events');
  const event = matching.at(-1);
  const delivery = event && ofEvents.get(event.id)?.find(({ status }) => status !== 'delivered');
  return { found, undelivered: event && { event, delivery } };
}

function byEvent(deliveries: readonly DeliveryEntry[]): Map<string, DeliveryEntry[]> {
  const ofEvents = new Map<string, DeliveryEntry[]>();
  for (const delivery of deliveries) {
    const others = ofEvents.get(delivery.event_id);
    if (others) others.push(delivery);
    else ofEvents.set(delivery.event_id, [delivery]);
  }
  return ofEvents;
}

/** The first of these events that has deliveries, all of them accepted. */
function firstDelivered(
  events: readonly EventEntry[],
  ofEvents: ReadonlyMap<string, readonly DeliveryEntry[]>,
  { dropped }: EntriesRead<'deliveries'>,
): EventEntry | undefined {
  let isUncertain = false;
  for (const event of events) {
    if (event.deliveries === 0) continue;
    const kept = ofEvents.get(event.id) ?? [];
    if (!kept.every(({ status }) => status === 'delivered')) continue;
    if (kept.length === event.deliveries) return event;
    isUncertain = true;
  }
  if (isUncertain) throw maybeDropped(dropped, 'deliveries');
  return undefined;
}

function maybeDropped(dropped: number, entries: string): ApiError {
  return new ApiError('conflict', {
    message: `The journal has dropped ${dropped} ${entries}; the one you wait for may be among them.`,
    hint: 'Wait sooner, pass `since`, or raise --journal-limit.',
  });
}

function interrupted(how: string, hint: string): ApiError {
  return new ApiError('timeout', { message: `${how} during the wait.`, hint });
}

function timedOut(match: EventMatch, timeoutMs: number, undelivered: Undelivered | undefined): ApiError {
  const { event_type, delivered, subject_id, call_id } = match;
  const message = `No ${event_type ?? 'event'} ${delivered ? 'was delivered' : 'happened'} within ${timeoutMs} ms`;
  if (undelivered) {
    const { fact, hint } = whyUndelivered(undelivered);
    return new ApiError('timeout', { message: `${message}: ${fact}.`, hint });
  }
  const id = subject_id ?? call_id;
  const timeline = id === undefined ? '' : ` ${timelineHint(id)}`;
  return new ApiError('timeout', {
    message: `${message}.`,
    hint: `Advance the clock with POST /_sandbox/clock/advance: on a stopped clock nothing happens by itself.${timeline}`,
  });
}
