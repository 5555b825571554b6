// The list of a job: the contacts or numbers that the creating request names (assumption jobs).
import { isJsonObject } from '../../contract/json.ts';
import { allocateId } from '../../engine/create.ts';
import type { Files, InTurns } from '../../engine/operation.ts';
import { invalidField } from '../../errors/api-error.ts';
import type { Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';
import { notDialable, subscriberProblems } from '../calls/destination.ts';

export type Listed = Pick<Row<'job_contacts'>, 'contact_id' | 'phone_number'>;

/** What is wrong with the numbers that a body lists, by field. */
export const problemsInList = (body: unknown, _: Files, inTurns: InTurns) =>
  inTurns(subscriberProblems(body, 'to_numbers', 'called'));

/** Throws unless a body names contacts in exactly one of two ways, and only numbers that can be called. */
export function checkList(body: unknown, problems: Readonly<Record<string, string>>): void {
  if (!isJsonObject(body)) return;
  const given = ['contact_ids', 'to_numbers'].filter((name) => Object.hasOwn(body, name));
  if (given.length === 1) {
    if (Object.keys(problems).length > 0) throw notDialable(problems);
    return;
  }
  const explanation =
    given.length === 0 ? 'is required unless to_numbers is given' : 'cannot be combined with to_numbers';
  throw invalidField('contact_ids', explanation, { assumption: 'jobs' });
}

/** Throws if a contact is listed twice, which ids in another case can hide from the contract. */
export function checkContacts(contacts: readonly Row<'contacts'>[]): void {
  const ids = contacts.map(({ id }) => id);
  if (new Set(ids).size === ids.length) return;
  const other = ids.findIndex((id, position) => ids.indexOf(id) < position);
  const one = ids.indexOf(ids[other] ?? '');
  throw invalidField('contact_ids', `has the same item at ${one} and ${other}; each must occur once`, {
    assumption: 'jobs',
  });
}

/**
 * Puts contacts on the list of a job, and returns their entries; `conflict` if the world's lists become too long
 * (`store/bounds.ts`).
 */
export function addToList(tx: Tx, job: Row<'jobs'>, list: readonly Listed[]): Row<'job_contacts'>[] {
  const { organization_id } = job.private;
  return list.map(({ contact_id, phone_number }) => {
    const { id, rank } = allocateId(tx, 'job_contacts');
    const entry: Row<'job_contacts'> = {
      contact_id,
      phone_number,
      id,
      status: 'pending',
      call_id: null,
      outcome: null,
      failure_code: null,
      private: { organization_id, rank, job_id: job.id, refusals: 0 },
    };
    tx.put('job_contacts', entry);
    return entry;
  });
}
