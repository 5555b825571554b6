// The `x-assumed` marks of the contract: which assumptions the responses of an operation rest on, and where each one is used.
import { childNodes, findNode, isNode, type Node, nodesIn, resolve, stringsIn } from './nodes.ts';

/**
 * The names on an operation and on everything in its success with this status, as the value of one header;
 * empty for an error, which names its own.
 */
export function assumptionsOfStatus(document: Node, operation: Node, status: number): string {
  if (status >= 400) return '';
  const names = new Set(stringsIn(operation['x-assumed']));
  addMarks(document, findNode(operation, 'responses', String(status)), names);
  return [...names].sort().join(', ');
}

/** Adds the names of all marks in a part of the document, and in what it refers to. */
function addMarks(document: Node, part: unknown, names: Set<string>): void {
  const seen = new Set<unknown>();
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (!isNode(node) || seen.has(node)) return;
    seen.add(node);
    const target = resolve(document, node);
    if (target !== node) return walk(target);
    for (const [key, value] of Object.entries(target)) {
      if (key === 'x-assumed') for (const name of stringsIn(value)) names.add(name);
      else walk(value);
    }
  };
  walk(part);
}

/** Where each assumption is used: operations as `GET /v1/calls`, webhooks as `webhook call_busy`, in the contract's order. */
export function usesByAssumption(document: Node): ReadonlyMap<string, readonly string[]> {
  const uses = new Map<string, string[]>();
  const add = (place: string, parts: readonly unknown[]): void => {
    const names = new Set<string>();
    for (const part of parts) addMarks(document, part, names);
    for (const name of names) uses.set(name, [...(uses.get(name) ?? []), place]);
  };
  for (const [path, item] of childNodes(findNode(document, 'paths'))) {
    for (const [method, operation] of childNodes(item)) {
      if (operation.operationId !== undefined)
        add(`${method.toUpperCase()} ${path}`, [operation, ...nodesIn(item.parameters)]);
    }
  }
  for (const [name, webhook] of childNodes(findNode(document, 'webhooks'))) add(`webhook ${name}`, [webhook]);
  const retired = findNode(document, 'x-retired');
  for (const path of stringsIn(retired?.paths)) add(path, [{ 'x-assumed': retired?.['x-assumed'] }]);
  return uses;
}
