// Contacts: `spec.md` "Contact". They are read here; they come from outside.
import { findRecord, type Operation, ok, pageOf } from '../engine/operation.ts';
import { wireOf } from '../model.ts';

export const listContacts: Operation<'listContacts'> = {
  handle(request, tx) {
    const { rows, counted } = pageOf(tx, 'contacts', request, true);
    return { status: 200, body: { data: rows.map(wireOf), meta: counted } };
  },
};

export const getContact: Operation<'getContact'> = {
  handle(request, tx) {
    return ok(wireOf(findRecord(tx, 'contacts', request.params.id, request.caller, 'contact')));
  },
};
