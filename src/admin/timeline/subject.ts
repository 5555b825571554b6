// What a timeline is about: a record of any kind, or a request, by its id.
import type { RequestEntry, Row, Subject, TableName } from '../../model.ts';
import { isRequestId } from '../../store/next-id.ts';
import type { Tx } from '../../store/store.ts';
import { tables } from '../../store/tables.ts';
import { keysOf } from '../../typed-keys.ts';
import { type Reader, sees } from '../reader.ts';
import { type JournalEntries, type Link, subjectOf } from './chain.ts';

/** What no client sees under an id of its own, or what has the id of another record. */
const innerTables: ReadonlySet<TableName> = new Set<TableName>([
  'control_keys',
  'cnam_listings',
  'opt_outs',
  'client_tokens',
  'document_contents',
  'idempotency_records',
  'active_scenarios',
  'scenario_overlays',
  'faults',
  'inboxes',
  'snapshots',
  'ticks',
  'webhook_plans',
  'waiting_deliveries',
  'awaited_retries',
  'rate_windows',
]);

const subjectTables: readonly TableName[] = keysOf(tables).filter((table) => !innerTables.has(table));

/** A record, which may be gone, or a request. */
export type TimelineSubject =
  | { readonly kind: 'record'; readonly subject: Subject; readonly record: Row<TableName> | undefined }
  | { readonly kind: 'request'; readonly request: RequestEntry };

/** The record or the request with that id; that of an entry is the record that the entry is about. */
export function findTimelineSubject(tx: Tx, journals: JournalEntries, id: string): TimelineSubject | undefined {
  if (isRequestId(id)) {
    const request = tx.entry('requests', id);
    return request && { kind: 'request', request };
  }
  const subject = subjectOfEntry(tx, id);
  if (subject) return { kind: 'record', subject, record: tx.get(subject.table, subject.id) };
  for (const table of subjectTables) {
    const record = tx.get(table, id);
    if (record) return { kind: 'record', subject: { table, id }, record };
  }
  const past = pastSubject(journals, id);
  return past ? { kind: 'record', subject: past, record: undefined } : undefined;
}

function subjectOfEntry(tx: Tx, id: string): Subject | null {
  return (tx.entry('steps', id) ?? tx.entry('events', id) ?? tx.entry('deliveries', id))?.subject ?? null;
}

/** A record that is gone, if the journals still have an entry about it. */
function pastSubject({ steps, events }: JournalEntries, id: string): Subject | null {
  const isPast = ({ subject }: { readonly subject: Subject | null }): boolean => subject?.id === id;
  return (steps.find(isPast) ?? events.find(isPast))?.subject ?? null;
}

/** Whether that entry belongs to what the reader may see. */
export const maySee = (tx: Tx, reader: Reader, link: Link): boolean =>
  sees(tx, reader, null) || sees(tx, reader, organizationOf(tx, link));

/** The organization that an entry belongs to; null if that is no longer known. */
export function organizationOf(tx: Tx, link: Link): string | null {
  const { journal, entry } = link;
  if (journal === 'events' || journal === 'deliveries') return entry.organization_id;
  if (journal === 'requests') {
    // A key that has no record is one of the world's own organization.
    const key = entry.key_id === null ? undefined : tx.get('keys', entry.key_id);
    return key?.private.organization_id ?? tx.world.organization_id;
  }
  const subject = subjectOf(link);
  const record = subject && tx.get(subject.table, subject.id);
  return record ? record.private.organization_id : null;
}
