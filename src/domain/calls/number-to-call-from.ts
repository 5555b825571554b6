// The number that a call comes from: which numbers are usable, which of them are free, and the caps (`spec.md` "Account
// limit"). A number outside the account's inventory may be dialled from if it is verified (the ledger's
// caller_id_ownership), but is never chosen for a caller.
import { assumed } from '../../assumptions/catalogue.ts';
import { findAll, type Owner } from '../../engine/records.ts';
import type { PlatformSettings } from '../../engine/settings.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';
import { callerIdOf } from '../numbers/caller-ids.ts';
import { anyHeldNumber } from '../numbers/held-numbers.ts';

type PhoneNumber = Row<'phone_numbers'>;

/** How many numbers a hint lists. */
const LISTED = 5;

/**
 * Throws unless a call may come from that number: its caller ID must be verified, and a number that the account holds
 * must be active. Returns the held number, or null for one of another provider.
 */
export function usableNumber(tx: Tx, owner: Owner, from: string): PhoneNumber | null {
  const number = anyHeldNumber(tx, from);
  const isVerified = callerIdOf(tx, owner, from)?.status === 'VERIFIED';
  const isAllowed = number ? number.private.organization_id === owner.organization_id : !needsInventory(tx);
  if (!isVerified || !isAllowed) throw notVerified(tx, owner, from, { isVerified, isAllowed });
  if (!number) return null;
  if (!number.is_active) {
    throw new ApiError('no_active_number', {
      message: `${from} is not active (${number.private.status.toLowerCase()}).`,
    });
  }
  return number;
}

function notVerified(
  tx: Tx,
  owner: Owner,
  from: string,
  { isVerified, isAllowed }: { isVerified: boolean; isAllowed: boolean },
): ApiError {
  const held = usableNumbers(tx, owner).map(({ phone_number }) => phone_number);
  const usable = needsInventory(tx) ? held : [...held, ...verifiedElsewhere(tx, owner)];
  // That an own number has to be verified is not assumed.
  const isOwn = isAllowed && anyHeldNumber(tx, from) !== undefined;
  const problem = isVerified ? 'is not a phone number of this account' : 'is not a verified caller ID of this account';
  return new ApiError('call_id_not_verified', {
    fields: { from_number: `${from} ${problem}` },
    hint: usable.length > 0 ? `Call from ${anyOf(usable)}.` : 'Verify a caller ID first.',
    ...(isOwn ? {} : { assumption: 'caller_id_ownership' }),
  });
}

const needsInventory = (tx: Tx): boolean => assumed(tx.state('assumptions'), 'caller_id_ownership') === 'inventory';

/** The active numbers that the organization holds and has verified, the oldest caller ID first. */
function usableNumbers(tx: Tx, owner: Owner): PhoneNumber[] {
  return verifiedCallerIds(tx, owner).flatMap(({ phone_number }) => {
    const number = anyHeldNumber(tx, phone_number);
    return number?.is_active && number.private.organization_id === owner.organization_id ? [number] : [];
  });
}

function verifiedElsewhere(tx: Tx, owner: Owner): string[] {
  const digits = verifiedCallerIds(tx, owner).map(({ phone_number }) => phone_number);
  return digits.filter((phone_number) => !anyHeldNumber(tx, phone_number));
}

const verifiedCallerIds = (tx: Tx, owner: Owner): Row<'caller_ids'>[] =>
  findAll(tx, 'caller_ids', 'organization', owner.organization_id, owner).filter(({ status }) => status === 'VERIFIED');

/** As a list for a hint, of the first few. */
const anyOf = (numbers: readonly string[]): string => numbers.slice(0, LISTED).join(' or ');

/**
 * The number that an agent calls from: the requested one, else the agent's own if usable, else the first usable one of
 * the account's inventory; `no_active_number` if none is. One that passes `isFree` comes before one that does not.
 */
export function numberToCallFrom(
  tx: Tx,
  owner: Owner,
  from: string | null | undefined,
  agent: Row<'agents'>,
  isFree: (tx: Tx, number: PhoneNumber) => boolean = () => true,
): string {
  if (typeof from === 'string') {
    usableNumber(tx, owner, from);
    return from;
  }
  const own = agent.phone_number?.phone_number;
  const usable = usableNumbers(tx, owner);
  const inOrder = [
    ...usable.filter(({ phone_number }) => phone_number === own),
    ...usable.filter(({ phone_number }) => phone_number !== own),
  ];
  const number = inOrder.find((candidate) => isFree(tx, candidate)) ?? inOrder[0];
  if (number) return number.phone_number;
  throw new ApiError('no_active_number', {
    message: 'The account has no number to call from: none is both active and a verified caller ID.',
    hint: 'Provision a number and verify it as a caller ID.',
    assumption: 'create_call',
  });
}

/** Whether a number can carry another call; a fixture can limit how many it carries at once. */
export function hasFreeLine(tx: Tx, { phone_number, private: { max_calls } }: PhoneNumber): boolean {
  return max_calls === null || tx.count('calls', 'live_number', phone_number) < max_calls;
}

/** Throws if all concurrent calls of the world, or of the number that the call comes from, are in progress. */
export function checkCaps(tx: Tx, settings: PlatformSettings, number: PhoneNumber | null): void {
  const ownCapacity = tx.state('assumptions').concurrent_calls;
  const capacity = ownCapacity === undefined ? settings.concurrentCalls : Number(ownCapacity);
  if (capacity !== null && tx.count('calls', 'live', 'all') >= capacity) {
    throw new ApiError('rate_limited', {
      message: `All ${capacity} concurrent calls of the account are in progress.`,
      hint: 'Wait until a call ends.',
      assumption: 'concurrent_calls',
    });
  }
  if (number && !hasFreeLine(tx, number)) throw allLinesBusy(tx, number);
}

/** `no_number_available` means that all numbers are busy; while another is free, only this one has too many calls. */
function allLinesBusy(tx: Tx, { phone_number, private: { max_calls, ...owner } }: PhoneNumber): ApiError {
  const free = usableNumbers(tx, owner).filter((number) => hasFreeLine(tx, number));
  if (free.length === 0) return new ApiError('no_number_available', { assumption: 'concurrent_calls' });
  return new ApiError('rate_limited', {
    message: `All ${max_calls} concurrent calls of ${phone_number} are in progress.`,
    hint: `Wait until a call ends, or call from ${anyOf(free.map((other) => other.phone_number))}.`,
    assumption: 'concurrent_calls',
  });
}
