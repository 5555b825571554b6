// The checks between authentication and the body, in the order of `interface.md` section 3: the scenario that a control
// header names, an injected error, the rate limit, the scope.
import { assumed } from '../assumptions/catalogue.ts';
import { ApiError, invalidField } from '../errors/api-error.ts';
import { INVALID_TOKEN, insufficientScope } from '../errors/bearer.ts';
import type { SynchronousCode } from '../errors/catalogue.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { scriptedError } from '../errors/scripted-error.ts';
import { parameterProblem } from '../scenarios/reference.ts';
import { refuseExceeded } from './rate-limit.ts';
import type { AuthenticatedRequest } from './stages.ts';

/** `X-Sandbox-Fault: …;when=before`: the connection is broken before the request has any effect. */
export class BrokenBefore extends Error {}

export function checkAccess(request: AuthenticatedRequest): void {
  checkScenario(request);
  const { error, fault } = request.controls;
  if (fault?.when === 'before') throw new BrokenBefore();
  if (error) throw injectedError(request, error);
  refuseExceeded(request.entered.rate);
  checkScope(request);
}

/** The scenario must exist in this world, take the parameters given, and be of the kind that the operation plays. */
function checkScenario({ route, controls, entered: { scenarios } }: AuthenticatedRequest): void {
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

/** The error that `X-Sandbox-Error` asks for, as if it had occurred naturally. */
function injectedError(request: AuthenticatedRequest, code: SynchronousCode): ApiError {
  switch (code) {
    case 'unauthorized':
      return new ApiError(code, { headers: { 'WWW-Authenticate': INVALID_TOKEN } });
    case 'scope_missing':
      return new ApiError(code, {
        status: scopeStatus(request),
        headers: { 'WWW-Authenticate': insufficientScope(request.route.contract.scopes) },
        assumption: 'scope_missing_status',
      });
    default:
      return scriptedError(code);
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

const scopeStatus = ({ entered }: AuthenticatedRequest): number =>
  Number(assumed(entered.assumptions, 'scope_missing_status'));
