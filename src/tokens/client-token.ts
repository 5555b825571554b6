// Client tokens: real JWTs that replace an API key. Their `jti` names a record with their scopes; a token is valid only
// if its world has that record, which also decides by which clock it expires.
import type { Secrets } from '../identity/secrets.ts';
import { jose } from '../lazy-modules.ts';
import type { TokenLife } from './token-life.ts';
import { verified } from './verified.ts';

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
  const claims = await verified({ key: secrets.key('client tokens'), issuer: CLIENT_ISSUER }, token);
  if (typeof claims?.jti !== 'string') return NOT_A_CLIENT_TOKEN;
  const { jti: id, notBefore, expires } = claims;
  return { id, notBefore, expires };
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
