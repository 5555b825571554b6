// What all parts of emitting by hand share: the record that the event is about. It exists, is made to fit the given
// fields, or is an existing record as the event would leave it.
import type { LetterWriter } from '../../domain/caller-trust/letter-of-authorization.ts';
import type { Owner } from '../../engine/records.ts';
import type { EventTable, EventType } from '../../events/catalogue.ts';
import type { IndexOf, Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';
import type { Reader } from '../reader.ts';
import type { Forms } from './forms.ts';

export interface Firing {
  readonly tx: Tx;
  readonly type: EventType;
  /** The fields of the payload that were given. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The organization that it happens to, unless a record that is named says otherwise. */
  readonly owner: Owner;
  /** Whose records `data` can name. */
  readonly reader: Reader;
  /** Writes the letter of an enterprise; loaded for events about one only. */
  readonly letterWriter: LetterWriter | null;
}

/** A record that could be made for an event, which has just happened to it. */
export interface Draft<Table extends EventTable> {
  /** Ids of other records that are only made with it are not final. */
  readonly record: Row<Table>;
  /** Stores what is new of the record and of what it refers to, and returns the record. Emits nothing. */
  store(): Row<Table>;
}

export interface RecordSource<Table extends EventTable> {
  /** The fields that a draft takes over from `data`, and their form. All others follow from the record. */
  forms(firing: Firing, base: Row<Table> | undefined): Forms;
  /** The only record that an event with this `data` can be about, if there is one: what `data` names, as a rule. */
  named(firing: Firing): Row<Table> | undefined;
  /** Where the records are that the event can be about. */
  among(firing: Firing): readonly [index: IndexOf<Table>, value: string];
  /** A record as it was at the event. */
  asOf(firing: Firing, record: Row<Table>): Row<Table>;
  /**
   * Every record to which such an event can have just happened, the usual one first, with what it can take over from
   * `data`. Each is new, or what becomes of `base`, an existing record, which stays as it is.
   */
  drafts(firing: Firing, base: Row<Table> | undefined): readonly Draft<Table>[];
}

/** A draft of a record that refers to existing records only. It is stored unless it is what becomes of `base`. */
export function draftOf<Table extends EventTable>(
  { tx }: Firing,
  table: Table,
  record: Row<Table>,
  base?: Row<Table>,
): Draft<Table> {
  return {
    record,
    store() {
      if (!base) tx.put(table, record);
      return record;
    },
  };
}

/** The newest contact of the organization that has a phone number. */
export function newestContact({ tx, owner }: Firing): Row<'contacts'> | undefined {
  const newest = { limit: 100, newestFirst: true };
  return tx.page('contacts', 'organization', owner.organization_id, newest).find((each) => each.phone_number !== null);
}
