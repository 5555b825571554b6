// The signature of number-lifecycle deliveries: `spec.md` "Signature".
import { createHmac, timingSafeEqual } from 'node:crypto';

export const SIGNATURE_HEADER = 'X-service-Signature-256';
/** Every subscription is signed with it unless its own secret is set or removed. */
export const WORLD_SIGNING_SECRET = 'sandbox_signing_secret';
/** What the header carries where the subscription has no signing secret. */
export const NO_SECRET = 'no-secret-provided';

/** Lowercase hexadecimal HMAC-SHA256 of the bytes that are sent, or the literal for a subscription without secret. */
export function signatureOf(body: string | Uint8Array, secret: string | null): string {
  return secret === null ? NO_SECRET : createHmac('sha256', secret).update(body).digest('hex');
}

/**
 * Whether a received body was signed with this secret, compared in constant time. For receivers: pass the raw bytes
 * as they came, never a body that was parsed and written again. Throws where there is no secret: anyone could sign so.
 */
export function verifySignature(
  rawBody: string | Uint8Array,
  header: string | readonly string[] | null | undefined,
  secret: string,
): boolean {
  if (typeof secret !== 'string' || secret === '')
    throw new TypeError('verifySignature needs the signing secret of the subscription; none is given');
  if (typeof header !== 'string') return false;
  const expected = Buffer.from(signatureOf(rawBody, secret));
  const given = Buffer.from(header);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
