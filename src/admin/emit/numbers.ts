// The phone number that an event fired by hand is about.
import { anyHeldNumber } from '../../domain/numbers/held-numbers.ts';
import { newNumber } from '../../domain/numbers/new-number.ts';
import { availableIn, numberToOrder } from '../../domain/numbers/number-offer.ts';
import { areaCodeOf } from '../../e164.ts';
import { applyTriggers, type PastTrigger } from '../../fixtures/past-triggers.ts';
import { phoneNumberLifecycle } from '../../lifecycles/phone-number.ts';
import { draftOf, type Firing, type RecordSource } from './firing.ts';
import { type Form, given, phoneNumber } from './forms.ts';
import { byId, wrongState } from './naming.ts';

/** New numbers are American. */
const americanNumber: Form<string> = {
  text: 'a dialable number of the United States in E.164 form, such as +14155550150',
  accepts: (value): value is string => phoneNumber.accepts(value) && areaCodeOf(value) !== null,
};

const areaCodeForm = ({ tx }: Firing): Form<string> => ({
  text: 'an area code of the United States with a number on offer, such as 415',
  accepts: (value): value is string => typeof value === 'string' && availableIn(tx, value).length > 0,
});

export const phoneNumbers: RecordSource<'phone_numbers'> = {
  forms: (firing) => ({
    phone_number: americanNumber,
    // It follows from the digits where they are given.
    ...(given(firing, 'phone_number', americanNumber) === undefined ? { area_code: areaCodeForm(firing) } : {}),
  }),
  named(firing) {
    const digits = given(firing, 'phone_number', phoneNumber);
    const isPurchase = firing.type === 'number_purchased';
    const held = isPurchase && digits !== undefined ? anyHeldNumber(firing.tx, digits) : undefined;
    return byId(firing, 'phone_numbers') ?? held;
  },
  among: ({ type, owner }) => [type === 'number_released' ? 'released' : 'organization', owner.organization_id],
  asOf: (_, number) => number,
  drafts(firing) {
    const { tx, owner, type } = firing;
    const activate: PastTrigger<'phone_numbers'> = { trigger: 'activate', at: tx.at, input: {} };
    const release: PastTrigger<'phone_numbers'> = { trigger: 'release', at: tx.at, input: {} };
    const ordered = newNumber(tx, owner, digitsOf(firing), null);
    const history = type === 'number_released' ? [activate, release] : [activate];
    return [draftOf(firing, 'phone_numbers', applyTriggers(phoneNumberLifecycle, ordered, history))];
  },
};

/** The given digits, else the first ones on offer; `conflict` if an organization of the world holds the given ones. */
function digitsOf(firing: Firing): string {
  const { tx, owner } = firing;
  const digits = given(firing, 'phone_number', phoneNumber);
  const holder = digits === undefined ? undefined : anyHeldNumber(tx, digits);
  if (holder) throw wrongState(firing, 'phone_numbers', holder);
  const ordered = given(firing, 'phone_number', americanNumber);
  return ordered ?? numberToOrder(tx, owner, { area_code: given(firing, 'area_code', areaCodeForm(firing)) ?? null });
}
