// The first check of the pipeline: 404 for an unknown path, 405 with `Allow` for an unknown method.
import type { Contract } from '../contract/document.ts';
import { ApiError } from '../errors/api-error.ts';
import { didYouMeanPath } from '../errors/did-you-mean.ts';
import { operationFor } from '../operations/index.ts';
import { BODY_LIMIT } from './body.ts';
import { createMatcher } from './match.ts';
import { createRetiredPaths } from './retired.ts';
import type { AnyStage, MatchedRequest, ReceivedRequest } from './stages.ts';

export interface OperationFinder {
  find(request: ReceivedRequest): MatchedRequest;
  /** The same error; for a path in which the misspelt name of another path was taken for the id of a record, with that. */
  suggest(request: AnyStage, error: unknown): unknown;
}

export function createOperationFinder(contract: Contract): OperationFinder {
  const match = createMatcher(contract.operations.values());
  const refusalOfRetired = createRetiredPaths(contract);
  const takes = (method: string, path: string): boolean => 'operation' in (match(method, path) ?? {});
  /** Suggests only a path that takes the method: another one would be refused next. */
  const meant = (method: string, path: string): string => {
    const swapped = path.startsWith('/api/') ? path.slice('/api'.length) : `/api${path}`;
    if (takes(method, swapped)) return `; did you mean ${swapped}?`;
    const paths = [...contract.operations.values()].filter((each) => each.method === method).map((each) => each.path);
    return didYouMeanPath(path, paths, (other) => takes(method, other));
  };
  return {
    find({ received }) {
      const { method, path } = received;
      const found = match(method, path);
      if (!found) throw refusalOfRetired(path) ?? unknownPath(path, meant(method, path));
      if ('allow' in found) throw wrongMethod(path, method, found.allow, meant(method, path));
      const { operation, params } = found;
      const implementation = operationFor(operation.id);
      const bodyLimit = operation.maxBodyBytes ?? BODY_LIMIT;
      return { received, route: { contract: operation, implementation, params, bodyLimit } };
    },
    suggest(request, error) {
      if (!(error instanceof ApiError) || error.code !== 'not_found' || !('route' in request)) return error;
      const suggestion = meant(request.route.contract.method, request.received.path);
      if (suggestion === '') return error;
      const message = `${error.message.replace(/\.$/, '')}${suggestion}`;
      return new ApiError(error.code, { ...error.detail, message });
    },
  };
}

function unknownPath(path: string, suggestion: string): ApiError {
  return new ApiError('not_found', {
    message: `There is no path ${path.slice(0, 200)}${suggestion || '.'}`,
    hint: 'GET /openapi.yaml lists every path.',
    assumption: 'request_forms',
  });
}

function wrongMethod(path: string, method: string, allow: readonly string[], suggestion: string): ApiError {
  const allowed = allow.join(', ');
  return new ApiError('method_not_allowed', {
    message: `${path.slice(0, 200)} does not support ${method}; allowed: ${allowed}${suggestion || '.'}`,
    headers: { Allow: allowed },
    assumption: 'request_forms',
  });
}
