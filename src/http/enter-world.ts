// May it be served now: whoever asks enters their world, and the request is counted, in one short transaction there; then
// scope and scenario. `interface.md` section 3, the order of checks.
import { systemNow, worldTime } from '../clock/clock.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError, invalidField } from '../errors/api-error.ts';
import { insufficientScope } from '../errors/bearer.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { overlaysOf } from '../scenarios/library.ts';
import { parameterProblem } from '../scenarios/reference.ts';
import { NoSuchWorld } from '../store/store.ts';
import { authenticate } from './authenticate.ts';
import { locateSource } from './lead-source.ts';
import { countRequest, fullQuota } from './rate-limit.ts';
import { type RequestContext, requestId } from './request-context.ts';

/** Authenticates, enters the world, counts the request. `unauthorized` where the key is none. */
export async function enterWorld(sandbox: SandboxContext, context: RequestContext): Promise<void> {
  for (;;) {
    const found =
      context.operation?.asksFor === 'source'
        ? await locateSource(sandbox, context)
        : await authenticate(sandbox, context.req.headers.authorization);
    try {
      await sandbox.store.transaction(found.world, (tx) => {
        context.caller = found.caller(tx);
        const at = worldTime(tx.state('clock'), systemNow());
        context.at = at;
        context.epoch = tx.state('epoch');
        context.assumptions = tx.state('assumptions');
        context.id = requestId(tx);
        context.rate = sandbox.settings.rateLimit ? countRequest(tx, context.caller, at) : fullQuota(context.caller);
        context.scenarios = sandbox.scenarios.forWorld(overlaysOf(tx));
      });
    } catch (error) {
      // The world went between the look-up and the transaction; a test key makes it anew.
      if (error instanceof NoSuchWorld) continue;
      throw error;
    }
    context.world = found.world;
    context.recreated = found.recreated;
    context.release?.();
    context.release = sandbox.worlds.acquire(found.world);
    return;
  }
}

/** The world that a control request speaks of: its key's, whatever the key may do, or `default` without a key. */
export async function enterControlWorld(
  sandbox: SandboxContext,
  authorization: string | undefined,
): Promise<{ world: string; recreated: boolean }> {
  if (authorization === undefined) return { world: 'default', recreated: false };
  const found = await authenticate(sandbox, authorization);
  await sandbox.store.transaction(found.world, (tx) => found.caller(tx));
  return found;
}

/** The key needs any one of the operation's scopes. */
export function authorize({ caller, operation }: RequestContext, status: number): void {
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
export function checkScenario(context: RequestContext, kind: string | undefined): void {
  const use = context.controls.scenario;
  const { scenarios } = context;
  if (!use || !scenarios) return;
  const header = 'X-Sandbox-Scenario';
  const scenario = scenarios.get(use.name);
  if (!scenario) {
    const known = scenarios.all().filter((each) => kind === undefined || each.kind === kind);
    const names = known.map(({ name }) => name);
    throw invalidField(
      header,
      `there is no scenario "${use.name}"; one of ${names.join(', ')}${didYouMean(use.name, names)}`,
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
