// Contacts: `spec.md` "Contact". They are read here; they come from outside.
import { timestamp } from '../clock/clock.ts';
import type { Schemas } from '../contract/document.ts';
import { find, type Operation, ok, pageOf } from '../engine/operation.ts';
import { type Row, wireOf } from '../model.ts';
import { uuid } from '../store/identity.ts';
import type { Tx } from '../store/store.ts';
import { emitAbout } from '../webhooks/fan-out.ts';

export const listContacts: Operation<'listContacts'> = {
  handle(request, tx) {
    const { rows, counted } = pageOf(tx, 'contacts', request, true);
    return { status: 200, body: { data: rows.map(wireOf), meta: counted } };
  },
};

export const getContact: Operation<'getContact'> = {
  handle(request, tx) {
    return ok(wireOf(find(tx, 'contacts', request.params.id, request.caller, 'contact')));
  },
};

/** What is known of a contact when it comes. */
export type NewContact = Omit<Schemas['Contact'], 'id' | 'created_at' | 'updated_at'>;

/** A new contact of that organization; emits `contact_created`. */
export function addContact(tx: Tx, organization: string, known: NewContact): Row<'contacts'> {
  const now = timestamp(tx.at);
  const { name, phone_number, email, status, source, metadata } = known;
  const contact: Row<'contacts'> = {
    id: uuid(tx.world.seed, tx.world.name, 'contacts', tx.ordinal('contacts')),
    name,
    phone_number,
    email,
    status,
    source,
    metadata,
    created_at: now,
    updated_at: now,
    private: { organization_id: organization, rank: tx.ordinal('records') },
  };
  tx.put('contacts', contact);
  emitAbout(tx, 'contact_created', 'contacts', contact.id, contact);
  return contact;
}
