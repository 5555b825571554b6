// Phone numbers: `spec.md` "Phone number", and what it names without a shape: provisioning, configuration, release and
// the CNAM display name. An organization holds a number from its order to its release; the number's calls remain.
import { assumedTextingStatus } from '../assumptions/assumed-records.ts';
import { assumed } from '../assumptions/catalogue.ts';
import type { SerializedPhoneNumber } from '../assumptions/other-answers.ts';
import { timestamp } from '../clock/clock.ts';
import { certifyCallerId, revokeCallerId, revokeOthers, touchCallerId } from '../domain/numbers/caller-ids.ts';
import { checkDisplayName } from '../domain/numbers/display-names.ts';
import { newNumber } from '../domain/numbers/new-number.ts';
import { availableIn, defaultAreaCode, numberToOrder } from '../domain/numbers/number-offer.ts';
import { pageOfNumbers } from '../domain/numbers/own-numbers.ts';
import { areaCodeOf } from '../e164.ts';
import { create, scheduleTimeline } from '../engine/create.ts';
import { type Caller, created, type Operation, ok, type ScenarioOperation } from '../engine/operation.ts';
import { defaultPageSize, readCursor, writeCursor } from '../engine/paging.ts';
import { findAll, findRecord, findReferenced, ownedBy, refuseSecondDelete } from '../engine/records.ts';
import { fire, transition } from '../engine/transition.ts';
import { ApiError } from '../errors/api-error.ts';
import { cnamLifecycle } from '../lifecycles/cnam.ts';
import { numberIsHeld, phoneNumberLifecycle } from '../lifecycles/phone-number.ts';
import { type Row, wireOf } from '../model.ts';
import type { Tx } from '../store/store.ts';

type PhoneNumber = Row<'phone_numbers'>;

function serializeNumber(tx: Tx, number: PhoneNumber): SerializedPhoneNumber {
  return { ...wireOf(number), texting_status: assumedTextingStatus(tx.state('assumptions'), number) };
}

export const listPhoneNumbers: Operation<'listPhoneNumbers'> = {
  handle({ caller, query }, tx) {
    const { rows, meta } = pageOfNumbers(tx, caller, query);
    return ok(
      rows.map((number) => serializeNumber(tx, number)),
      meta,
    );
  },
};

export const getPhoneNumber: Operation<'getPhoneNumber'> = {
  handle({ params, caller }, tx) {
    return ok(serializeNumber(tx, findRecord(tx, 'phone_numbers', params.id, caller)));
  },
};

export const listAvailablePhoneNumbers: Operation<'listAvailablePhoneNumbers'> = {
  handle({ query, caller }, tx) {
    const { area_code = defaultAreaCode(tx, caller), cursor, page_size = defaultPageSize(tx) } = query;
    // The cursor is the last number of the previous page; it may have been ordered since.
    const after = cursor === undefined ? '' : readCursor(cursor, (number) => areaCodeOf(number) === area_code);
    const rest = availableIn(tx, area_code).filter((number) => number > after);
    const page = rest.slice(0, page_size);
    const last = rest.length > page_size ? page.at(-1) : undefined;
    return ok(
      page.map((phone_number) => ({ phone_number, area_code, iso_country: 'US' })),
      { page_size, cursor: last === undefined ? null : writeCursor(last) },
    );
  },
};

export const createPhoneNumber: ScenarioOperation<'createPhoneNumber'> = {
  plays: { kind: 'phone_number' },
  handle({ body, caller, selection }, tx) {
    const phone_number = numberToOrder(tx, caller, body);
    const number = newNumber(tx, caller, phone_number, body.name ?? null);
    create(tx, phoneNumberLifecycle, number, selection);
    revokeOthers(tx, caller, phone_number);
    if (assumed(tx.state('assumptions'), 'provisioned_caller_id') === 'verified') {
      certifyCallerId(tx, caller, phone_number);
    }
    return created(serializeNumber(tx, number));
  },
};

export const updatePhoneNumber: Operation<'updatePhoneNumber'> = {
  handle({ params, body, caller }, tx) {
    const number = configurableNumber(tx, caller, params.id, 'configured', 'configure_number');
    const { name = number.name, agent_id } = body;
    if (agent_id !== undefined) assign(tx, caller, number, agent_id);
    const changed: PhoneNumber = { ...number, name };
    tx.put('phone_numbers', changed);
    return ok(serializeNumber(tx, changed));
  },
};

/** Assigns the number to one agent, which answers no other number from now on; null unassigns it. */
function assign(tx: Tx, caller: Caller, number: PhoneNumber, agentId: string | null): void {
  const agent = agentId === null ? null : findReferenced(tx, 'agents', agentId, caller, 'agent_id', 'configure_number');
  const updated_at = timestamp(tx.at);
  for (const other of findAll(tx, 'agents', 'phone_number', number.phone_number, caller)) {
    if (other.id !== agentId) tx.put('agents', { ...other, phone_number: null, updated_at });
  }
  if (!agent || agent.phone_number?.phone_number === number.phone_number) return;
  const { id, phone_number, provider, is_active } = number;
  tx.put('agents', { ...agent, phone_number: { id, phone_number, provider, is_active }, updated_at });
}

export const releasePhoneNumber: Operation<'releasePhoneNumber'> = {
  handle({ params, caller }, tx) {
    const number = findRecord(tx, 'phone_numbers', params.id, caller);
    const released = transition(tx, phoneNumberLifecycle, number, 'release', {});
    if (!released) refuseSecondDelete(tx, 'phone number', params.id);
    if (!released) return ok(serializeNumber(tx, number));
    const { phone_number } = number;
    revokeCallerId(tx, number);
    tx.unschedule({ table: 'cnam_listings', id: params.id });
    tx.remove('cnam_listings', params.id);
    for (const campaign of findAll(tx, 'texting_registrations', 'campaign', caller.organization_id, caller)) {
      if (campaign.status !== 'pending' || !campaign.phone_numbers.includes(phone_number)) continue;
      const phone_numbers = campaign.phone_numbers.filter((other) => other !== phone_number);
      tx.put('texting_registrations', { ...campaign, phone_numbers, updated_at: timestamp(tx.at) });
    }
    return ok(serializeNumber(tx, released));
  },
};

export const setPhoneNumberCnam: ScenarioOperation<'setPhoneNumberCnam'> = {
  plays: { kind: 'cnam' },
  handle({ params: { id }, body: { cnam_display_name: display_name }, caller, selection }, tx) {
    const number = configurableNumber(tx, caller, id, 'given a CNAM display name', 'set_cnam');
    const { phone_number } = number;
    checkDisplayName(display_name);
    let listing = tx.get('cnam_listings', id);
    if (!listing) {
      listing = { id, phone_number, display_name, status: 'pending', private: ownedBy(tx, caller) };
      create(tx, cnamLifecycle, listing);
    }
    transition(tx, cnamLifecycle, listing, 'submit', { display_name });
    // The decision on an earlier name is no longer awaited.
    tx.unschedule({ table: 'cnam_listings', id });
    if (assumed(tx.state('assumptions'), 'cnam_approval') === 'reviewed') {
      scheduleTimeline(tx, cnamLifecycle, id, selection);
    } else {
      fire(tx, { type: 'fire', subject: { table: 'cnam_listings', id }, trigger: 'approve', input: {} });
    }
    const named = findRecord(tx, 'phone_numbers', id, caller);
    if (number.cnam_display_name !== named.cnam_display_name || number.cnam_status !== named.cnam_status) {
      touchCallerId(tx, caller, phone_number);
    }
    return ok(serializeNumber(tx, named));
  },
};

/** A number of the organization; `conflict` once it is released. `participle` completes the message. */
function configurableNumber(tx: Tx, caller: Caller, id: string, participle: string, assumption: string): PhoneNumber {
  const number = findRecord(tx, 'phone_numbers', id, caller);
  if (numberIsHeld(number)) return number;
  throw new ApiError('conflict', {
    message: `${number.phone_number} is RELEASED; only a PROVISIONING or ACTIVE number can be ${participle}.`,
    hint: 'Order another with POST /v1/phone-numbers.',
    assumption,
  });
}
