// The signature of number-lifecycle deliveries: `spec.md` "Signature".
import { createHmac, timingSafeEqual } from 'node:crypto';

export const SIGNATURE_HEADER = 'X-service-Signature-256';
/** Every subscription is signed with it unless its own secret is set or removed. */
export const WORLD_SIGNING_SECRET = 'sandbox_signing_secret';
/** The header's value for a subscription without a signing secret. */
export const NO_SECRET = 'no-secret-provided';

/** The lowercase hexadecimal HMAC-SHA256 of a body, or the literal for a subscription without a secret. */
export function signatureOf(body: string | Uint8Array, secret: string | null): string {
  return secret === null ? NO_SECRET : createHmac('sha256', secret).update(body).digest('hex');
}

/**
 * For receivers: whether a body was signed with this secret, compared in constant time. Pass the raw bytes as received,
 * never a body that was parsed and serialized again. Throws TypeError for a parsed body, and without a secret, because
 * then anyone can sign.
 */
export function verifySignature(
  rawBody: string | Uint8Array,
  header: string | readonly string[] | null | undefined,
  secret: string,
): boolean {
  if (typeof secret !== 'string' || secret === '')
    throw new TypeError('verifySignature needs the signing secret of the subscription');
  if (typeof rawBody !== 'string' && !ArrayBuffer.isView(rawBody)) {
    const given = rawBody === null ? 'null' : typeof rawBody;
    throw new TypeError(
      `verifySignature needs the raw body as a string or bytes, not the parsed one (given: ${given})`,
    );
  }
  if (typeof header !== 'string') return false;
  const expected = Buffer.from(signatureOf(rawBody, secret));
  const given = Buffer.from(header);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
