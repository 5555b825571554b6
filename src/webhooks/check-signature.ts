// Which secret of a world signed a message that one of its inboxes received: `spec.md` "Signature".
import { eventTypes } from '../events/catalogue.ts';
import type { InboxEntry } from '../model.ts';
import type { Tx } from '../store/store.ts';
import { pathOfInbox } from './inbox-path.ts';
import { NO_SECRET, SIGNATURE_HEADER, verifySignature, WORLD_SIGNING_SECRET } from './sign.ts';

/** How many secrets are tried: whoever reaches an inbox needs no key, and each takes time. */
const MAX_SECRETS = 100;

/** By the world's secret first, then those of its subscriptions, the ones to this inbox before the others. */
export function checkSignature(
  tx: Tx,
  inbox: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): Pick<InboxEntry, 'signature' | 'signed_with'> {
  const given = headers[SIGNATURE_HEADER.toLowerCase()];
  if (given === undefined || given === NO_SECRET) return { signature: 'absent', signed_with: null };
  for (const [secret, owner] of secretsOf(tx, inbox)) {
    if (verifySignature(body, given, secret)) return { signature: 'valid', signed_with: owner };
  }
  return { signature: 'invalid', signed_with: null };
}

/** Whose secrets they are, by secret. */
function secretsOf(tx: Tx, inbox: string): Map<string, string> {
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
