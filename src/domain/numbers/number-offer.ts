// Which phone numbers can be ordered: 555-0150 to 0169 of every geographic area code of the United States, which are
// reserved for fiction (assumption available_numbers), unless an organization of the world holds them.
import { areaCodeOf } from '../../e164.ts';
import type { Owner } from '../../engine/records.ts';
import { ApiError, invalidField } from '../../errors/api-error.ts';
import { phoneNumbers } from '../../lazy-modules.ts';
import type { Tx } from '../../store/store.ts';
import { timeZonesOf } from './time-zones.ts';

/** The numbers of an area code that can be ordered now, the lowest first. */
export function availableIn(tx: Tx, areaCode: string): string[] {
  return offerIn(areaCode).filter((number) => !isTaken(tx, number));
}

/** The area code of the organization's oldest number; that of the fixtures if it has none. */
export function defaultAreaCode(tx: Tx, { organization_id }: Owner): string {
  const [oldest] = tx.page('phone_numbers', 'organization', organization_id, { limit: 1 });
  return (oldest && areaCodeOf(oldest.phone_number)) ?? '415';
}

/** The number that an order asks for, or the first available one of an area code. */
export function numberToOrder(
  tx: Tx,
  owner: Owner,
  { phone_number, area_code }: { phone_number?: string | null; area_code?: string | null },
): string {
  if (!phone_number) return firstAvailable(tx, area_code ?? defaultAreaCode(tx, owner));
  const area = areaCodeOf(phone_number);
  if (area_code && area !== area_code) {
    throw invalidField('area_code', `is not the area code of ${phone_number}; send one of the two`, {
      assumption: 'provision_number',
    });
  }
  if (area === null || !offerIn(area).includes(phone_number))
    throw notAvailable('not_found', phone_number, 'is not on offer');
  if (isTaken(tx, phone_number)) throw notAvailable('conflict', phone_number, 'is already taken');
  return phone_number;
}

function firstAvailable(tx: Tx, areaCode: string): string {
  const [first] = availableIn(tx, areaCode);
  if (first !== undefined) return first;
  throw new ApiError('conflict', {
    message: `No phone number is on offer in the area code ${areaCode}.`,
    fields: { area_code: 'has no number on offer' },
    hint: 'Order a number of another area code; GET /v1/phone-numbers/available lists them.',
    assumption: 'provision_number',
  });
}

function notAvailable(code: 'not_found' | 'conflict', number: string, reason: string): ApiError {
  return new ApiError(code, {
    message: `The phone number ${number} ${reason}.`,
    fields: { phone_number: reason },
    hint: 'GET /v1/phone-numbers/available lists the numbers on offer.',
    assumption: 'available_numbers, provision_number',
  });
}

const isTaken = (tx: Tx, number: string): boolean => tx.count('phone_numbers', 'phone_number', number) > 0;

/** Every number of an area code, the lowest first; none if the area code is not geographic. */
function offerIn(areaCode: string): string[] {
  const numbers = Array.from({ length: 20 }, (_, n) => `+1${areaCode}55501${50 + n}`);
  const [first = ''] = numbers;
  // Numbers that belong to no place, such as toll-free ones, have no known time zone.
  const isGeographic =
    phoneNumbers().parsePhoneNumberFromString(first)?.country === 'US' && timeZonesOf(first) !== undefined;
  return isGeographic ? numbers : [];
}
