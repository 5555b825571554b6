// The A2P texting registration: `spec.md` "Texting not ready", and the operations that it names without a shape. An
// organization has one brand; campaigns of an approved brand let numbers send.
import type { Schemas } from '../contract/document.ts';
import { heldNumbers, problemFields } from '../domain/numbers/held-numbers.ts';
import { newRegistration } from '../domain/texting/new-registration.ts';
import { create, scheduleTimeline } from '../engine/create.ts';
import { type Caller, created, type Operation, ok, type ScenarioOperation } from '../engine/operation.ts';
import { pageOf } from '../engine/paging.ts';
import { findAll } from '../engine/records.ts';
import { transition } from '../engine/transition.ts';
import { ApiError } from '../errors/api-error.ts';
import { textingRegistrationLifecycle } from '../lifecycles/texting-registration.ts';
import type { Row } from '../model.ts';
import type { Tx } from '../store/store.ts';

type Registration = Row<'texting_registrations'>;
type Brand = Registration & { readonly legal_name: string; readonly ein: string };
type Campaign = Registration & { readonly brand_id: string; readonly use_case: string };

const isBrand = (registration: Registration): registration is Brand => registration.type === 'brand';
const isCampaign = (registration: Registration): registration is Campaign => registration.type === 'campaign';

export const getBrand: Operation<'getBrand'> = {
  handle({ caller }, tx) {
    const brand = brandOf(tx, caller);
    if (brand) return ok(serializeBrand(brand));
    throw new ApiError('not_found', {
      message: 'This organization has no brand registration.',
      hint: 'Submit one with POST /v1/brand.',
      assumption: 'brand_registration',
    });
  },
};

export const createBrand: ScenarioOperation<'createBrand'> = {
  plays: { kind: 'texting_registration' },
  handle({ body: { legal_name, ein }, caller, selection }, tx) {
    const existing = brandOf(tx, caller);
    if (!existing) {
      const brand = newRegistration(tx, caller, { type: 'brand', legal_name, ein });
      create(tx, textingRegistrationLifecycle, brand, selection);
      return created(serializeBrand(brand));
    }
    const resubmitted = transition(tx, textingRegistrationLifecycle, existing, 'submit', { legal_name, ein });
    if (!resubmitted || !isBrand(resubmitted)) throw brandExists(existing);
    scheduleTimeline(tx, textingRegistrationLifecycle, existing.id, selection);
    return created(serializeBrand(resubmitted));
  },
};

function brandExists({ status }: Brand): ApiError {
  return new ApiError('conflict', {
    message: `This organization already has a brand registration, which is ${status}; only a rejected one can be submitted again.`,
    hint:
      status === 'approved'
        ? 'Register a campaign with POST /v1/brand/campaigns.'
        : 'Wait for `texting_registration_status_changed`.',
    assumption: 'brand_registration',
  });
}

export const listBrandCampaigns: Operation<'listBrandCampaigns'> = {
  handle({ caller, query }, tx) {
    const options = { ...query, newestFirst: true };
    const { rows, counted } = pageOf(tx, 'texting_registrations', 'campaign', caller.organization_id, options);
    return ok(rows.filter(isCampaign).map(serializeCampaign), counted);
  },
};

export const createBrandCampaign: ScenarioOperation<'createBrandCampaign'> = {
  plays: { kind: 'texting_registration' },
  handle({ body, caller, selection }, tx) {
    const brand = approvedBrand(tx, caller);
    const numbers = body.phone_numbers ? numbersNamed(tx, caller, body.phone_numbers) : openNumbers(tx, caller);
    const campaign = newRegistration(tx, caller, {
      type: 'campaign',
      brand_id: brand.id,
      use_case: body.use_case,
      phone_numbers: numbers.map(({ phone_number }) => phone_number),
    });
    create(tx, textingRegistrationLifecycle, campaign, selection);
    for (const number of numbers) tx.put('phone_numbers', { ...number, texting_status: 'pending' });
    return created(serializeCampaign(campaign));
  },
};

function brandOf(tx: Tx, caller: Caller): Brand | undefined {
  return findAll(tx, 'texting_registrations', 'brand', caller.organization_id, caller).find(isBrand);
}

function approvedBrand(tx: Tx, caller: Caller): Brand {
  const brand = brandOf(tx, caller);
  if (brand?.status === 'approved') return brand;
  throw new ApiError('conflict', {
    message: `${brand ? `The brand registration is ${brand.status}` : 'This organization has no brand registration'}; a campaign needs an approved one.`,
    hint:
      brand?.status === 'pending'
        ? 'Wait for `texting_registration_status_changed`.'
        : 'Submit the brand with POST /v1/brand.',
    assumption: 'campaign_registration',
  });
}

/** The numbers that a body lists: held by the organization, and in no other campaign. */
function numbersNamed(tx: Tx, caller: Caller, digits: readonly string[]): Row<'phone_numbers'>[] {
  const numbers = heldNumbers(tx, caller, digits, 'campaign_registration');
  const fields = problemFields(numbers, (number) =>
    isOpen(number)
      ? undefined
      : `${number.phone_number} has the texting status ${number.texting_status}; it must be none or rejected`,
  );
  if (!fields) return numbers;
  throw new ApiError('conflict', {
    message: 'Some phone numbers cannot be registered.',
    fields,
    hint: 'GET /v1/phone-numbers lists the numbers and their `texting_status`.',
    assumption: 'campaign_registration',
  });
}

/** All numbers of the organization that are in no campaign; `conflict` if there is none. */
function openNumbers(tx: Tx, caller: Caller): Row<'phone_numbers'>[] {
  const numbers = findAll(tx, 'phone_numbers', 'organization', caller.organization_id, caller).filter(isOpen);
  if (numbers.length > 0) return numbers;
  throw new ApiError('conflict', {
    message: 'No phone number is left to register: each can send already or waits for approval.',
    hint: 'Order a number with POST /v1/phone-numbers.',
    assumption: 'campaign_registration',
  });
}

const isOpen = ({ texting_status }: Row<'phone_numbers'>): boolean =>
  texting_status === 'none' || texting_status === 'rejected';

function serializeBrand(brand: Brand): Schemas['TextingBrand'] {
  const { id, legal_name, ein, status, rejection_reasons, created_at, updated_at } = brand;
  return { id, legal_name, ein, status, rejection_reasons, created_at, updated_at };
}

function serializeCampaign(campaign: Campaign): Schemas['TextingCampaign'] {
  const { id, brand_id, use_case, phone_numbers, status, rejection_reasons, created_at, updated_at } = campaign;
  return { id, brand_id, use_case, phone_numbers, status, rejection_reasons, created_at, updated_at };
}
