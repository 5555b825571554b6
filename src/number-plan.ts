// Which numbers a subscriber can have: the numbering plans behind `destination_invalid` and `destination_blocked`
// (`interface.md` section 3, "Dial, in order"), and behind every other number that must be reachable.
import { phoneNumbers } from './lazy-modules.ts';

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

/** Whether digits are an emergency or special-service number, in E.164 form or as they are dialled. */
export function isServiceNumber(digits: string): boolean {
  return emergency.test(digits) || premium.test(digits);
}

/** Whether a number in E.164 form can be a subscriber's, so that it can be called, texted and shown as a caller ID. */
export function isDialable(number: string): boolean {
  if (!subscriber.test(number) || isServiceNumber(number)) return false;
  return number.startsWith('+1') ? northAmerican.test(number) : phoneNumbers().isPossiblePhoneNumber(number);
}
