// Creates contacts, from leads or through the control API: `spec.md` "Contact".
import { timestamp } from '../../clock/clock.ts';
import type { Schemas } from '../../contract/document.ts';
import { allocateId } from '../../engine/create.ts';
import { invalidField } from '../../errors/api-error.ts';
import type { Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';
import { emitAbout } from '../../webhooks/fan-out.ts';
import { isMetadata, metadataForm } from './metadata.ts';

/** The fields of a contact that is being created. */
export type NewContact = Omit<Schemas['Contact'], 'id' | 'created_at' | 'updated_at'>;

/** Creates a contact of that organization; emits `contact_created`. */
export function addContact(tx: Tx, organization_id: string, fields: NewContact): Row<'contacts'> {
  const contact = newContact(tx, organization_id, fields);
  tx.put('contacts', contact);
  emitAbout(tx, 'contact_created', 'contacts', contact.id, contact);
  return contact;
}

/** A contact of that organization; not stored yet. */
export function newContact(tx: Tx, organization_id: string, fields: NewContact): Row<'contacts'> {
  const { name, phone_number, email, status, source, metadata } = fields;
  if (metadata !== null && !isMetadata(metadata))
    throw invalidField('metadata', `must be ${metadataForm}`, { assumption: 'contact_metadata' });
  const now = timestamp(tx.at);
  const { id, rank } = allocateId(tx, 'contacts');
  return {
    id,
    name,
    phone_number,
    email,
    status,
    source,
    metadata,
    created_at: now,
    updated_at: now,
    private: { organization_id, rank },
  };
}
