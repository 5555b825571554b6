// API keys: their default scopes, and the hash by which one is found. The plaintext is never stored.
import { enumOf, type Scope } from '../contract/document.ts';
import { sha256 } from './seeded.ts';

/** Every scope of the platform. */
export const allScopes = (): readonly Scope[] => enumOf('Scope');

export function isScope(name: string): name is Scope {
  return allScopes().some((scope) => scope === name);
}

/** `spec.md` "Authentication", 4: every scope except `compliance:write`. */
export const defaultScopes = (): readonly Scope[] => allScopes().filter((scope) => scope !== 'compliance:write');

export const REQUESTS_PER_MINUTE = 600;
export const DEMO_REQUESTS_PER_MINUTE = 120;

export const hashOfKey = (plaintext: string): string => sha256(plaintext);

/** The id of a key on the account, derived from its hash. */
export const keyId = (hash: string): string => `key_${hash.slice(0, 24)}`;

/** A valid world name. */
export const worldName = /^[a-z0-9-]{1,40}$/;
export const worldNameForm = '1 to 40 of a-z, 0-9 and -';

/** `svc_test_<world>` and `svc_test_<world>_<anything>`: the world's name; undefined for any other key. */
export function worldOfTestKey(plaintext: string): string | undefined {
  return /^svc_test_([a-z0-9-]{1,40})(?:_.*)?$/s.exec(plaintext)?.[1];
}

export const testKeyOf = (world: string): string => `svc_test_${world}`;
