// The texting registration that an event emitted by hand is about: a brand, of which an organization has at most one,
// or a campaign of an approved brand.
import { isJsonObject } from '../../contract/json.ts';
import { newRegistration } from '../../domain/texting/new-registration.ts';
import { ApiError } from '../../errors/api-error.ts';
import { applyTriggers, type PastTrigger } from '../../fixtures/past-triggers.ts';
import { textingRegistrationLifecycle } from '../../lifecycles/texting-registration.ts';
import type { Row } from '../../model.ts';
import { type Draft, draftOf, type Firing, type RecordSource } from './firing.ts';
import { type Form, filledTexts, given } from './forms.ts';
import { byId } from './naming.ts';

type Registration = Row<'texting_registrations'>;
type Decision = PastTrigger<'texting_registrations'>;

export const registrations: RecordSource<'texting_registrations'> = {
  forms: (firing, base) => ({
    reasons: filledTexts,
    // Those of an existing campaign are its own.
    ...(base ? {} : { texting_enabled_numbers: numbersForm(firing, 'approved') }),
  }),
  named(firing) {
    const registration = isJsonObject(firing.data.registration) ? firing.data.registration : {};
    if (Object.hasOwn(registration, 'id'))
      return byId(firing, 'texting_registrations', ['registration', registration.id]);
    if (registration.type === 'campaign') return undefined;
    const brand = brandOf(firing);
    // There can be campaigns of an approved brand too.
    return registration.type === 'brand' || brand?.status !== 'approved' ? brand : undefined;
  },
  among: ({ owner }) => ['organization', owner.organization_id],
  asOf: (_, registration) => registration,
  drafts(firing, base) {
    if (base) return decisions(firing, base);
    const brand = brandOf(firing);
    if (!brand) return [...campaignDrafts(firing, newBrand(firing)), ...decisions(firing)];
    if (brand.status === 'approved') return campaignDrafts(firing, brand);
    throw new ApiError('conflict', {
      message: `The brand registration of this organization is ${brand.status}; a campaign needs an approved one.`,
      hint: 'Submit the brand with POST /v1/brand, or wait for its approval (POST /_sandbox/clock/advance).',
    });
  },
};

function brandOf({ tx, owner }: Firing): Registration | undefined {
  return tx.page('texting_registrations', 'brand', owner.organization_id, { limit: 1 })[0];
}

const approve = ({ tx: { at } }: Firing): Decision => ({ trigger: 'approve', at, input: {} });

function reject(firing: Firing): Decision {
  const reasons = given(firing, 'reasons', filledTexts) ?? ['The use case could not be verified.'];
  return { trigger: 'reject', at: firing.tx.at, input: { reasons } };
}

function decided(registration: Registration, decision: Decision): Registration {
  return applyTriggers(textingRegistrationLifecycle, registration, [decision]);
}

function newBrand({ tx, owner }: Firing): Registration {
  const legal_name = tx.get('organizations', owner.organization_id)?.name ?? null;
  return newRegistration(tx, owner, { type: 'brand', legal_name, ein: '12-3456789' });
}

/** What can have been decided about an existing registration, or about a new brand. */
function decisions(firing: Firing, base?: Registration): Draft<'texting_registrations'>[] {
  const pending: Registration = base ? { ...base, status: 'pending', rejection_reasons: [] } : newBrand(firing);
  return [approve, reject].map((decide) =>
    draftOf(firing, 'texting_registrations', decided(pending, decide(firing)), base),
  );
}

/** Campaigns with the numbers that have their status already, since a campaign decides on its numbers. */
function campaignDrafts(firing: Firing, brand: Registration): Draft<'texting_registrations'>[] {
  const { tx, owner } = firing;
  const campaign: Registration = newRegistration(tx, owner, {
    type: 'campaign',
    brand_id: brand.id,
    use_case: 'customer_care',
  });
  const approved = given(firing, 'texting_enabled_numbers', numbersForm(firing, 'approved'));
  const endings = [
    { decision: approve(firing), phone_numbers: approved ?? numbersThatAre(firing, 'approved') },
    { decision: reject(firing), phone_numbers: numbersThatAre(firing, 'rejected') },
  ];
  return endings.map(({ decision, phone_numbers }) => {
    const record = decided({ ...campaign, phone_numbers }, decision);
    return {
      record,
      store() {
        if (brand.status === 'pending') tx.put('texting_registrations', decided(brand, approve(firing)));
        tx.put('texting_registrations', record);
        return record;
      },
    };
  });
}

function numbersThatAre({ tx, owner }: Firing, status: Registration['status']): string[] {
  const numbers = tx.page('phone_numbers', 'organization', owner.organization_id);
  return numbers.filter(({ texting_status }) => texting_status === status).map(({ phone_number }) => phone_number);
}

function numbersForm(firing: Firing, status: Registration['status']): Form<string[]> {
  const numbers = numbersThatAre(firing, status);
  const some = numbers.slice(0, 10).join(', ');
  return {
    text: `a list of numbers whose texting_status is ${status}${some ? `, such as ${some}` : ', of which there is none'}`,
    accepts: (value): value is string[] =>
      Array.isArray(value) && new Set(value).size === value.length && value.every((each) => numbers.includes(each)),
  };
}
