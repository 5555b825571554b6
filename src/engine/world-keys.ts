// The keys that a world is created with.
import { timestamp } from '../clock/clock.ts';
import type { Fixture } from '../fixtures/fixture.ts';
import {
  allScopes,
  DEMO_REQUESTS_PER_MINUTE,
  defaultScopes,
  hashOfKey,
  isScope,
  keyId,
  REQUESTS_PER_MINUTE,
} from '../identity/api-keys.ts';
import type { Tx } from '../store/store.ts';

/** The keys of a bundled world. */
export function putFixtureKeys(tx: Tx, fixture: Fixture, at: number): void {
  const usual = defaultScopes();
  for (const [index, { key, scopes, is_demo, revoked }] of fixture.file.keys.entries()) {
    const hash = hashOfKey(key);
    tx.put('keys', {
      id: keyId(hash),
      hash,
      scopes: scopes === 'default' ? usual : scopes === 'all' ? allScopes() : scopes.filter(isScope),
      is_demo,
      requests_per_minute: is_demo ? DEMO_REQUESTS_PER_MINUTE : REQUESTS_PER_MINUTE,
      revoked,
      created_at: timestamp(at),
      private: { organization_id: tx.world.organization_id, rank: index - fixture.file.keys.length },
    });
  }
}

/** The control key of a posted world. */
export function putControlKey(tx: Tx, plaintext: string): void {
  const { organization_id } = tx.world;
  tx.put('control_keys', { id: 'control_key', hash: hashOfKey(plaintext), private: { organization_id, rank: 1 } });
}
