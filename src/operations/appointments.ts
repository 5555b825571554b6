// Appointments: `spec.md` "Appointment (booking)". The API only reads them; callers and agents create them.
import { type Operation, ok } from '../engine/operation.ts';
import { pageOf } from '../engine/paging.ts';
import { wireOf } from '../model.ts';

export const listAppointments: Operation<'listAppointments'> = {
  handle({ caller, query }, tx) {
    const { rows, counted } = pageOf(tx, 'appointments', 'organization', caller.organization_id, {
      ...query,
      newestFirst: true,
    });
    return ok(rows.map(wireOf), counted);
  },
};
