// The texting registration that an event fired by hand is about.
import { newRegistration } from '../../domain/texting/new-registration.ts';
import { isAbout } from '../../events/catalogue.ts';
import { applyTriggers, type PastTrigger } from '../../fixtures/past-triggers.ts';
import { textingRegistrationLifecycle } from '../../lifecycles/texting-registration.ts';
import type { Row } from '../../model.ts';
import { type Firing, type RecordSource, textIn } from './firing.ts';

type Registration = Row<'texting_registrations'>;

export const registrations: RecordSource<'texting_registrations'> = {
  index: () => 'organization',
  asOf(firing, registration) {
    const status = textIn(firing, 'status') ?? registration.status;
    if (isAbout(firing.type, registration) && status === registration.status) return registration;
    return decided({ ...registration, status: 'pending', rejection_reasons: [] }, decisionOf(firing));
  },
  /** A campaign, with the brand that it needs and the numbers that have its status already. */
  make(firing) {
    const { tx, owner } = firing;
    const decision = decisionOf(firing);
    const name = tx.get('organizations', owner.organization_id)?.name ?? null;
    const brand = decided(
      newRegistration(tx, owner, { type: 'brand', legal_name: name, ein: '12-3456789' }),
      approval(tx.at),
    );
    tx.put('texting_registrations', brand);
    const status = decision.trigger === 'approve' ? 'approved' : 'rejected';
    const numbers = tx.page('phone_numbers', 'organization', owner.organization_id);
    const phone_numbers = numbers.filter(({ texting_status }) => texting_status === status);
    const campaign = newRegistration(tx, owner, {
      type: 'campaign',
      brand_id: brand.id,
      use_case: 'customer_care',
      phone_numbers: phone_numbers.map(({ phone_number }) => phone_number),
    });
    const registration = decided(campaign, decision);
    tx.put('texting_registrations', registration);
    return registration;
  },
};

type Decision = PastTrigger<'texting_registrations'>;

const approval = (at: number): Decision => ({ trigger: 'approve', at, input: {} });

function decisionOf({ data, tx: { at } }: Firing): Decision {
  if (data.status !== 'rejected') return approval(at);
  return { trigger: 'reject', at, input: { reasons: ['The use case could not be verified.'] } };
}

function decided(registration: Registration, decision: Decision): Registration {
  return applyTriggers(textingRegistrationLifecycle, registration, [decision]);
}
