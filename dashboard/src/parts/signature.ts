// Checks the signature of an attempt in the browser, as a receiver does: an HMAC-SHA256 over the exact bytes that were sent.
import type { Delivery } from '../../../src/client/shown.ts';

type Attempt = Delivery['attempts'][number];

export type Verdict = 'valid' | 'invalid' | 'unsigned' | 'unknown';

const HEADER = 'x-service-signature-256';

/** `unknown` where the browser has no cryptography, which takes HTTPS or this machine, and for a subscription without a secret. */
export async function verdictOf({ request }: Attempt, body: string, secret: string | null): Promise<Verdict> {
  const given = Object.entries(request.headers).find(([name]) => name.toLowerCase() === HEADER)?.[1];
  if (given === undefined) return 'unsigned';
  if (secret === null || crypto.subtle === undefined) return 'unknown';
  const encoder = new TextEncoder();
  const hash = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), hash, false, ['sign']);
  const bytes = await crypto.subtle.sign('HMAC', key, encoder.encode(request.body === '' ? body : request.body));
  const expected = [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return expected === given ? 'valid' : 'invalid';
}
