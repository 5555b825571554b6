// The timeline of a record or a request: everything that led to it and followed from it, in causal order, with the
// reason for its outcome. `interface.md` section 5.
import { timestamp, worldTime } from '../../clock/clock.ts';
import { ApiError, notFound, quote } from '../../errors/api-error.ts';
import type { RequestEntry, Subject } from '../../model.ts';
import { journalOfId } from '../../store/next-id.ts';
import type { Tx } from '../../store/store.ts';
import { readEntries, type Slicing } from '../read-journal.ts';
import { type Reader, sees } from '../reader.ts';
import {
  type ChainLink,
  type ChainOf,
  causeOf,
  chainJournals,
  chainOf,
  type JournalEntries,
  subjectOf,
} from './chain.ts';
import { choiceIn, type ShownSelection } from './choice.ts';
import { serializeLink, type TimelineEntry } from './entries.ts';
import { namesRecord } from './requests-of.ts';
import { findTimelineSubject, maySee, type TimelineSubject } from './subject.ts';

export interface Timeline {
  /** What it is about; a request is in the table `requests`. */
  readonly subject: { readonly table: string; readonly id: string };
  /** The status of the record, or of the response; null for a record without one, or that is gone. */
  readonly status: string | null;
  /** The instant from which offsets count: that of the request, if one began it. Null if there are no entries. */
  readonly began_at: string | null;
  /** The present of the world. */
  readonly now: string;
  /** The scenario that it plays and why the others lost; null if it plays none. */
  readonly choice: ShownSelection | null;
  readonly entries: readonly TimelineEntry[];
}

/** Who asks for a timeline, and about what. */
export interface TimelineQuery extends Reader {
  /** The id of a record of any kind, of a request, or of another journal entry about a record. */
  readonly subject_id: string;
  /** The only kind of record that it may be. */
  readonly table?: Subject['table'];
}

/** `not_found` for an id that names nothing here, `conflict` if part of the chain may have been dropped. */
export async function timelineOf(parts: Slicing, world: string, query: TimelineQuery): Promise<Timeline> {
  const { store, turns } = parts;
  for (;;) {
    const journals = await journalsOf(parts, world);
    const isStill = (tx: Tx): boolean => tx.state('epoch') === journals.epoch;
    const subject = await store.transaction(world, (tx) => {
      if (!isStill(tx)) return undefined;
      const found = findTimelineSubject(tx, journals, query.subject_id);
      if (!found || !mayBeSeen(tx, found, query)) throw unknownSubject(tx, query, found === undefined);
      return { found, scope: scopeOf(tx, journals, found) };
    });
    const chain = subject && (await turns.workThrough(world, chainOf(journals, subject.scope)));
    const timeline = await store.transaction(world, (tx) => {
      if (!chain || !isStill(tx)) return undefined;
      requireComplete(tx, subject.found, chain);
      return assemble(
        tx,
        subject.found,
        chain.filter(({ link }) => maySee(tx, query, link)),
      );
    });
    // Unless another epoch has begun meanwhile.
    if (timeline) return timeline;
  }
}

function assemble(tx: Tx, found: TimelineSubject, chain: readonly ChainLink[]): Timeline {
  const began = chain[0]?.link.entry.at ?? null;
  return {
    subject: subjectShown(found),
    status: statusOf(found),
    began_at: began,
    now: timestamp(worldTime(tx.state('clock'), tx.systemTime)),
    choice: choiceIn(chain, found),
    entries: chain.map((each) => serializeLink(each, Date.parse(began ?? ''))),
  };
}

/**
 * Deliveries of an earlier epoch are kept, but their events are not, whose ids may have been given to others. What was
 * caused is read before what may have caused it, so that no cause is missing.
 */
async function journalsOf(parts: Slicing, world: string): Promise<JournalEntries & { readonly epoch: number }> {
  for (;;) {
    const deliveries = await readEntries(parts, world, 'deliveries', ({ epoch }, tx) => epoch === tx.state('epoch'));
    const events = await readEntries(parts, world, 'events', all);
    const steps = await readEntries(parts, world, 'steps', all);
    const requests = await readEntries(parts, world, 'requests', all);
    const { epoch } = deliveries;
    if ([events, steps, requests].some((each) => each.epoch !== epoch)) continue;
    return {
      requests: requests.entries,
      steps: steps.entries,
      events: events.entries,
      deliveries: deliveries.entries,
      epoch,
    };
  }
}

const all = (): boolean => true;

function scopeOf(tx: Tx, journals: JournalEntries, found: TimelineSubject): ChainOf {
  if (found.kind === 'request') {
    const { id } = found.request;
    const made = journals.steps.filter(({ cause, from }) => cause === id && from === null);
    return { owners: made.map(({ subject }) => subject), origins: [], isOwnRequest: (request) => request.id === id };
  }
  const { subject, record } = found;
  const job = record && 'job_id' in record.private ? record.private.job_id : null;
  return {
    owners: [subject, ...partsOf(tx, subject)],
    origins: job === null ? [] : [{ table: 'jobs', id: job }],
    isOwnRequest: (request) => namesRecord(request, subject.id),
  };
}

/** Records that clients do not know apart from this one. */
function partsOf(tx: Tx, { table, id }: Subject): Subject[] {
  if (table === 'phone_numbers') return [{ table: 'cnam_listings', id }];
  if (table !== 'jobs') return [];
  return tx.page('job_contacts', 'job', id).map((contact) => ({ table: 'job_contacts', id: contact.id }));
}

function mayBeSeen(tx: Tx, found: TimelineSubject, { table, organization }: TimelineQuery): boolean {
  if (table !== undefined && (found.kind === 'request' || found.subject.table !== table)) return false;
  if (found.kind === 'request') return maySee(tx, { organization }, { journal: 'requests', entry: found.request });
  return sees(tx, { organization }, found.record?.private.organization_id ?? null);
}

/** An entry that is not there may have been dropped; a record that is not there is unknown. */
function unknownSubject(tx: Tx, { subject_id, table }: TimelineQuery, isUnknown: boolean): ApiError {
  const journal = isUnknown ? journalOfId(subject_id) : undefined;
  const dropped = journal === undefined ? 0 : tx.history.droppedFrom(journal);
  if (dropped > 0) return incomplete(dropped);
  if (table === 'calls') return notFound('call', subject_id);
  return new ApiError('not_found', {
    message: `Neither a record nor a journal entry of this world has the id ${quote(subject_id)}.`,
    hint: 'Pass the id of a call, a message, a job or any other record, or the X-Sandbox-Request-Id of a response.',
  });
}

/** Throws `conflict` if an entry of the chain, or what caused it, may be among those that were dropped. */
function requireComplete(tx: Tx, found: TimelineSubject, chain: readonly ChainLink[]): void {
  const total = chainJournals.reduce((sum, name) => sum + tx.history.droppedFrom(name), 0);
  if (total === 0) return;
  const first = beginningOf(found, chain);
  if (!first) throw incomplete(total);
  const dropped = tx.history.droppedSince(first.journal, first.entry.id);
  if (dropped > 0) throw incomplete(dropped);
  const ids = new Set(chain.map(({ link }) => link.entry.id));
  for (const { link } of chain) {
    const cause = causeOf(link);
    // What made the cause of a cause is told only as far as it is about the record.
    if (cause === null || ids.has(cause) || !isAbout(found, link)) continue;
    if (journalOfId(cause) !== undefined) throw incomplete(total);
  }
}

/** The entry with which it began to be; undefined for a record that was there before, or whose beginning is gone. */
function beginningOf(found: TimelineSubject, chain: readonly ChainLink[]): ChainLink['link'] | undefined {
  if (found.kind === 'request') return { journal: 'requests', entry: found.request };
  const { subject } = found;
  const created = chain.find(
    ({ link }) => link.journal === 'steps' && link.entry.from === null && isAbout(found, link),
  );
  if (created) return created.link;
  return chain.find(({ link }) => link.journal === 'requests' && made(link.entry, subject.id))?.link;
}

/** Whether a request made that record: it answers it, and its path does not name it. */
const made = (request: RequestEntry, id: string): boolean =>
  request.status === 201 && !request.path.split('/').includes(id);

function isAbout(found: TimelineSubject, link: ChainLink['link']): boolean {
  const subject = subjectOf(link);
  return found.kind === 'record' && subject?.table === found.subject.table && subject.id === found.subject.id;
}

function incomplete(dropped: number): ApiError {
  return new ApiError('conflict', {
    message: `The journals have dropped ${dropped} entries; some of this timeline may be among them.`,
    hint: 'Read it sooner, or raise --journal-limit.',
  });
}

function subjectShown(found: TimelineSubject): Timeline['subject'] {
  return found.kind === 'request' ? { table: 'requests', id: found.request.id } : found.subject;
}

function statusOf(found: TimelineSubject): string | null {
  if (found.kind === 'request') return String(found.request.status);
  const { record } = found;
  if (!record) return null;
  if (found.subject.table === 'phone_numbers' && 'status' in record.private) return String(record.private.status);
  if ('status' in record && typeof record.status === 'string') return record.status;
  return 'state' in record && typeof record.state === 'string' ? record.state : null;
}
