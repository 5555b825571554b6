// What the parts of an event fired by hand have in common: the record that it is about, which exists or is made for it.
import type { LetterWriter } from '../../domain/caller-trust/letter-of-authorization.ts';
import type { Owner } from '../../engine/records.ts';
import type { EventType, events } from '../../events/catalogue.ts';
import type { IndexOf, Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';

/** Tables whose records events are about. */
export type EventTable = (typeof events)[EventType]['table'];

export interface Firing {
  readonly tx: Tx;
  readonly type: EventType;
  /** The fields of the payload that were given. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The organization that it happens to. */
  readonly owner: Owner;
  /** Writes the letter of an enterprise; loaded for events about one only. */
  readonly letterWriter: LetterWriter | null;
}

export interface RecordSource<Table extends EventTable> {
  /** The index under which an organization's records are, those of which such an event can be about. */
  index(type: EventType): IndexOf<Table>;
  /** A record as it was at the event; as it would be, if the event has not happened to it. Stores nothing. */
  asOf(firing: Firing, record: Row<Table>): Row<Table>;
  /** Stores a record to which the event has just happened, so that its ids can be read. Emits nothing. */
  make(firing: Firing): Row<Table>;
}

/** A field of `data`, if it is a text. */
export function textIn({ data }: Pick<Firing, 'data'>, name: string): string | undefined {
  const value = data[name];
  return typeof value === 'string' ? value : undefined;
}

/** The newest contact of the organization that has a phone number. */
export function newestContact({ tx, owner }: Firing): Row<'contacts'> | undefined {
  const newest = { limit: 100, newestFirst: true };
  return tx.page('contacts', 'organization', owner.organization_id, newest).find((each) => each.phone_number !== null);
}
