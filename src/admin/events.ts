// The event journal of a world: what was emitted, and its exact body.
import type { EventType } from '../events/catalogue.ts';
import type { EventEntry } from '../model.ts';
import type { Tx } from '../store/store.ts';
import { SIGNATURE_HEADER, signatureOf, WORLD_SIGNING_SECRET } from '../webhooks/sign.ts';
import { isRequested, type JournalPage, listEntries } from './journal.ts';
import type { PageRequest } from './pages.ts';
import type { Slicing } from './read-journal.ts';
import type { Reader } from './reader.ts';
import { maySee } from './timeline/subject.ts';

export interface EventFilter {
  readonly event_type?: EventType | undefined;
  /** The id of the record that the event is about. */
  readonly subject_id?: string | undefined;
}

export type SandboxEvent = ReturnType<typeof serializeEvent>;

/** An event as users see it. */
export function serializeEvent(event: EventEntry) {
  const payload: Readonly<Record<string, unknown>> = JSON.parse(event.body);
  return {
    id: event.id,
    event_type: event.event_type,
    created_at: event.at,
    subject: event.subject,
    payload,
    body: event.body,
    headers: eventHeaders(event),
    schema_violations: event.schema_violations,
    /** How many subscriptions heard it, and if none did, why. */
    deliveries: event.deliveries,
    unheard: event.unheard,
    cause: event.cause,
  };
}

/** What its delivery to a subscription without a secret of its own carries. */
export function eventHeaders({ body, signed }: Pick<EventEntry, 'body' | 'signed'>): Readonly<Record<string, string>> {
  const signature = signed ? { [SIGNATURE_HEADER]: signatureOf(body, WORLD_SIGNING_SECRET) } : {};
  return { 'content-type': 'application/json', ...signature };
}

export function listEvents(
  parts: Slicing,
  world: string,
  { event_type, subject_id, organization, ...page }: EventFilter & PageRequest & Reader,
): Promise<JournalPage<SandboxEvent>> {
  const matches = (event: EventEntry, tx: Tx): boolean =>
    maySee(tx, { organization }, { journal: 'events', entry: event }) &&
    isRequested(event_type, event.event_type) &&
    isRequested(subject_id, event.subject?.id);
  return listEntries(parts, world, 'events', page, matches, serializeEvent);
}
