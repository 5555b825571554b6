// The API keys of a world; their plaintext is never stored. `interface.md` section 2.
import { timestamp } from '../clock/clock.ts';
import type { Scope } from '../contract/document.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { transact } from '../engine/transact.ts';
import { notFound } from '../errors/api-error.ts';
import {
  DEMO_REQUESTS_PER_MINUTE,
  defaultScopes,
  hashOfKey,
  keyId,
  REQUESTS_PER_MINUTE,
} from '../identity/api-keys.ts';
import type { Row } from '../model.ts';
import { organizationOf } from './named-records.ts';
import { type Page, type PageRequest, pageOf } from './pages.ts';
import { findVisible, type Reader, visibleRows } from './reader.ts';

type Parts = Pick<SandboxContext, 'store'>;

export type KeyView = ReturnType<typeof serializeKey>;

function serializeKey({ hash: _, private: { organization_id }, ...key }: Row<'keys'>) {
  return { ...key, organization_id };
}

/** Newest first, without plaintext or hash. */
export function listKeys(
  { store }: Parts,
  world: string,
  { organization, ...page }: PageRequest & Reader,
): Promise<Page<KeyView>> {
  return store.transaction(world, (tx) => {
    const rows = visibleRows(tx, tx.page('keys', 'all', 'all', { newestFirst: true }), { organization });
    const { data, meta } = pageOf(rows, page);
    return { data: data.map(serializeKey), meta };
  });
}

export interface NewKeyRequest {
  /** The default scopes unless given. */
  readonly scopes?: readonly Scope[] | undefined;
  readonly is_demo: boolean;
  readonly requests_per_minute?: number | undefined;
  /** The world's organization or one of its sub-entities; the reader's by default. */
  readonly organization_id?: string | undefined;
}

export interface CreatedKey {
  readonly id: string;
  /** The plaintext, which is returned only here. */
  readonly api_key: string;
  readonly scopes: readonly Scope[];
}

export function createKey(
  parts: Pick<SandboxContext, 'store' | 'runTask' | 'turns' | 'secrets'>,
  world: string,
  { scopes = defaultScopes(), is_demo, requests_per_minute, organization_id }: NewKeyRequest,
  reader: Reader = {},
): Promise<CreatedKey> {
  return transact(parts, world, null, (tx) => {
    const organization = organizationOf(tx, organization_id, reader);
    // By rank, because a reset restarts the ordinals but keeps the keys, and revoked keys may be deleted.
    const [newest] = tx.page('keys', 'all', 'all', { limit: 1, newestFirst: true });
    const ordinal = Math.max(tx.state('ordinals_from'), newest?.private.rank ?? 0) + 1;
    // A later world of the same name has later epochs: keys of the earlier one must not be given out again.
    const made = [tx.world.name, tx.state('epoch'), ordinal];
    const api_key = `svc_key_${parts.secrets.token('api keys', 40, ...made)}`;
    const hash = hashOfKey(api_key);
    const key: Row<'keys'> = {
      id: keyId(hash),
      hash,
      scopes,
      is_demo,
      requests_per_minute: requests_per_minute ?? (is_demo ? DEMO_REQUESTS_PER_MINUTE : REQUESTS_PER_MINUTE),
      revoked: false,
      created_at: timestamp(tx.at),
      private: { organization_id: organization, rank: ordinal },
    };
    tx.put('keys', key);
    return { id: key.id, api_key, scopes };
  });
}

/** Requests with the key are 401 from now on; `not_found` for an unknown key. */
export function revokeKey({ store }: Parts, world: string, id: string, reader: Reader = {}): Promise<void> {
  return store.transaction(world, (tx) => {
    const key = findVisible(tx, 'keys', id, reader);
    if (!key) throw notFound('key', id);
    tx.put('keys', { ...key, revoked: true });
  });
}
