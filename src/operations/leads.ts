// Leads: contacts sent by a lead source, which authenticates with its URL token and secret. The caller is the source's
// organization.
import { addContact } from '../domain/contacts/new-contact.ts';
import { created, type Operation } from '../engine/operation.ts';
import { wireOf } from '../model.ts';

export const createLead: Operation<'createLead'> = {
  handle({ body, caller }, tx) {
    const { name = null, phone_number = null, email = null, metadata = null } = body;
    const fields = { name, phone_number, email, metadata, status: 'active', source: 'lead' };
    return created(wireOf(addContact(tx, caller.organization_id, fields)));
  },
};
