// Authentication and entry: a transaction reads the caller in its world and counts the request. `interface.md` section 3,
// the order of checks.
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { hasFaults } from '../faults/meet.ts';
import { overlaysOf } from '../scenarios/library.ts';
import { NoSuchWorld, type Tx } from '../store/store.ts';
import { StoreAway } from '../store/store-away.ts';
import { authenticate, type LocatedCaller } from './authenticate.ts';
import { locateSource } from './lead-source.ts';
import { countRequest, fullQuota } from './rate-limit.ts';
import { requestId } from './request-journal.ts';
import type { AuthenticatedRequest, ControlledRequest, Entered } from './stages.ts';

/** How often a world is entered that others delete at the same time. */
const ATTEMPTS = 20;

type Parts = Pick<SandboxContext, 'store' | 'worlds' | 'settings' | 'secrets' | 'scenarios'>;

/**
 * Authenticates the caller, enters its world and counts the request; `serve` goes on in the same transaction.
 * `unauthorized` without valid credentials.
 */
export async function enterWorld<T>(
  parts: Parts,
  { received, route, controls }: ControlledRequest,
  serve: (tx: Tx, request: AuthenticatedRequest) => T,
): Promise<{ readonly request: AuthenticatedRequest; readonly served: T }> {
  const { headers } = received.req;
  const locate = (): Promise<LocatedCaller> =>
    route.contract.credentials === 'source'
      ? locateSource(parts, route.params.url_token ?? '', headers['x-source-secret'])
      : authenticate(parts, headers.authorization);
  return enterLocated(locate, (located) =>
    parts.store.transaction(located.world, (tx) => {
      const request = { received, route, controls, entered: enteredOf(tx, parts, located) };
      return { request, served: serve(tx, request) };
    }),
  );
}

/** Enters the world of a caller. It may be deleted between the look-up and that, also by another process. */
export async function enterLocated<T>(
  locate: () => Promise<LocatedCaller>,
  enter: (located: LocatedCaller) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const located = await locate();
    try {
      return await enter(located);
    } catch (error) {
      // A test key creates it again.
      if (!(error instanceof NoSuchWorld)) throw error;
      if (attempt === ATTEMPTS) throw new StoreAway(`the world ${located.world} is gone whenever it is entered`, error);
    }
  }
}

function enteredOf(tx: Tx, { settings, scenarios }: Parts, { world, recreated, caller: read }: LocatedCaller): Entered {
  const caller = read(tx);
  return {
    world,
    recreated,
    caller,
    id: requestId(tx),
    at: tx.at,
    epoch: tx.state('epoch'),
    rate: settings.rateLimit ? countRequest(tx, caller) : fullQuota(caller, tx.systemTime),
    scenarios: scenarios.forWorld(overlaysOf(tx)),
    assumptions: tx.state('assumptions'),
    hasFaults: hasFaults(tx),
  };
}
