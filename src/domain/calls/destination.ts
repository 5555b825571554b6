// Which numbers can be dialled: the first checks of a dial (`interface.md` section 3), before any record is
// read.
import { ApiError, quote } from '../../errors/api-error.ts';
import { phoneNumbers } from '../../lazy-modules.ts';

/** The lengths that a subscriber's number can have. */
const subscriber = /^\+[1-9]\d{6,14}$/;
/** North America: area code and exchange begin with 2 to 9, and neither is a service code such as 411. */
const northAmerican = /^\+1(?![2-9]11)[2-9]\d{2}(?![2-9]11)[2-9]\d{6}$/;
const emergency = /^(\+1|\+)?(911|933|988|112|999|[2-8]11)$/;
/**
 * 900 is an area code. 976 is an exchange in every area code, dialled with or without it. The specification does not say
 * which of the two it means, so 976 is also blocked alone and as an area code, in which no number is in service.
 */
const premium = /^(\+?1)?(900\d{7}|[2-9]\d{2}976\d{4}|976(\d{4}|\d{7})?)$/;

/** Returns the number if it can be called; throws otherwise. */
export function checkDestination(value: unknown): string {
  if (value === undefined || value === null || value === '') {
    throw new ApiError('destination_missing', {
      fields: { to_number: 'is required: the number to call, in E.164 form' },
    });
  }
  if (typeof value === 'string' && (emergency.test(value) || premium.test(value))) {
    throw new ApiError('destination_blocked', {
      message: `${quote(value)} is an emergency or special-service number and cannot be called.`,
    });
  }
  if (typeof value !== 'string' || !isDialable(value)) {
    throw new ApiError('destination_invalid', {
      fields: { to_number: `${quote(value)} is not a dialable number in E.164 form` },
    });
  }
  return value;
}

/** Whether a number in E.164 form can be a subscriber's. */
export function isDialable(number: string): boolean {
  if (!subscriber.test(number)) return false;
  return number.startsWith('+1') ? northAmerican.test(number) : phoneNumbers().isPossiblePhoneNumber(number);
}
