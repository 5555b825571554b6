// The A2P texting registration: `spec.md` "Texting not ready", and the operations that it names without a shape. An
// organization has one brand; campaigns of an approved brand make numbers able to send.
import { timestamp } from '../clock/clock.ts';
import type { Schemas } from '../contract/document.ts';
import { allocateId, create, scheduleTimeline } from '../engine/create.ts';
import { type Caller, created, findAll, type Operation, ok, pageOf } from '../engine/operation.ts';
import { transition } from '../engine/transition.ts';
import { ApiError } from '../errors/api-error.ts';
import { textingRegistrationLifecycle } from '../lifecycles/texting-registration.ts';
import type { Row } from '../model.ts';
import type { ScenarioSelection } from '../scenarios/select.ts';
import type { Tx } from '../store/store.ts';

type Registration = Row<'texting_registrations'>;

export const getBrand: Operation<'getBrand'> = {
  handle({ caller }, tx) {
    const brand = brandOf(tx, caller);
    if (brand) return ok(serializeBrand(brand));
    throw new ApiError('not_found', {
      message: 'There is no brand registration.',
      hint: 'Submit one with POST /v1/brand.',
      assumption: 'brand_registration',
    });
  },
};

export const createBrand: Operation<'createBrand'> = {
  plays: { kind: 'texting_registration' },
  handle({ body: { legal_name, ein }, caller, selection }, tx) {
    const known = brandOf(tx, caller);
    if (!known) {
      const brand = newRegistration(tx, caller, 'brand', { legal_name, ein });
      create(tx, textingRegistrationLifecycle, brand, selection as ScenarioSelection);
      return created(serializeBrand(brand));
    }
    const again = transition(tx, textingRegistrationLifecycle, known, 'submit', { legal_name, ein });
    if (!again) {
      throw new ApiError('conflict', {
        message: `There is a brand registration already, which is ${known.status}; only one that is rejected is submitted again.`,
        hint:
          known.status === 'approved'
            ? 'Register a campaign with POST /v1/brand/campaigns.'
            : 'Wait for `texting_registration_status_changed`.',
        assumption: 'brand_registration',
      });
    }
    scheduleTimeline(tx, textingRegistrationLifecycle, known.id, selection as ScenarioSelection);
    return created(serializeBrand(again));
  },
};

export const listBrandCampaigns: Operation<'listBrandCampaigns'> = {
  handle(request, tx) {
    const { rows, counted } = pageOf(tx, 'texting_registrations', request, true, 'campaign');
    return { status: 200, body: { data: rows.map(serializeCampaign), meta: counted } };
  },
};

export const createBrandCampaign: Operation<'createBrandCampaign'> = {
  plays: { kind: 'texting_registration' },
  handle({ body, caller, selection }, tx) {
    const brand = approvedBrand(tx, caller);
    const numbers = numbersToRegister(tx, caller, body.phone_numbers);
    const campaign = newRegistration(tx, caller, 'campaign', {
      brand_id: brand.id,
      use_case: body.use_case,
      phone_numbers: numbers.map(({ phone_number }) => phone_number),
    });
    create(tx, textingRegistrationLifecycle, campaign, selection as ScenarioSelection);
    for (const number of numbers) tx.put('phone_numbers', { ...number, texting_status: 'pending' });
    return created(serializeCampaign(campaign));
  },
};

function brandOf(tx: Tx, caller: Caller): Registration | undefined {
  return findAll(tx, 'texting_registrations', 'brand', caller.organization_id, caller)[0];
}

function approvedBrand(tx: Tx, caller: Caller): Registration {
  const brand = brandOf(tx, caller);
  if (brand?.status === 'approved') return brand;
  throw new ApiError('conflict', {
    message: `${brand ? `The brand registration is ${brand.status}` : 'There is no brand registration'}; a campaign needs one that is approved.`,
    hint:
      brand?.status === 'pending'
        ? 'Wait for `texting_registration_status_changed`.'
        : 'Submit the brand with POST /v1/brand.',
    assumption: 'campaign_registration',
  });
}

/** The numbers that are named, or all that may not send yet; each must be the organization's, and in no campaign. */
function numbersToRegister(tx: Tx, caller: Caller, named: readonly string[] | undefined): Row<'phone_numbers'>[] {
  const held = findAll(tx, 'phone_numbers', 'organization', caller.organization_id, caller);
  if (named === undefined) {
    const numbers = held.filter(isOpen);
    if (numbers.length > 0) return numbers;
    throw new ApiError('conflict', {
      message: 'There is no phone number that could be registered: each may send already, or waits to be approved.',
      hint: 'Order a number with POST /v1/phone-numbers.',
      assumption: 'campaign_registration',
    });
  }
  const found = named.map((phone_number) => held.find((number) => number.phone_number === phone_number));
  refuse('not_found', 'Not every phone number is one of this organization.', named, (_, position) =>
    found[position] ? undefined : 'is no number of this organization',
  );
  const numbers = found as Row<'phone_numbers'>[];
  refuse('conflict', 'Not every phone number can be registered.', named, (_, position) => {
    const number = numbers[position] as Row<'phone_numbers'>;
    return isOpen(number) ? undefined : `has the texting status ${number.texting_status}; it must be none or rejected`;
  });
  return numbers;
}

const isOpen = ({ texting_status }: Row<'phone_numbers'>): boolean =>
  texting_status === 'none' || texting_status === 'rejected';

/** Throws where something is wrong with one of the numbers, naming every such one. */
function refuse(
  code: 'not_found' | 'conflict',
  message: string,
  numbers: readonly string[],
  problem: (number: string, position: number) => string | undefined,
): void {
  const problems = numbers.flatMap((number, position) => {
    const found = problem(number, position);
    return found === undefined ? [] : [[`phone_numbers.${position}`, `${number} ${found}`]];
  });
  if (problems.length === 0) return;
  throw new ApiError(code, {
    message,
    fields: Object.fromEntries(problems),
    hint: 'GET /v1/phone-numbers lists the numbers and their `texting_status`.',
    assumption: 'campaign_registration',
  });
}

function newRegistration(
  tx: Tx,
  caller: Caller,
  type: Registration['type'],
  known: Partial<Pick<Registration, 'legal_name' | 'ein' | 'brand_id' | 'use_case' | 'phone_numbers'>>,
): Registration {
  const now = timestamp(tx.at);
  const { id, rank } = allocateId(tx, 'texting_registrations');
  return {
    id,
    type,
    status: 'pending',
    rejection_reasons: [],
    legal_name: null,
    ein: null,
    brand_id: null,
    use_case: null,
    phone_numbers: [],
    ...known,
    created_at: now,
    updated_at: now,
    private: { organization_id: caller.organization_id, rank },
  };
}

function serializeBrand(brand: Registration): Schemas['TextingBrand'] {
  const { id, legal_name, ein, status, rejection_reasons, created_at, updated_at } = brand;
  return {
    id,
    legal_name: legal_name as string,
    ein: ein as string,
    status,
    rejection_reasons,
    created_at,
    updated_at,
  };
}

function serializeCampaign(campaign: Registration): Schemas['TextingCampaign'] {
  const { id, brand_id, use_case, phone_numbers, status, rejection_reasons, created_at, updated_at } = campaign;
  return {
    id,
    brand_id: brand_id as string,
    use_case: use_case as string,
    phone_numbers,
    status,
    rejection_reasons,
    created_at,
    updated_at,
  };
}
