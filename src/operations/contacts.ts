// Contacts: `spec.md` "Contact". The API only reads them; leads create them, and tests through the control API.
import { type Operation, ok } from '../engine/operation.ts';
import { pageOf } from '../engine/paging.ts';
import { findRecord } from '../engine/records.ts';
import { wireOf } from '../model.ts';

export const listContacts: Operation<'listContacts'> = {
  handle({ caller, query }, tx) {
    const { rows, counted } = pageOf(tx, 'contacts', 'organization', caller.organization_id, {
      ...query,
      newestFirst: true,
    });
    return ok(rows.map(wireOf), counted);
  },
};

export const getContact: Operation<'getContact'> = {
  handle({ params, caller }, tx) {
    return ok(wireOf(findRecord(tx, 'contacts', params.id, caller)));
  },
};
