// The contact or appointment that an event fired by hand is about: as it is, whenever it was created.
import { timestamp } from '../../clock/clock.ts';
import { storeAppointment } from '../../domain/appointments/new-appointment.ts';
import { storeContact } from '../../domain/contacts/new-contact.ts';
import { fictionalNumber } from '../simulate/fictional-number.ts';
import { newestContact, type RecordSource } from './firing.ts';

const HOUR_MS = 60 * 60_000;

export const contacts: RecordSource<'contacts'> = {
  index: () => 'organization',
  asOf: (_, contact) => contact,
  make: ({ tx, owner }) =>
    storeContact(tx, owner.organization_id, {
      name: 'Simulated contact',
      phone_number: fictionalNumber(tx),
      email: null,
      status: 'active',
      source: 'simulated',
      metadata: null,
    }),
};

export const appointments: RecordSource<'appointments'> = {
  index: () => 'organization',
  asOf: (_, appointment) => appointment,
  make(firing) {
    const { tx, owner } = firing;
    const contact = newestContact(firing);
    const start = Math.ceil(tx.at / HOUR_MS) * HOUR_MS + 24 * HOUR_MS;
    return storeAppointment(tx, owner.organization_id, {
      title: 'Simulated appointment',
      description: null,
      contact_name: contact?.name ?? null,
      contact_email: contact?.email ?? null,
      start_time: timestamp(start),
      end_time: timestamp(start + HOUR_MS / 2),
      timezone: 'America/Los_Angeles',
      status: 'confirmed',
      event_type: 'appointment',
      scheduling_option: 'phone',
      notes: null,
    });
  },
};
