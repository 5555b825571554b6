// A new appointment, as if a caller or an agent had booked it. `interface.md` section 5.
import { LATEST_INSTANT, timestamp } from '../../clock/clock.ts';
import { addAppointment, type NewAppointment } from '../../domain/appointments/new-appointment.ts';
import type { SandboxContext } from '../../engine/sandbox-context.ts';
import { transact } from '../../engine/transact.ts';
import { invalidField } from '../../errors/api-error.ts';
import { wireOf } from '../../model.ts';
import type { Tx } from '../../store/store.ts';
import { finishIfInstant } from '../clock.ts';
import { nothingNamed, organizationOf } from '../named-records.ts';
import type { Reader } from '../reader.ts';

const HOUR_MS = 60 * 60_000;

type Times = 'start_time' | 'end_time';
type Contact = 'contact_name' | 'contact_email';

export interface SimulatedAppointment extends Omit<NewAppointment, Times | Contact> {
  /** Who booked; the newest contact if neither this nor a name is given. */
  readonly contact_id?: string | undefined;
  readonly contact_name?: string | null | undefined;
  readonly contact_email?: string | null | undefined;
  /** Milliseconds; by default a day from now, at the next full hour. */
  readonly start_time?: number | undefined;
  /** Milliseconds; by default `lasts` after the start. */
  readonly end_time?: number | undefined;
  /** Milliseconds. */
  readonly lasts: number;
  readonly organization_id?: string | undefined;
}

/** Returns the new appointment; `validation_error` if it ends before it starts, `not_found` for an unknown contact. */
export async function simulateNewAppointment(
  parts: Pick<SandboxContext, 'store' | 'runTask' | 'turns' | 'scheduler'>,
  world: string,
  booked: SimulatedAppointment,
  reader: Reader = {},
) {
  const created = await transact(parts, world, 'simulateNewAppointment', (tx) => {
    const organization = organizationOf(tx, booked.organization_id, reader);
    const appointment = { ...booked, ...timesOf(tx, booked), ...contactOf(tx, organization, booked) };
    return wireOf(addAppointment(tx, organization, appointment));
  });
  await finishIfInstant(parts, world);
  return created;
}

function timesOf(tx: Tx, { start_time, end_time, lasts }: SimulatedAppointment): Record<Times, string> {
  const start = start_time ?? Math.ceil(tx.at / HOUR_MS) * HOUR_MS + 24 * HOUR_MS;
  const end = end_time ?? start + lasts;
  if (end <= start) throw invalidField('end_time', 'must be after start_time');
  if (end > LATEST_INSTANT) throw invalidField('end_time', `must not be after ${timestamp(LATEST_INSTANT)}`);
  return { start_time: timestamp(start), end_time: timestamp(end) };
}

/** Name and e-mail address as given, else those of the contact. */
function contactOf(
  tx: Tx,
  organization: string,
  { contact_id, contact_name, contact_email }: SimulatedAppointment,
): Record<Contact, string | null> {
  const [newest] =
    contact_id === undefined && contact_name === undefined
      ? tx.page('contacts', 'organization', organization, { limit: 1, newestFirst: true })
      : [];
  const contact = contact_id === undefined ? newest : tx.get('contacts', contact_id);
  if (contact_id !== undefined && contact?.private.organization_id !== organization) {
    throw nothingNamed('contact_id', 'contact', contact_id);
  }
  return {
    contact_name: contact_name === undefined ? (contact?.name ?? null) : contact_name,
    contact_email: contact_email === undefined ? (contact?.email ?? null) : contact_email,
  };
}
