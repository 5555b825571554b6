// Which phone numbers can be ordered: 555-0150 to 0169 of every geographic area code of the United States, which are
// reserved for fiction and so nobody's (the ledger's available_numbers).
import { phoneNumbers } from '../../lazy-modules.ts';
import { timeZonesOf } from './time-zones.ts';

/** Every number on offer in an area code, the lowest first; none where the area code is not one of them. */
export function offerIn(areaCode: string): string[] {
  const numbers = Array.from({ length: 20 }, (_, n) => `+1${areaCode}55501${50 + n}`);
  const [first = ''] = numbers;
  // Of a number that is not tied to a place, as a toll-free one, no time zone is known.
  const isGeographic =
    phoneNumbers().parsePhoneNumberFromString(first)?.country === 'US' && timeZonesOf(first) !== undefined;
  return isGeographic ? numbers : [];
}

/** The area code of a number in North America; null for any other. */
export function areaCodeOf(number: string): string | null {
  return /^\+1(\d{3})\d{7}$/.exec(number)?.[1] ?? null;
}
