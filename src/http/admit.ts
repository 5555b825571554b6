// Who asks, and may it be served now: the key decides the world, and the request is counted. One short transaction in
// that world; `interface.md` section 2 and the order of checks of section 3.
import { timeOf, wall } from '../clock/clock.ts';
import type { House } from '../engine/house.ts';
import type { Caller } from '../engine/operation.ts';
import { ApiError, invalidField } from '../errors/api-error.ts';
import { CHALLENGE, INVALID_TOKEN, insufficientScope, tokenOf } from '../errors/bearer.ts';
import { nearest } from '../errors/nearest.ts';
import type { Row } from '../model.ts';
import { overlaysOf } from '../scenarios/library.ts';
import { parameterProblem } from '../scenarios/use.ts';
import { defaultScopes, hashOfKey, keyId, REQUESTS_PER_MINUTE, worldOfTestKey } from '../seed/keys.ts';
import { NoSuchWorld, type Tx } from '../store/store.ts';
import { claimedId, isJwt, readClientToken } from '../tokens/client-token.ts';
import { type Exchange, requestId } from './exchange.ts';
import { locateSource } from './lead-source.ts';
import { countRequest, fullQuota } from './rate-limit.ts';

/** Authenticates, enters the world, counts the request. `unauthorized` where the key is none. */
export async function admit(house: House, exchange: Exchange): Promise<void> {
  for (;;) {
    const found =
      exchange.operation?.asksFor === 'source'
        ? await locateSource(house, exchange)
        : await locate(house, bearerOf(exchange.req.headers.authorization));
    try {
      await house.store.transaction(found.world, (tx) => {
        exchange.caller = found.caller(tx);
        const at = timeOf(tx.cell('clock'), wall());
        exchange.at = at;
        exchange.epoch = tx.cell('epoch');
        exchange.assumptions = tx.cell('assumptions');
        exchange.id = requestId(tx);
        exchange.rate = house.settings.rateLimit ? countRequest(tx, exchange.caller, at) : fullQuota(exchange.caller);
        exchange.scenarios = house.scenarios.forWorld(overlaysOf(tx));
      });
    } catch (error) {
      // The world went between the look-up and the transaction; a test key makes it anew.
      if (error instanceof NoSuchWorld) continue;
      throw error;
    }
    exchange.world = found.world;
    exchange.recreated = found.recreated;
    exchange.leave?.();
    exchange.leave = house.worlds.visit(found.world);
    return;
  }
}

/** The world that a control request speaks of: its key's, whatever the key may do, or `default` without a key. */
export async function admitToControl(
  house: House,
  authorization: string | undefined,
): Promise<{ world: string; recreated: boolean }> {
  if (authorization === undefined) return { world: 'default', recreated: false };
  const found = await locate(house, bearerOf(authorization));
  await house.store.transaction(found.world, (tx) => found.caller(tx));
  return found;
}

/** Where a caller was found; who it is, is read in that world. */
export interface Located {
  readonly world: string;
  readonly recreated: boolean;
  caller(tx: Tx): Caller;
}

async function locate(house: House, key: string): Promise<Located> {
  if (isJwt(key)) return locateClientToken(house, key);
  const hash = hashOfKey(key);
  const testWorld = worldOfTestKey(key);
  if (testWorld !== undefined) {
    const entered = await house.worlds.ofTestKey(testWorld);
    if (!entered) throw invalidToken();
    return { world: testWorld, recreated: entered.recreated, caller: (tx) => testCaller(tx, hash) };
  }
  const place = await house.store.locate('keys', hash);
  // The keys of a world go with it.
  if (!place || house.worlds.isExpired(place.world)) throw invalidToken();
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

/** Who a key is, or a token that stands in for it. Both outlive a reset, sub-entities that were made before it do not. */
function callerOf(tx: Tx, key: string, row: Row<'keys'> | Row<'client_tokens'>): Caller {
  const { scopes, is_demo, requests_per_minute } = row;
  const { organization_id } = row.private;
  if (organization_id !== tx.world.organization_id && !tx.get('organizations', organization_id)) {
    throw invalidToken("The API key's organization is gone.");
  }
  return { id: key, scopes, is_demo, requests_per_minute, organization_id };
}

/** A client token, which stands in for the key that minted it as long as both are good. */
async function locateClientToken(house: House, token: string): Promise<Located> {
  const claims = await readClientToken(token, wall());
  if (typeof claims === 'string') throw invalidToken(claims);
  const place = await house.store.locate('client_tokens', claims.id);
  if (!place) throw invalidToken('The client token is unknown.');
  return {
    world: place.world,
    recreated: false,
    caller(tx) {
      const row = tx.get('client_tokens', place.id);
      if (!row || tx.get('keys', row.key_id)?.revoked) throw invalidToken('The key of the client token is revoked.');
      return callerOf(tx, row.key_id, row);
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

/** The world that a key would be served in, for the journal of a request that failed before; makes none. */
export async function worldOfKey(house: House, authorization: string | undefined): Promise<string | undefined> {
  const key = tokenOf(authorization);
  if (key === undefined) return undefined;
  const testWorld = worldOfTestKey(key);
  if (testWorld !== undefined) return (await house.store.world(testWorld)) ? testWorld : undefined;
  if (isJwt(key)) return (await house.store.locate('client_tokens', (await claimedId(key)) ?? ''))?.world;
  return (await house.store.locate('keys', hashOfKey(key)))?.world;
}

/** The token of an `Authorization: Bearer` header. */
export function bearerOf(authorization: string | undefined): string {
  if (authorization === undefined) {
    throw new ApiError('unauthorized', {
      message: 'The request carries no API key.',
      headers: { 'WWW-Authenticate': CHALLENGE },
    });
  }
  const key = tokenOf(authorization);
  if (key !== undefined) return key;
  const message = 'The Authorization header is not of the form `Bearer <API_KEY>`.';
  // RFC 6750, section 3.1: a client that tried another scheme is told no error, as one that tried none.
  if (!/^Bearer\b/i.test(authorization)) {
    throw new ApiError('unauthorized', { message, headers: { 'WWW-Authenticate': CHALLENGE } });
  }
  throw invalidToken(message);
}

export function invalidToken(message = 'The API key is unknown or revoked.'): ApiError {
  return new ApiError('unauthorized', {
    message,
    headers: { 'WWW-Authenticate': INVALID_TOKEN },
  });
}

/** The key needs any one of the operation's scopes. */
export function authorize({ caller, operation }: Exchange, status: number): void {
  if (!caller || !operation || operation.asksFor === 'source') return;
  if (operation.scopes.some((scope) => caller.scopes.includes(scope))) return;
  const needed = operation.scopes.join(' or ');
  throw new ApiError('scope_missing', {
    status,
    message: `This operation needs the scope ${needed}, which the key lacks.`,
    headers: { 'WWW-Authenticate': insufficientScope(operation.scopes) },
    assumption: operation.scopesAssumed ? 'operation_scopes, scope_missing_status' : 'scope_missing_status',
  });
}

/** The control header's scenario: known to this world, its parameters right, and of the kind that is set going. */
export function checkScenario(exchange: Exchange, kind: string | undefined): void {
  const use = exchange.controls.scenario;
  const { scenarios } = exchange;
  if (!use || !scenarios) return;
  const header = 'X-Sandbox-Scenario';
  const scenario = scenarios.get(use.name);
  if (!scenario) {
    const known = scenarios.all().filter((each) => kind === undefined || each.kind === kind);
    const names = known.map(({ name }) => name);
    throw invalidField(
      header,
      `there is no scenario "${use.name}"; one of ${names.join(', ')}${nearest(use.name, names)}`,
    );
  }
  const problem = parameterProblem(scenario, use);
  if (problem) throw invalidField(header, problem);
  if (kind !== undefined && scenario.kind !== kind) {
    throw invalidField(
      header,
      `"${use.name}" is a scenario of the kind ${scenario.kind}; this request plays one of the kind ${kind}`,
    );
  }
}
