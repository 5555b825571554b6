// The first check of the pipeline: 404 for an unknown path, 405 with `Allow` for an unknown method.
import type { Contract } from '../contract/document.ts';
import { ApiError } from '../errors/api-error.ts';
import { didYouMeanPath } from '../errors/did-you-mean.ts';
import { operationFor } from '../operations/index.ts';
import { BODY_LIMIT } from './body.ts';
import { createMatcher } from './match.ts';
import { createRetiredPaths } from './retired.ts';
import type { MatchedRequest, ReceivedRequest } from './stages.ts';

export function createOperationFinder(contract: Contract): (request: ReceivedRequest) => MatchedRequest {
  const match = createMatcher(contract.operations.values());
  const refusalOfRetired = createRetiredPaths(contract);
  return ({ received }) => {
    const { path } = received;
    const { method } = received.req;
    const found = match(method, path);
    if (!found) throw refusalOfRetired(path) ?? unknownPath(contract, method, path);
    if ('allow' in found) throw wrongMethod(path, method, found.allow);
    const { operation, params } = found;
    const implementation = operationFor(operation.id);
    const bodyLimit = operation.maxBodyBytes ?? BODY_LIMIT;
    return { received, route: { contract: operation, implementation, params, bodyLimit } };
  };
}

/** Suggests only a path that takes the method: another one would be refused next. */
function unknownPath(contract: Contract, method: string, path: string): ApiError {
  const paths = [...contract.operations.values()]
    .filter((operation) => operation.method === method)
    .map((operation) => operation.path);
  return new ApiError('not_found', {
    message: `There is no path ${path.slice(0, 200)}${didYouMeanPath(path, paths)}`,
    hint: 'GET /openapi.yaml lists every path.',
  });
}

function wrongMethod(path: string, method: string, allow: readonly string[]): ApiError {
  const allowed = allow.join(', ');
  return new ApiError('method_not_allowed', {
    message: `${path.slice(0, 200)} does not support ${method}; allowed: ${allowed}.`,
    headers: { Allow: allowed },
  });
}
