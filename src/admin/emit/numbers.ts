// The phone number that an event fired by hand is about.
import { anyHeldNumber } from '../../domain/numbers/held-numbers.ts';
import { newNumber } from '../../domain/numbers/new-number.ts';
import { numberToOrder } from '../../domain/numbers/number-offer.ts';
import { e164Form } from '../../e164.ts';
import { applyTriggers, type PastTrigger } from '../../fixtures/past-triggers.ts';
import { phoneNumberLifecycle } from '../../lifecycles/phone-number.ts';
import { type Firing, type RecordSource, textIn } from './firing.ts';

export const phoneNumbers: RecordSource<'phone_numbers'> = {
  index: (type) => (type === 'number_released' ? 'released' : 'organization'),
  /** The area code follows from the digits, also from those that were given. */
  asOf: (firing, number) => ({ ...number, phone_number: textIn(firing, 'phone_number') ?? number.phone_number }),
  make(firing) {
    const { tx, owner, type } = firing;
    const activate: PastTrigger<'phone_numbers'> = { trigger: 'activate', at: tx.at, input: {} };
    const release: PastTrigger<'phone_numbers'> = { trigger: 'release', at: tx.at, input: {} };
    const ordered = newNumber(tx, owner, digitsFor(firing), null);
    const triggers = type === 'number_released' ? [activate, release] : [activate];
    const number = applyTriggers(phoneNumberLifecycle, ordered, triggers);
    tx.put('phone_numbers', number);
    return number;
  },
};

/** The given digits, if nobody holds them, else the first ones on offer. */
function digitsFor(firing: Firing): string {
  const given = textIn(firing, 'phone_number');
  if (given !== undefined && e164Form.test(given) && !anyHeldNumber(firing.tx, given)) return given;
  return numberToOrder(firing.tx, firing.owner, {});
}
