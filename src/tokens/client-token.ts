// Client tokens: real JWTs that replace an API key. Their `jti` names a record with their scopes; a token is valid only
// if its world has that record, which also decides by which clock it expires.
import type { Secrets } from '../identity/secrets.ts';
import { jose } from '../lazy-modules.ts';
import { isAsSigned } from './spelling.ts';
import type { TokenLife } from './token-life.ts';

export const CLIENT_ISSUER = 'sandbox_client_key';
const NOT_A_CLIENT_TOKEN = 'The token is not a client token of this server.';
export interface ClientClaims {
  readonly id: string;
  /** The id of the key that minted it. */
  readonly key: string;
  readonly scopes: readonly string[];
}

/** Signs a token; its life is in Unix seconds. */
export async function signClientToken(
  secrets: Secrets,
  { id, key, scopes }: ClientClaims,
  { notBefore, expires }: TokenLife,
): Promise<string> {
  const { SignJWT } = await jose();
  return new SignJWT({ scope: scopes.join(' ') })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(CLIENT_ISSUER)
    .setSubject(key)
    .setJti(id)
    .setIssuedAt(notBefore)
    .setNotBefore(notBefore)
    .setExpirationTime(expires)
    .sign(secrets.key('client tokens'));
}

/** Whether a Bearer token has the form of a JWT; API keys begin with `svc_`. */
export const isJwt = (token: string): boolean => token.startsWith('eyJ');

/** The `jti` of a token of this server, and when it is valid; a message about what is wrong with any other. */
export async function readClientToken(secrets: Secrets, token: string): Promise<({ id: string } & TokenLife) | string> {
  if (!isAsSigned(token)) return NOT_A_CLIENT_TOKEN;
  const { decodeJwt, errors, jwtVerify } = await jose();
  try {
    const { nbf: notBefore = 0 } = decodeJwt(token);
    const { payload } = await jwtVerify(token, secrets.key('client tokens'), {
      algorithms: ['HS256'],
      issuer: CLIENT_ISSUER,
      requiredClaims: ['jti', 'nbf', 'exp'],
      // The library would judge by the machine's clock; at its own beginning, every token is valid.
      currentDate: new Date(notBefore * 1000),
    });
    const { jti, exp: expires } = payload;
    return jti === undefined || expires === undefined ? NOT_A_CLIENT_TOKEN : { id: jti, notBefore, expires };
  } catch (error) {
    if (error instanceof errors.JOSEError) return NOT_A_CLIENT_TOKEN;
    throw error;
  }
}

/** The `jti` that a token claims to have, valid or not. */
export async function claimedId(token: string): Promise<string | undefined> {
  const { decodeJwt } = await jose();
  try {
    return decodeJwt(token).jti;
  } catch {
    return undefined;
  }
}
