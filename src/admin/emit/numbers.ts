// The phone number that an event emitted by hand is about.
import { anyHeldNumber } from '../../domain/numbers/held-numbers.ts';
import { newNumber } from '../../domain/numbers/new-number.ts';
import { availableIn, numberToOrder } from '../../domain/numbers/number-offer.ts';
import { areaCodeOf } from '../../e164.ts';
import { applyTriggers, type PastTrigger } from '../../fixtures/past-triggers.ts';
import { phoneNumberLifecycle } from '../../lifecycles/phone-number.ts';
import type { Row } from '../../model.ts';
import { draftOf, type Firing, type RecordSource } from './firing.ts';
import { type Form, given, phoneNumber } from './forms.ts';
import { byId } from './naming.ts';

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
    return byId(firing, 'phone_numbers') ?? (digits === undefined ? undefined : withDigits(firing, digits));
  },
  among: ({ type, owner }) => [type === 'number_released' ? 'released' : 'organization', owner.organization_id],
  asOf: (_, number) => number,
  drafts(firing, base) {
    const { tx, owner, type } = firing;
    const activate: PastTrigger<'phone_numbers'> = { trigger: 'activate', at: tx.at, input: {} };
    const release: PastTrigger<'phone_numbers'> = { trigger: 'release', at: tx.at, input: {} };
    const ordered = base ? asOrdered(base) : newNumber(tx, owner, digitsOf(firing), null);
    const history = type === 'number_released' ? [activate, release] : [activate];
    return [draftOf(firing, 'phone_numbers', applyTriggers(phoneNumberLifecycle, ordered, history), base)];
  },
};

/** The number with these digits: where it was released, the newest that was; else the one that is held. */
function withDigits({ tx, type, owner }: Firing, digits: string): Row<'phone_numbers'> | undefined {
  const released =
    type === 'number_released'
      ? tx.page('phone_numbers', 'released', owner.organization_id, { newestFirst: true })
      : [];
  return released.find(({ phone_number }) => phone_number === digits) ?? anyHeldNumber(tx, digits);
}

/** A number as it was when it was ordered. */
function asOrdered(number: Row<'phone_numbers'>): Row<'phone_numbers'> {
  return { ...number, private: { ...number.private, status: 'PROVISIONING' } };
}

/** The given digits, else the first ones on offer. */
function digitsOf(firing: Firing): string {
  const { tx, owner } = firing;
  const ordered = given(firing, 'phone_number', americanNumber);
  return ordered ?? numberToOrder(tx, owner, { area_code: given(firing, 'area_code', areaCodeForm(firing)) ?? null });
}
