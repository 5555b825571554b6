// Authentication by API key, or by a client token that stands in for one. A key is found by the hash of its plaintext,
// which is never stored; the key selects the world. `spec.md` "Authentication", `interface.md` section 2.
import type { Caller } from '../engine/operation.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError } from '../errors/api-error.ts';
import { afterBearer, CHALLENGE, INVALID_TOKEN, tokenOf } from '../errors/bearer.ts';
import { defaultScopes, hashOfKey, keyId, REQUESTS_PER_MINUTE } from '../identity/api-keys.ts';
import { isControlKey } from '../identity/control-keys.ts';
import { readTestKey } from '../identity/test-keys.ts';
import type { Row } from '../model.ts';
import type { Tx } from '../store/store.ts';
import { claimedId, isJwt, readClientToken } from '../tokens/client-token.ts';
import { lifeProblem, tokenTime } from '../tokens/token-life.ts';

/** The world of some credentials. The caller is read in that world; it throws `unauthorized` if the key is revoked. */
export interface LocatedCaller {
  readonly world: string;
  readonly recreated: boolean;
  caller(tx: Tx): Caller;
}

type Parts = Pick<SandboxContext, 'store' | 'worlds' | 'secrets'>;

/** Finds the key or token of a request; `unauthorized` if there is none. */
export async function authenticate(parts: Parts, authorization: string | undefined): Promise<LocatedCaller> {
  const key = bearerOf(authorization);
  if (isJwt(key)) return locateClientToken(parts, key);
  const hash = hashOfKey(key);
  const testWorld = worldOfTestKey(key);
  if (testWorld !== undefined) {
    const entered = await parts.worlds.enterTestWorld(testWorld);
    if (!entered) throw noTestWorld(testWorld);
    return { world: testWorld, recreated: entered.recreated, caller: (tx) => testCaller(tx, hash) };
  }
  if (isControlKey(key)) throw invalidToken('A control key is for the control API of a server with a control token.');
  const place = await parts.store.locate('keys', hash);
  // The keys of a world are deleted with it, but for those that a store has lost sight of.
  if (!place || parts.worlds.isExpired(place.world) || !(await parts.store.world(place.world))) throw invalidToken();
  return {
    world: place.world,
    recreated: false,
    caller(tx) {
      const row = tx.get('keys', place.id);
      if (!row || row.revoked) throw invalidToken();
      return callerOf(tx, row.id, row);
    },
  };
}

/** The world of a test key that would create it; undefined for any other key. Creates no world. */
export async function absentTestWorld(
  { worlds, settings }: Pick<SandboxContext, 'worlds' | 'settings'>,
  authorization: string | undefined,
): Promise<string | undefined> {
  const testWorld = settings.autoWorlds ? worldOfTestKey(tokenOf(authorization) ?? '') : undefined;
  return testWorld === undefined || (await worlds.exists(testWorld)) ? undefined : testWorld;
}

/** Keys and client tokens survive a reset of their world; sub-entities created in it before do not. */
function callerOf(tx: Tx, key: string, row: Row<'keys'> | Row<'client_tokens'>): Caller {
  const { scopes, is_demo, requests_per_minute } = row;
  const { organization_id } = row.private;
  if (organization_id !== tx.world.organization_id && !tx.get('organizations', organization_id)) {
    throw invalidToken("The API key's organization no longer exists.");
  }
  return { id: key, scopes, is_demo, requests_per_minute, organization_id };
}

/** A client token stands in for the key that minted it, as long as both are valid. */
async function locateClientToken({ store, worlds, secrets }: Parts, token: string): Promise<LocatedCaller> {
  const claims = await readClientToken(secrets, token);
  if (typeof claims === 'string') throw invalidToken(claims);
  const place = await store.locate('client_tokens', claims.id);
  if (!place || worlds.isExpired(place.world) || !(await store.world(place.world))) {
    // Without a world, there is no other clock to judge by.
    throw invalidToken(`The client token ${lifeProblem(claims, store.systemTime()) ?? 'is unknown.'}`);
  }
  return {
    world: place.world,
    recreated: false,
    caller(tx) {
      const problem = lifeProblem(claims, tokenTime(tx));
      if (problem) throw invalidToken(`The client token ${problem}`);
      const row = tx.get('client_tokens', place.id);
      if (!row || tx.get('keys', row.key_id)?.revoked) throw invalidToken('The key of the client token is revoked.');
      return { ...callerOf(tx, row.key_id, row), expires: claims.expires };
    },
  };
}

const grantedByDefault = defaultScopes();

function testCaller(tx: Tx, hash: string): Caller {
  return {
    id: keyId(hash),
    organization_id: tx.world.organization_id,
    scopes: grantedByDefault,
    is_demo: false,
    requests_per_minute: REQUESTS_PER_MINUTE,
  };
}

/** The world of a key, valid or not, for journaling a request that failed before it entered one. Creates no world. */
export async function worldOfKey(
  { store }: Pick<SandboxContext, 'store'>,
  authorization: string | undefined,
): Promise<string | undefined> {
  const key = tokenOf(authorization);
  if (key === undefined) return undefined;
  const testKey = readTestKey(key);
  if (testKey) return 'world' in testKey && (await store.world(testKey.world)) ? testKey.world : undefined;
  if (isJwt(key)) return (await store.locate('client_tokens', (await claimedId(key)) ?? ''))?.world;
  return (await store.locate('keys', hashOfKey(key)))?.world;
}

/** The token of an `Authorization: Bearer` header. */
function bearerOf(authorization: string | undefined): string {
  if (authorization === undefined) {
    throw new ApiError('unauthorized', {
      message: 'The request carries no API key.',
      headers: { 'WWW-Authenticate': CHALLENGE },
    });
  }
  const key = tokenOf(authorization);
  if (key !== undefined) return key;
  const written = readTestKey(afterBearer(authorization) ?? '');
  if (written && 'problem' in written) throw invalidToken(written.problem);
  const message = 'The Authorization header is not of the form `Bearer <API_KEY>`.';
  // RFC 6750, section 3.1: a request without credentials, or with another scheme, gets a challenge without an error code.
  if (!/^Bearer\b/i.test(authorization)) {
    throw new ApiError('unauthorized', { message, headers: { 'WWW-Authenticate': CHALLENGE } });
  }
  throw invalidToken(message);
}

/** The world of a test key; undefined for any other key. Throws `unauthorized` for a test key of another form. */
function worldOfTestKey(key: string): string | undefined {
  const testKey = readTestKey(key);
  if (!testKey || 'world' in testKey) return testKey?.world;
  throw invalidToken(testKey.problem);
}

function noTestWorld(name: string): ApiError {
  return new ApiError('unauthorized', {
    message: `No world named ${name} exists, and this server creates none on first use (--auto-worlds off).`,
    hint: 'Create the world with POST /_sandbox/worlds, or use the key of an existing one.',
    headers: { 'WWW-Authenticate': INVALID_TOKEN },
  });
}

function invalidToken(message = 'The API key is unknown or revoked.'): ApiError {
  return new ApiError('unauthorized', {
    message,
    headers: { 'WWW-Authenticate': INVALID_TOKEN },
  });
}
