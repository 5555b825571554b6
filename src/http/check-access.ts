// The checks between authentication and the body, in the order of `interface.md` section 3: the scenario that a control
// header names, an injected error, the rate limit, the scope.
import { ApiError, invalidField } from '../errors/api-error.ts';
import { insufficientScope } from '../errors/bearer.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { parameterProblem } from '../scenarios/reference.ts';
import { injectedError, scopeStatus } from './injected-error.ts';
import { refuseExceeded } from './rate-limit.ts';
import type { AuthenticatedRequest } from './stages.ts';

/** The request ends before it has any effect: its connection breaks, or a fault of its world answers. */
export class StoppedBefore extends Error {}

/** What a control header or a fault of the world has in place of all further checks. */
export function stopBefore(request: AuthenticatedRequest): void {
  const { error, fault, faults } = request.controls;
  if (fault?.when === 'before' || faults?.before) throw new StoppedBefore();
  if (error) throw injectedError(request, error);
}

export function checkAccess(request: AuthenticatedRequest): void {
  refuseExceeded(request.entered.rate);
  checkScope(request);
}

/** The scenario must exist in this world, take the parameters given, and be of the kind that the operation plays. */
export function checkScenario({ route, controls, entered: { scenarios } }: AuthenticatedRequest): void {
  const reference = controls.scenario;
  if (!reference) return;
  const kind = route.implementation.plays?.kind;
  const header = 'X-Sandbox-Scenario';
  const scenario = scenarios.get(reference.name);
  if (!scenario) {
    const playable = scenarios.all().filter((other) => kind === undefined || other.kind === kind);
    const names = playable.map(({ name }) => name);
    throw invalidField(
      header,
      `there is no scenario "${reference.name}"; must be one of ${names.join(', ')}${didYouMean(reference.name, names)}`,
    );
  }
  const problem = parameterProblem(scenario, reference);
  if (problem) throw invalidField(header, problem);
  if (kind !== undefined && scenario.kind !== kind) {
    throw invalidField(
      header,
      `"${reference.name}" is a scenario of kind ${scenario.kind}; this request plays scenarios of kind ${kind}`,
    );
  }
}

/** The key needs any one of the operation's scopes. */
function checkScope(request: AuthenticatedRequest): void {
  const { credentials, scopes, scopesAssumed } = request.route.contract;
  if (credentials === 'source' || scopes.some((scope) => request.entered.caller.scopes.includes(scope))) return;
  throw new ApiError('scope_missing', {
    status: scopeStatus(request),
    message: `This operation needs the scope ${scopes.join(' or ')}, which the key lacks.`,
    headers: { 'WWW-Authenticate': insufficientScope(scopes) },
    assumption: scopesAssumed ? 'operation_scopes, scope_missing_status' : 'scope_missing_status',
  });
}
