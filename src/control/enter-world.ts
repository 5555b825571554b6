// Determines which world a control request is about: that of its API key or control key, or, with the control token,
// the one named in a header. `interface.md` section 5.
import { timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { noSuchWorld, ownWorldOnly, type Requester } from '../admin/worlds.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError, invalidField, quote } from '../errors/api-error.ts';
import { tokenOf } from '../errors/bearer.ts';
import { absentTestWorld, authenticate, type LocatedCaller } from '../http/authenticate.ts';
import { enterLocated } from '../http/enter-world.ts';
import { hashOfKey } from '../identity/api-keys.ts';
import { isControlKey } from '../identity/control-keys.ts';
import { readWorldName, worldNameForm } from '../identity/test-keys.ts';
import { ifGone } from '../store/if-gone.ts';
import type { Tx } from '../store/store.ts';
import { REPEATED } from './fields.ts';
import type { Route } from './route.ts';

export interface EnteredWorld extends Requester {
  /** Whether the world had expired and was created again for this request. */
  readonly recreated: boolean;
  /** The organization of the API key; undefined without one. */
  readonly organization?: string;
}

/** The world of a request without a key. */
export const defaultWorld: EnteredWorld = { world: 'default', recreated: false, authority: 'api_key' };

/**
 * `unauthorized` without a valid key or token, `validation_error` and `not_found` for a world that cannot exist or does
 * not, `forbidden` for one that a control key does not control.
 */
export function enterWorld(sandbox: SandboxContext, route: Route, { headers }: Request): Promise<EnteredWorld> {
  return enterWorldAs(sandbox, route, { authorization: headers.authorization, world: headers['x-sandbox-world'] });
}

/** Who asks for which world, in the form of the headers of a request. */
export interface Credentials {
  readonly authorization: string | undefined;
  readonly world: string | string[] | undefined;
}

export async function enterWorldAs(
  sandbox: SandboxContext,
  route: Pick<Route, 'aboutServer'>,
  { authorization, world: header }: Credentials,
): Promise<EnteredWorld> {
  const { controlToken } = sandbox.settings;
  if (controlToken === null) return enterWorldOfKey(sandbox, route, authorization);
  const given = tokenOf(authorization) ?? '';
  if (isSame(hashOfKey(given), hashOfKey(controlToken))) return enterNamedWorld(sandbox, readWorldHeader(header));
  const own = await worldOfControlKey(sandbox, given);
  if (own === undefined) throw invalidControlToken(authorization !== undefined);
  if ((readWorldHeader(header) ?? own) !== own) throw ownWorldOnly(own);
  return { world: own, recreated: false, authority: 'control_key' };
}

/** Compares hashes in constant time. */
const isSame = (hash: string, other: string): boolean => timingSafeEqual(Buffer.from(hash), Buffer.from(other));

function invalidControlToken(isGiven: boolean): ApiError {
  const accepted = 'The control API of this server accepts its control token, or the control key of a world, only.';
  return new ApiError('unauthorized', {
    message: isGiven ? `${accepted} What the request sent in Authorization is neither.` : accepted,
    hint: 'Send `Authorization: Bearer <control token>`, and the world in X-Sandbox-World.',
    headers: { 'WWW-Authenticate': 'Bearer realm="ringback-control"' },
  });
}

/** Undefined for a request that names no world. */
const readWorldHeader = (header: string | string[] | undefined): string | undefined =>
  header === undefined ? undefined : readNamedWorld('X-Sandbox-World', header);

function readNamedWorld(where: string, given: unknown): string {
  const name = readWorldName(String(given));
  if (name !== undefined) return name;
  throw invalidField(where, `${quote(String(given))} is not a world; must be ${worldNameForm}`);
}

/** The world that a query names, for a request that needs no credentials: it cannot see the others. */
export async function enterQueriedWorld(
  { worlds }: Pick<SandboxContext, 'worlds'>,
  given: unknown,
): Promise<EnteredWorld> {
  if (Array.isArray(given)) throw invalidField('world', REPEATED);
  const world = given === undefined ? defaultWorld.world : readNamedWorld('world', given);
  if (await worlds.exists(world)) return { ...defaultWorld, world };
  throw new ApiError('not_found', {
    message: `No world named ${quote(world)} exists.`,
    hint: 'Name an existing world as `?world=`; the first request with its key creates a world, naming it here does not.',
  });
}

async function worldOfControlKey({ store }: Pick<SandboxContext, 'store'>, given: string): Promise<string | undefined> {
  if (!isControlKey(given)) return undefined;
  const hash = hashOfKey(given);
  const place = await store.locate('control_keys', hash);
  if (!place) return undefined;
  const find = (tx: Tx) => tx.get('control_keys', place.id);
  const row = await store.transaction(place.world, find).catch(ifGone(undefined));
  return row && isSame(row.hash, hash) ? place.world : undefined;
}

/** A world that is named must exist: a misspelt name must not become a world. */
async function enterNamedWorld(parts: SandboxContext, world = defaultWorld.world): Promise<EnteredWorld> {
  if (!(await parts.worlds.exists(world))) throw await noSuchWorld(parts, world, defaultWorld.world);
  return { world, recreated: false, authority: 'control_token' };
}

/** The world of a key, whatever the key's scopes; `default` without a key. */
async function enterWorldOfKey(
  sandbox: Pick<SandboxContext, 'store' | 'worlds' | 'settings' | 'secrets'>,
  { aboutServer }: Pick<Route, 'aboutServer'>,
  authorization: string | undefined,
): Promise<EnteredWorld> {
  if (authorization === undefined) return defaultWorld;
  const absent = aboutServer ? await absentTestWorld(sandbox, authorization) : undefined;
  if (absent !== undefined) return { ...defaultWorld, world: absent };
  const locate = (): Promise<LocatedCaller> => authenticate(sandbox, authorization);
  return enterLocated(locate, async (located) => {
    const { organization_id } = await sandbox.store.transaction(located.world, (tx) => located.caller(tx));
    return { ...located, authority: 'api_key', organization: organization_id };
  });
}
