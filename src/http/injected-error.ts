// Errors that a control header or a fault of the world requests, as if they had occurred naturally.
import { assumed } from '../assumptions/catalogue.ts';
import { ApiError } from '../errors/api-error.ts';
import { INVALID_TOKEN, insufficientScope } from '../errors/bearer.ts';
import type { SynchronousCode } from '../errors/catalogue.ts';
import { scriptedError } from '../errors/scripted-error.ts';
import type { AuthenticatedRequest } from './stages.ts';

export function injectedError(request: AuthenticatedRequest, code: SynchronousCode): ApiError {
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

export const scopeStatus = ({ entered }: AuthenticatedRequest): number =>
  Number(assumed(entered.assumptions, 'scope_missing_status'));
