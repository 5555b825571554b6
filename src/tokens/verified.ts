// Reads the tokens that this server signs: real JWTs, in the spelling in which it has signed them.
import type { JWTPayload } from 'jose';
import { jose } from '../lazy-modules.ts';
import { isAsSigned } from './spelling.ts';
import type { TokenLife } from './token-life.ts';

/** What signs the tokens of a kind, and how they begin. */
export interface Signing {
  readonly key: Uint8Array;
  readonly issuer: string;
}

/** The claims of a token, and when it is valid, by whichever clock; undefined for one that this server has not signed. */
export async function verified<Claims>(
  { key, issuer }: Signing,
  token: string,
): Promise<(JWTPayload & Claims & TokenLife) | undefined> {
  if (!isAsSigned(token)) return undefined;
  const { decodeJwt, errors, jwtVerify } = await jose();
  try {
    const { nbf, exp } = decodeJwt(token);
    if (!isInstant(nbf) || !isInstant(exp)) return undefined;
    // The library would judge by the machine's clock; at its own beginning, every token is valid.
    const currentDate = new Date(nbf * 1000);
    const { payload } = await jwtVerify<Claims>(token, key, { algorithms: ['HS256'], issuer, currentDate });
    return { ...payload, notBefore: nbf, expires: exp };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** Whole seconds that a date can have. */
const isInstant = (claim: unknown): claim is number =>
  typeof claim === 'number' && Number.isInteger(claim) && !Number.isNaN(new Date(claim * 1000).getTime());
