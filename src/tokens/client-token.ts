// Client tokens: real JWTs that stand in for an API key. They name a record by `jti`; what the token may do is that
// record's, so that a token is good only where its world knows it. Their life is machine time.
import { jose } from '../lazy-modules.ts';

export const CLIENT_ISSUER = 'sandbox_client_key';
/** Long enough for HS256 (RFC 7518, section 3.2). */
const secret = new TextEncoder().encode('sandbox_client_secret_for_client_tokens');

export interface ClientClaims {
  readonly id: string;
  /** The id of the key that minted it. */
  readonly key: string;
  readonly scopes: readonly string[];
}

/** Signs a token that is good from `now` (the machine's time in milliseconds) for so many seconds. */
export async function signClientToken({ id, key, scopes }: ClientClaims, now: number, life: number): Promise<string> {
  const { SignJWT } = await jose();
  const seconds = Math.floor(now / 1000);
  return new SignJWT({ scope: scopes.join(' ') })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(CLIENT_ISSUER)
    .setSubject(key)
    .setJti(id)
    .setIssuedAt(seconds)
    .setNotBefore(seconds)
    .setExpirationTime(seconds + life)
    .sign(secret);
}

/** Whether a Bearer token has the form of a JWT; API keys begin with `svc_`. */
export const isJwt = (token: string): boolean => token.startsWith('eyJ');

/** The `jti` of a token that is good at `now`, in `{ id }`; a sentence about what is wrong with any other. */
export async function readClientToken(token: string, now: number): Promise<{ id: string } | string> {
  const { errors, jwtVerify } = await jose();
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: ['HS256'],
      issuer: CLIENT_ISSUER,
      requiredClaims: ['jti', 'nbf', 'exp'],
      currentDate: new Date(now),
    });
    return { id: payload.jti as string };
  } catch (error) {
    if (error instanceof errors.JWTExpired) return 'The client token has expired.';
    if (error instanceof errors.JOSEError) return 'The token is no client token of this server.';
    throw error;
  }
}

/** The `jti` that a token claims to have, good or not. */
export async function claimedId(token: string): Promise<string | undefined> {
  const { decodeJwt } = await jose();
  try {
    return decodeJwt(token).jti;
  } catch {
    return undefined;
  }
}
