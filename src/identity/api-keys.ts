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
