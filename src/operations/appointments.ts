// Appointments: `spec.md` "Appointment (booking)". They are read here; callers and agents make them.
import { timestamp } from '../clock/clock.ts';
import type { Schemas } from '../contract/document.ts';
import { type Operation, pageOf } from '../engine/operation.ts';
import { uuid } from '../identity/seeded.ts';
import { type Row, wireOf } from '../model.ts';
import type { Tx } from '../store/store.ts';
import { emitAbout } from '../webhooks/fan-out.ts';

export const listAppointments: Operation<'listAppointments'> = {
  handle(request, tx) {
    const { rows, counted } = pageOf(tx, 'appointments', request, true);
    return { status: 200, body: { data: rows.map(wireOf), meta: counted } };
  },
};

/** What is known of an appointment when it is booked. */
export type NewAppointment = Omit<Schemas['Appointment'], 'id' | 'created_at'>;

/** A new booking of that organization; emits `new_appointment`. */
export function addAppointment(tx: Tx, organization: string, booked: NewAppointment): Row<'appointments'> {
  const appointment: Row<'appointments'> = {
    id: uuid(tx.world.seed, tx.world.name, 'appointments', tx.ordinal('appointments')),
    title: booked.title,
    description: booked.description,
    contact_name: booked.contact_name,
    contact_email: booked.contact_email,
    start_time: booked.start_time,
    end_time: booked.end_time,
    timezone: booked.timezone,
    status: booked.status,
    event_type: booked.event_type,
    scheduling_option: booked.scheduling_option,
    notes: booked.notes,
    created_at: timestamp(tx.at),
    private: { organization_id: organization, rank: tx.ordinal('records') },
  };
  tx.put('appointments', appointment);
  emitAbout(tx, 'new_appointment', 'appointments', appointment.id, appointment);
  return appointment;
}
