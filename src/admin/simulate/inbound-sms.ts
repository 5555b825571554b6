// An inbound SMS: someone texts a number of this world, or replies to a message. `interface.md` section 5.
import { receiveMessage, serializeMessage, takesTexts } from '../../domain/texting/messages.ts';
import type { SandboxContext } from '../../engine/sandbox-context.ts';
import { transact } from '../../engine/transact.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';
import { finishIfInstant } from '../clock.ts';
import { nothingNamed, organizationName, organizationOf } from '../named-records.ts';
import { findVisible, type Reader, visibleRows } from '../reader.ts';
import { scenariosOf } from '../scenarios.ts';
import { fictionalNumber } from './fictional-number.ts';

export interface InboundSms {
  /** The id of a message to reply to: its two numbers, swapped, are the defaults. */
  readonly in_reply_to?: string | undefined;
  /** A number of this world; by default the first of the organization that receives texts. */
  readonly to_number?: string | undefined;
  readonly from_number?: string | undefined;
  readonly body: string;
}

type Parts = Pick<SandboxContext, 'store' | 'runTask' | 'turns' | 'scenarios' | 'scheduler'>;

/** Returns the new message. `not_found` for an unknown number or message, `conflict` if no number receives texts. */
export async function simulateInboundSms(parts: Parts, world: string, inbound: InboundSms, reader: Reader = {}) {
  const { in_reply_to, to_number, from_number, body } = inbound;
  const scenarios = await scenariosOf(parts, world);
  const message = await transact(parts, world, 'simulateInboundSms', (tx) => {
    const original = in_reply_to === undefined ? undefined : findVisible(tx, 'messages', in_reply_to, reader);
    if (in_reply_to !== undefined && !original) throw nothingNamed('in_reply_to', 'message', in_reply_to);
    const ends = original && endsOf(original);
    const texted = textedNumber(tx, to_number ?? ends?.own, reader);
    const text = {
      organization_id: texted.private.organization_id,
      from_number: from_number ?? ends?.other ?? fictionalNumber(tx),
      to_number: texted.phone_number,
      body,
    };
    return receiveMessage(tx, text, scenarios);
  });
  await finishIfInstant(parts, world);
  return serializeMessage(message);
}

/** The organization's number and the other side's. */
function endsOf({ direction, from_number, phone_number }: Row<'messages'>): { own: string; other: string } {
  const isOutbound = direction === 'outbound';
  return isOutbound ? { own: from_number, other: phone_number } : { own: phone_number, other: from_number };
}

/** The requested number, or the organization's first that receives texts. */
function textedNumber(tx: Tx, requested: string | undefined, reader: Reader): Row<'phone_numbers'> {
  const organization = organizationOf(tx, undefined, reader);
  const numbers =
    requested === undefined
      ? tx.page('phone_numbers', 'organization', organization)
      : visibleRows(tx, tx.page('phone_numbers', 'phone_number', requested, { limit: 1 }), reader);
  const texted = numbers.find(takesTexts);
  if (texted) return texted;
  const [named] = numbers;
  if (requested !== undefined && !named) throw nothingNamed('to_number', 'phone number', requested);
  throw new ApiError('conflict', {
    message:
      requested === undefined || !named
        ? `No number of ${organizationName(tx, organization)} receives texts: none is active and enabled for texting.`
        : `${requested} is ${named.private.status}, and its texting status is ${named.texting_status}; only a number that is ACTIVE and approved receives texts.`,
    hint: 'Name in to_number a number of GET /v1/phone-numbers whose `is_active` and `texting_enabled` are true.',
  });
}
