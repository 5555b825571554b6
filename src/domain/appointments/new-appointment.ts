// Books appointments: `spec.md` "Appointment (booking)".
import { timestamp } from '../../clock/clock.ts';
import type { Schemas } from '../../contract/document.ts';
import { allocateId } from '../../engine/create.ts';
import type { Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';
import { emitAbout } from '../../webhooks/fan-out.ts';

/** The fields of an appointment that is being booked. */
export type NewAppointment = Omit<Schemas['Appointment'], 'id' | 'created_at'>;

/** Creates an appointment of that organization; emits `new_appointment`. */
export function addAppointment(tx: Tx, organization_id: string, booking: NewAppointment): Row<'appointments'> {
  const appointment = newAppointment(tx, organization_id, booking);
  tx.put('appointments', appointment);
  emitAbout(tx, 'new_appointment', 'appointments', appointment.id, appointment);
  return appointment;
}

/** An appointment of that organization; not stored yet. */
export function newAppointment(tx: Tx, organization_id: string, booking: NewAppointment): Row<'appointments'> {
  const { id, rank } = allocateId(tx, 'appointments');
  return {
    id,
    title: booking.title,
    description: booking.description,
    contact_name: booking.contact_name,
    contact_email: booking.contact_email,
    start_time: booking.start_time,
    end_time: booking.end_time,
    timezone: booking.timezone,
    status: booking.status,
    event_type: booking.event_type,
    scheduling_option: booking.scheduling_option,
    notes: booking.notes,
    created_at: timestamp(tx.at),
    private: { organization_id, rank },
  };
}
