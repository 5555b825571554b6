// Phone numbers: `spec.md` "Phone number", and what it names without a shape: provisioning, configuration, release and
// the CNAM display name. A number is the organization's from the order to the release, and its calls outlast it.
import { assumed } from '../assumptions/catalogue.ts';
import { timestamp } from '../clock/clock.ts';
import { certifyCallerId, revokeCallerId } from '../domain/numbers/caller-ids.ts';
import { areaCodeOf, offerIn } from '../domain/numbers/number-offer.ts';
import { create, scheduleTimeline } from '../engine/create.ts';
import { type Caller, created, findAll, findRecord, type Operation, ok, ownedBy, pageOf } from '../engine/operation.ts';
import { transition } from '../engine/transition.ts';
import { ApiError, invalidField, quote } from '../errors/api-error.ts';
import { integer } from '../identity/seeded.ts';
import { cnamLifecycle } from '../lifecycles/cnam.ts';
import { numberIsHeld, phoneNumberLifecycle } from '../lifecycles/phone-number.ts';
import { type Row, wireOf } from '../model.ts';
import type { ScenarioSelection } from '../scenarios/select.ts';
import type { Tx } from '../store/store.ts';

type PhoneNumber = Row<'phone_numbers'>;

export const listPhoneNumbers: Operation<'listPhoneNumbers'> = {
  handle(request, tx) {
    const { rows, meta } = pageOf(tx, 'phone_numbers', request, false);
    return { status: 200, body: { data: rows.map(wireOf), meta } };
  },
};

export const getPhoneNumber: Operation<'getPhoneNumber'> = {
  handle({ params, caller }, tx) {
    return ok(wireOf(findRecord(tx, 'phone_numbers', params.id, caller, 'phone number')));
  },
};

export const listAvailablePhoneNumbers: Operation<'listAvailablePhoneNumbers'> = {
  handle({ query, caller }, tx) {
    const { area_code = usualAreaCode(tx, caller), cursor, page_size = 25 } = query;
    const offer = freeIn(tx, area_code);
    // The cursor is the number after which the page begins; it may have been taken since.
    const after = cursor === undefined ? '' : numberIn(cursor, area_code);
    const rest = offer.filter((number) => number > after);
    const page = rest.slice(0, page_size);
    const last = rest.length > page_size ? page[page.length - 1] : undefined;
    const data = page.map((phone_number) => ({ phone_number, area_code, iso_country: 'US' }));
    const meta = { page_size, cursor: last === undefined ? null : Buffer.from(last).toString('base64url') };
    return { status: 200, body: { data, meta } };
  },
};

function numberIn(cursor: string, areaCode: string): string {
  const number = Buffer.from(cursor, 'base64url').toString('latin1');
  if (areaCodeOf(number) === areaCode && Buffer.from(number).toString('base64url') === cursor) return number;
  throw new ApiError('validation_error', {
    fields: { cursor: 'is no cursor of this list; use `meta.cursor` of the page before, unchanged' },
    assumption: 'paging',
  });
}

export const createPhoneNumber: Operation<'createPhoneNumber'> = {
  plays: { kind: 'phone_number' },
  handle({ body, caller, selection }, tx) {
    const phone_number = numberToOrder(tx, caller, body);
    // A sub-entity has no users of its own; the umbrella's act for it.
    const [user] = tx.page('users', 'organization', tx.world.organization_id, { limit: 1 });
    const number: PhoneNumber = {
      id: freeId(tx),
      phone_number,
      name: body.name ?? null,
      organization_id: caller.organization_id,
      user_id: user?.id ?? null,
      provider: 'carrier',
      is_active: false,
      iso_country: 'US',
      reputation_enrolled_at: null,
      cnam_display_name: null,
      cnam_status: null,
      texting_enabled: false,
      texting_status: 'none',
      created_at: timestamp(tx.at),
      private: { ...ownedBy(tx, caller), status: 'PROVISIONING', max_calls: null, spam_risk: 'low' },
    };
    create(tx, phoneNumberLifecycle, number, selection as ScenarioSelection);
    if (assumed(tx.state('assumptions'), 'provisioned_caller_id') === 'verified') {
      certifyCallerId(tx, caller.organization_id, phone_number);
    }
    return created(wireOf(number));
  },
};

/** The number that is asked for, or the first that is free where it may be any. */
function numberToOrder(
  tx: Tx,
  caller: Caller,
  { phone_number, area_code }: { phone_number?: string; area_code?: string },
): string {
  if (phone_number === undefined) {
    const area = area_code ?? usualAreaCode(tx, caller);
    const [first] = freeIn(tx, area);
    if (first !== undefined) return first;
    throw new ApiError('conflict', {
      message: `No phone number is on offer in the area code ${area}.`,
      fields: { area_code: 'has no number on offer' },
      hint: 'Order one of another area code; GET /v1/phone-numbers/available shows what is on offer.',
      assumption: 'provision_number',
    });
  }
  const area = areaCodeOf(phone_number);
  if (area_code !== undefined && area !== area_code) {
    throw invalidField('area_code', `is not that of ${phone_number}; send one of the two`);
  }
  if (area === null || !offerIn(area).includes(phone_number)) {
    throw new ApiError('not_found', {
      message: `The phone number ${phone_number} is not on offer.`,
      fields: { phone_number: 'is not on offer' },
      hint: 'GET /v1/phone-numbers/available shows what is on offer.',
      assumption: 'available_numbers',
    });
  }
  if (isTaken(tx, phone_number)) {
    throw new ApiError('conflict', {
      message: `The phone number ${phone_number} is taken already.`,
      fields: { phone_number: 'is taken already' },
      hint: 'GET /v1/phone-numbers/available shows what is on offer.',
      assumption: 'available_numbers',
    });
  }
  return phone_number;
}

const isTaken = (tx: Tx, number: string): boolean => tx.count('phone_numbers', 'phone_number', number) > 0;

const freeIn = (tx: Tx, areaCode: string): string[] => offerIn(areaCode).filter((number) => !isTaken(tx, number));

/** The area code of the organization's oldest number; that of the fixtures where it has none. */
function usualAreaCode(tx: Tx, caller: Caller): string {
  const [oldest] = tx.page('phone_numbers', 'organization', caller.organization_id, { limit: 1 });
  return (oldest && areaCodeOf(oldest.phone_number)) ?? '415';
}

/** The specification's ids of phone numbers are integers, so that two could meet. */
function freeId(tx: Tx): number {
  for (;;) {
    const id = integer(
      100_000,
      999_999_999,
      tx.world.seed,
      tx.world.name,
      'phone_numbers',
      tx.ordinal('phone_numbers'),
    );
    if (!tx.get('phone_numbers', String(id))) return id;
  }
}

export const updatePhoneNumber: Operation<'updatePhoneNumber'> = {
  handle({ params, body, caller }, tx) {
    const number = heldNumber(tx, caller, params.id, 'configured', 'configure_number');
    const { name = number.name, agent_id } = body;
    if (agent_id !== undefined) assign(tx, caller, number, agent_id);
    const changed: PhoneNumber = { ...number, name };
    tx.put('phone_numbers', changed);
    return ok(wireOf(changed));
  },
};

/** The agent answers this number from now on, and no other; nobody else answers it. */
function assign(tx: Tx, caller: Caller, number: PhoneNumber, agentId: string | null): void {
  const agent = agentId === null ? undefined : tx.get('agents', agentId);
  if (agentId !== null && agent?.private.organization_id !== caller.organization_id) {
    throw new ApiError('not_found', {
      message: `There is no agent ${quote(agentId)} in this organization.`,
      fields: { agent_id: 'names no agent of this organization' },
      hint: 'GET /v1/agents lists them.',
      assumption: 'configure_number',
    });
  }
  const updated_at = timestamp(tx.at);
  for (const other of findAll(tx, 'agents', 'phone_number', number.phone_number, caller)) {
    if (other.id !== agentId) tx.put('agents', { ...other, phone_number: null, updated_at });
  }
  if (!agent) return;
  const { id, phone_number, provider, is_active } = number;
  tx.put('agents', { ...agent, phone_number: { id, phone_number, provider, is_active }, updated_at });
}

export const releasePhoneNumber: Operation<'releasePhoneNumber'> = {
  handle({ params, caller }, tx) {
    const number = findRecord(tx, 'phone_numbers', params.id, caller, 'phone number');
    const released = transition(tx, phoneNumberLifecycle, number, 'release', {});
    if (!released) return ok(wireOf(number));
    const { phone_number } = number;
    revokeCallerId(tx, caller.organization_id, phone_number);
    tx.unschedule({ table: 'cnam_listings', id: params.id });
    tx.remove('cnam_listings', params.id);
    for (const campaign of findAll(tx, 'texting_registrations', 'campaign', caller.organization_id, caller)) {
      if (campaign.status !== 'pending' || !campaign.phone_numbers.includes(phone_number)) continue;
      const phone_numbers = campaign.phone_numbers.filter((each) => each !== phone_number);
      tx.put('texting_registrations', { ...campaign, phone_numbers });
    }
    return ok(wireOf(released));
  },
};

export const setPhoneNumberCnam: Operation<'setPhoneNumberCnam'> = {
  plays: { kind: 'cnam' },
  handle({ params, body, caller, selection }, tx) {
    const number = heldNumber(tx, caller, params.id, 'given a CNAM display name', 'set_cnam');
    const { cnam_display_name: display_name } = body;
    checkDisplayName(display_name);
    const { phone_number } = number;
    const known = tx.get('cnam_listings', params.id);
    if (!known) {
      const listing: Row<'cnam_listings'> = {
        id: params.id,
        phone_number,
        display_name,
        status: 'pending',
        private: ownedBy(tx, caller),
      };
      create(tx, cnamLifecycle, listing);
    }
    const subject = { table: 'cnam_listings', id: params.id } as const;
    transition(tx, cnamLifecycle, tx.get('cnam_listings', params.id) as Row<'cnam_listings'>, 'submit', {
      display_name,
    });
    // Of a name before it nothing is decided any more.
    tx.unschedule(subject);
    scheduleTimeline(tx, cnamLifecycle, params.id, selection as ScenarioSelection);
    return ok(wireOf(findRecord(tx, 'phone_numbers', params.id, caller, 'phone number')));
  },
};

/** Terms that carriers refuse, wherever they stand in a name. */
const prohibited =
  /\b(FBI|CIA|DEA|IRS|NSA|USPS|POLICE|SHERIFF|GOVERNMENT|GOVT|FEDERAL|MEDICARE|MEDICAID|SOCIAL SECURITY|EMERGENCY)\b/i;
/** Names that could be anyone's. */
const generic =
  /^(UNKNOWN|UNAVAILABLE|ANONYMOUS|PRIVATE|RESTRICTED|BLOCKED|TOLL FREE|WIRELESS|CALLER|NAME|TEST)( (CALLER|CALL|NAME|NUMBER))?$/i;

function checkDisplayName(name: string): void {
  const plain = name.replace(/[^A-Za-z0-9]+/g, ' ').trim();
  // F.B.I. is no other term than FBI.
  const term = (prohibited.exec(plain) ?? prohibited.exec(name.replaceAll('.', '')))?.[0];
  if (term !== undefined) throw refusedName(`contains the prohibited term ${term}`);
  if (generic.test(plain)) throw refusedName(`${quote(name)} could be anyone's; it must be a name of the business`);
}

function refusedName(explanation: string): ApiError {
  return new ApiError('validation_error', {
    fields: { cnam_display_name: explanation },
    hint: 'Send a name by which the called party knows the business, of at most 15 characters.',
    assumption: 'set_cnam',
  });
}

/** A number of the organization that was not released; `conflict` for one that was. */
function heldNumber(tx: Tx, caller: Caller, id: string, done: string, assumption: string): PhoneNumber {
  const number = findRecord(tx, 'phone_numbers', id, caller, 'phone number');
  if (numberIsHeld(number)) return number;
  throw new ApiError('conflict', {
    message: `${number.phone_number} is RELEASED; only a number that is PROVISIONING or ACTIVE can be ${done}.`,
    hint: 'Order another with POST /v1/phone-numbers.',
    assumption,
  });
}
