// Finds the operation for a method and path, in a tree of path segments made from the contract. Paths are matched
// literally: case-sensitive, without a trailing slash.
import type { Method, Operation } from '../contract/document.ts';

interface Branch {
  readonly fixed: Map<string, Branch>;
  parameter?: { readonly name: string; readonly branch: Branch };
  readonly operations: Map<string, Operation>;
}

export interface Match {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
}

/** The path is known, the method is not. */
export interface WrongMethod {
  readonly allow: readonly string[];
}

export type Matcher = (method: string, path: string) => Match | WrongMethod | undefined;

export function createMatcher(operations: Iterable<Operation>): Matcher {
  const root = newBranch();
  for (const operation of operations) {
    let branch = root;
    for (const segment of operation.path.split('/').slice(1)) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      branch = name === undefined ? fixedBranch(branch, segment) : parameterBranch(branch, name);
    }
    branch.operations.set(operation.method, operation);
  }
  return (method, path) => {
    const params: Record<string, string> = {};
    let branch: Branch | undefined = root;
    for (const segment of path.split('/').slice(1)) {
      const fixed: Branch | undefined = branch.fixed.get(segment);
      if (fixed) {
        branch = fixed;
        continue;
      }
      const { parameter }: Branch = branch;
      if (!parameter || segment === '') return undefined;
      params[parameter.name] = decoded(segment);
      branch = parameter.branch;
    }
    const operation = branch.operations.get(method === 'HEAD' ? 'GET' : method);
    if (operation) return { operation, params };
    return branch.operations.size === 0 ? undefined : { allow: allowed(branch) };
  };
}

function newBranch(): Branch {
  return { fixed: new Map(), operations: new Map() };
}

function fixedBranch(branch: Branch, segment: string): Branch {
  let next = branch.fixed.get(segment);
  if (!next) {
    next = newBranch();
    branch.fixed.set(segment, next);
  }
  return next;
}

function parameterBranch(branch: Branch, name: string): Branch {
  branch.parameter ??= { name, branch: newBranch() };
  return branch.parameter.branch;
}

function allowed(branch: Branch): string[] {
  const methods: string[] = [...branch.operations.keys()];
  if (methods.includes('GET' satisfies Method)) methods.push('HEAD');
  return methods.sort();
}

/** An id that cannot be decoded matches no record; it stays as it was written. */
function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
