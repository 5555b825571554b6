// The phone numbers that an organization holds, as bodies name them by their digits.
import type { Owner } from '../../engine/records.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';

/** The number that an organization of the world holds under these digits; no two hold the same. */
export function anyHeldNumber(tx: Tx, digits: string): Row<'phone_numbers'> | undefined {
  return tx.page('phone_numbers', 'phone_number', digits, { limit: 1 })[0];
}

/** The number that the organization holds under these digits. */
export function heldNumber(tx: Tx, owner: Owner, digits: string): Row<'phone_numbers'> | undefined {
  const number = anyHeldNumber(tx, digits);
  return number?.private.organization_id === owner.organization_id ? number : undefined;
}

/** The numbers that the `phone_numbers` of a body list; `not_found` with each one that the organization does not hold. */
export function heldNumbers(
  tx: Tx,
  owner: Owner,
  digits: readonly string[],
  assumption: string,
): Row<'phone_numbers'>[] {
  const held = digits.map((number) => heldNumber(tx, owner, number));
  const fields = problemFields(digits, (number, position) =>
    held[position] ? undefined : `${number} is not a phone number of this organization`,
  );
  if (fields) {
    throw new ApiError('not_found', {
      message: 'Some phone numbers do not belong to this organization.',
      fields,
      hint: 'GET /v1/phone-numbers lists them.',
      assumption,
    });
  }
  return held.filter((number) => number !== undefined);
}

/** The problems of the `phone_numbers` of a body, by field; undefined if there is none. */
export function problemFields<Item>(
  items: readonly Item[],
  problemOf: (item: Item, position: number) => string | undefined,
): Record<string, string> | undefined {
  const problems = items.flatMap((item, position) => {
    const problem = problemOf(item, position);
    return problem === undefined ? [] : [[`phone_numbers.${position}`, problem] as const];
  });
  return problems.length > 0 ? Object.fromEntries(problems) : undefined;
}
