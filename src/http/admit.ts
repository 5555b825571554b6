// May it be served now: whoever asks enters their world, and the request is counted, in one short transaction there; then
// scope and scenario. `interface.md` section 3, the order of checks.
import { timeOf, wall } from '../clock/clock.ts';
import type { House } from '../engine/house.ts';
import { ApiError, invalidField } from '../errors/api-error.ts';
import { insufficientScope } from '../errors/bearer.ts';
import { nearest } from '../errors/nearest.ts';
import { overlaysOf } from '../scenarios/library.ts';
import { parameterProblem } from '../scenarios/use.ts';
import { NoSuchWorld } from '../store/store.ts';
import { authenticate } from './authenticate.ts';
import { type Exchange, requestId } from './exchange.ts';
import { locateSource } from './lead-source.ts';
import { countRequest, fullQuota } from './rate-limit.ts';

/** Authenticates, enters the world, counts the request. `unauthorized` where the key is none. */
export async function admit(house: House, exchange: Exchange): Promise<void> {
  for (;;) {
    const found =
      exchange.operation?.asksFor === 'source'
        ? await locateSource(house, exchange)
        : await authenticate(house, exchange.req.headers.authorization);
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
  const found = await authenticate(house, authorization);
  await house.store.transaction(found.world, (tx) => found.caller(tx));
  return found;
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
