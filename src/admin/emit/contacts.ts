// The contact or appointment that an event emitted by hand is about: as it is now, whenever it was created.
import { LATEST_INSTANT, timestamp } from '../../clock/clock.ts';
import { newAppointment } from '../../domain/appointments/new-appointment.ts';
import { isMetadata, metadataForm } from '../../domain/contacts/metadata.ts';
import { newContact } from '../../domain/contacts/new-contact.ts';
import { fictionalNumber } from '../simulate/fictional-number.ts';
import { type Draft, draftOf, type Firing, newestContact, type RecordSource } from './firing.ts';
import { anyText, email, type Form, given, instantForm, orNull, phoneNumber, timeZone } from './forms.ts';
import { byId } from './naming.ts';

const optionalText = orNull(anyText);

const contactForms = {
  name: optionalText,
  phone_number: orNull(phoneNumber),
  email: orNull(email),
  status: anyText,
  source: anyText,
  metadata: orNull({ text: metadataForm, accepts: isMetadata }),
};

export const contacts: RecordSource<'contacts'> = {
  forms: () => contactForms,
  named: (firing) => byId(firing, 'contacts'),
  among: ({ owner }) => ['organization', owner.organization_id],
  asOf: (_, contact) => contact,
  drafts: (firing, base) => [base ? draftOf(firing, 'contacts', base, base) : contactDraft(firing)],
};

/** A new contact with the fields of `data`. */
export function contactDraft(firing: Firing): Draft<'contacts'> {
  const { tx, owner } = firing;
  const phone_number = given(firing, 'phone_number', contactForms.phone_number);
  const contact = newContact(tx, owner.organization_id, {
    name: or(given(firing, 'name', optionalText), 'Simulated contact'),
    phone_number: phone_number === undefined ? fictionalNumber(tx) : phone_number,
    email: given(firing, 'email', contactForms.email) ?? null,
    status: given(firing, 'status', anyText) ?? 'active',
    source: given(firing, 'source', anyText) ?? 'simulated',
    metadata: copyOf(given(firing, 'metadata', contactForms.metadata)),
  });
  return draftOf(firing, 'contacts', contact);
}

const copyOf = (metadata: Readonly<Record<string, unknown>> | null | undefined) => (metadata ? { ...metadata } : null);

/** A value, which may be null, or a default where there is none. */
const or = <Value>(value: Value | undefined, otherwise: Value): Value => (value === undefined ? otherwise : value);

const HOUR_MS = 60 * 60_000;
/** How long an appointment takes unless `data` says so. */
const LASTS_MS = HOUR_MS / 2;

const startForm: Form<string> = {
  text: instantForm.text,
  accepts: (value): value is string => instantForm.accepts(value) && Date.parse(value) + LASTS_MS <= LATEST_INSTANT,
};

/** Of the end of an appointment with that start. */
const endForm = (start: string | undefined): Form<string> => ({
  text: start === undefined ? instantForm.text : `${instantForm.text}, after start_time`,
  accepts: (value): value is string =>
    instantForm.accepts(value) && (start === undefined || Date.parse(value) > Date.parse(start)),
});

/** Times as they were given; by default an appointment starts a day from now, at the next full hour. */
function timesOf(firing: Firing): { readonly start_time: string; readonly end_time: string } {
  const start = given(firing, 'start_time', startForm);
  const end = given(firing, 'end_time', endForm(start));
  const usual =
    end === undefined ? Math.ceil(firing.tx.at / HOUR_MS) * HOUR_MS + 24 * HOUR_MS : Date.parse(end) - LASTS_MS;
  const starts = start === undefined ? usual : Date.parse(start);
  return {
    start_time: timestamp(starts),
    end_time: timestamp(end === undefined ? starts + LASTS_MS : Date.parse(end)),
  };
}

const appointmentForms = {
  title: optionalText,
  description: optionalText,
  contact_name: optionalText,
  contact_email: orNull(email),
  timezone: timeZone,
  status: anyText,
  event_type: anyText,
  scheduling_option: anyText,
  notes: optionalText,
};

export const appointments: RecordSource<'appointments'> = {
  forms: (firing) => ({
    ...appointmentForms,
    start_time: startForm,
    end_time: endForm(given(firing, 'start_time', startForm)),
  }),
  named: (firing) => byId(firing, 'appointments'),
  among: ({ owner }) => ['organization', owner.organization_id],
  asOf: (_, appointment) => appointment,
  drafts(firing, base) {
    if (base) return [draftOf(firing, 'appointments', base, base)];
    const { tx, owner } = firing;
    const contact = newestContact(firing);
    const appointment = newAppointment(tx, owner.organization_id, {
      title: or(given(firing, 'title', optionalText), 'Simulated appointment'),
      description: given(firing, 'description', optionalText) ?? null,
      contact_name: or(given(firing, 'contact_name', optionalText), contact?.name ?? null),
      contact_email: or(given(firing, 'contact_email', orNull(email)), contact?.email ?? null),
      ...timesOf(firing),
      timezone: given(firing, 'timezone', timeZone) ?? 'America/Los_Angeles',
      status: given(firing, 'status', anyText) ?? 'confirmed',
      event_type: given(firing, 'event_type', anyText) ?? 'appointment',
      scheduling_option: given(firing, 'scheduling_option', anyText) ?? 'phone',
      notes: given(firing, 'notes', optionalText) ?? null,
    });
    return [draftOf(firing, 'appointments', appointment)];
  },
};
