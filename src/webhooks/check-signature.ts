// Which secret of a world signed a message that one of its inboxes received: `spec.md` "Signature".
import { eventTypes } from '../events/catalogue.ts';
import type { InboxEntry } from '../model.ts';
import type { Tx } from '../store/store.ts';
import { pathOfInbox } from './inbox-path.ts';
import { NO_SECRET, SIGNATURE_HEADER, verifySignature, WORLD_SIGNING_SECRET } from './sign.ts';

/** How many secrets are tried: whoever reaches an inbox needs no key, and each takes time. */
const MAX_SECRETS = 100;

export type SignatureCheck = Pick<InboxEntry, 'signature' | 'signed_with'>;

export const noSignature: SignatureCheck = { signature: 'absent', signed_with: null };

/** The signature of a message; undefined if it has none. */
export function signatureIn(headers: Readonly<Record<string, string>>): string | undefined {
  const given = headers[SIGNATURE_HEADER.toLowerCase()];
  return given === NO_SECRET ? undefined : given;
}

/** Tries the secrets one after the other, a piece for each: a large body takes a millisecond. */
export function* checkSignature(
  given: string,
  body: Buffer,
  secrets: ReadonlyMap<string, string>,
): Generator<void, SignatureCheck> {
  for (const [secret, owner] of secrets) {
    if (verifySignature(body, given, secret)) return { signature: 'valid', signed_with: owner };
    yield;
  }
  return { signature: 'invalid', signed_with: null };
}

/**
 * Whose secrets they are, by secret: the world's first, then those of its subscriptions, the ones to this inbox before the
 * others.
 */
export function secretsOf(tx: Tx, inbox: string): Map<string, string> {
  const secrets = new Map([[WORLD_SIGNING_SECRET, 'world']]);
  const subscriptions = eventTypes.flatMap((type) => tx.page('subscriptions', 'event_type', type));
  const path = pathOfInbox(inbox);
  const first = subscriptions.filter(({ webhook_url }) => webhook_url.includes(path));
  for (const { id, private: own } of [...first, ...subscriptions]) {
    if (secrets.size >= MAX_SECRETS) break;
    const { signing_secret } = own;
    if (signing_secret && !secrets.has(signing_secret)) secrets.set(signing_secret, id);
  }
  return secrets;
}
