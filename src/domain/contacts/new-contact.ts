// How a contact comes to be, be it by a lead or by hand.
import { timestamp } from '../../clock/clock.ts';
import type { Schemas } from '../../contract/document.ts';
import { uuid } from '../../identity/seeded.ts';
import type { Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';
import { emitAbout } from '../../webhooks/fan-out.ts';

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
