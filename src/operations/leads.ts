// Leads: contacts that come from outside, by the URL token and the secret of a lead source. Who hands one in was checked
// before; the caller's organization is the source's.

import { addContact } from '../domain/contacts/new-contact.ts';
import { created, type Operation } from '../engine/operation.ts';
import { wireOf } from '../model.ts';

export const createLead: Operation<'createLead'> = {
  handle({ body, caller }, tx) {
    const { name = null, phone_number = null, email = null, metadata = null } = body;
    const known = { name, phone_number, email, metadata, status: 'active', source: 'lead' };
    return created(wireOf(addContact(tx, caller.organization_id, known)));
  },
};
