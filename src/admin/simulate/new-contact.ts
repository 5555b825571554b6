// A new contact, as if another system had created it. `interface.md` section 5.
import { addContact, type NewContact } from '../../domain/contacts/new-contact.ts';
import type { SandboxContext } from '../../engine/sandbox-context.ts';
import { transact } from '../../engine/transact.ts';
import { wireOf } from '../../model.ts';
import { finishIfInstant } from '../clock.ts';
import { organizationOf } from '../named-records.ts';
import type { Reader } from '../reader.ts';
import { fictionalNumber } from './fictional-number.ts';

export interface SimulatedContact extends Omit<NewContact, 'phone_number'> {
  /** A fictional number by default; null for none. */
  readonly phone_number?: string | null | undefined;
  /** The world's organization (the default) or one of its sub-entities. */
  readonly organization_id?: string | undefined;
}

/** Returns the new contact; `not_found` for an unknown organization. */
export async function simulateNewContact(
  parts: Pick<SandboxContext, 'store' | 'runTask' | 'turns' | 'scheduler'>,
  world: string,
  { organization_id, phone_number, ...contact }: SimulatedContact,
  reader: Reader = {},
) {
  const created = await transact(parts, world, 'simulateNewContact', (tx) => {
    const organization = organizationOf(tx, organization_id, reader);
    const number = phone_number === undefined ? fictionalNumber(tx) : phone_number;
    return wireOf(addContact(tx, organization, { ...contact, phone_number: number }));
  });
  await finishIfInstant(parts, world);
  return created;
}
