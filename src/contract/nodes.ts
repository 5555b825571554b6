// Typed access to the nodes of openapi.yaml, which is plain data once parsed. A node that must exist but does not is an
// error in the contract, so the functions that need one throw.
import { isJsonObject } from './json.ts';

/** An object of the document; unlike other JSON it may be changed, before the document is used. */
export type Node = { [key: string]: unknown };

export function isNode(value: unknown): value is Node {
  return isJsonObject(value);
}

/** The object at this path below a node; undefined if there is none. */
export function findNode(node: Node, ...path: readonly string[]): Node | undefined {
  let found: unknown = node;
  for (const key of path) found = isNode(found) ? found[key] : undefined;
  return isNode(found) ? found : undefined;
}

/** The object at this path below a node; throws if there is none. */
export function nodeAt(node: Node, ...path: readonly string[]): Node {
  const found = findNode(node, ...path);
  if (!found) throw new Error(`openapi.yaml: ${path.join('.')} is missing`);
  return found;
}

/** The fields of a node that are objects, as entries. */
export function childNodes(node: Node | undefined): [string, Node][] {
  return Object.entries(node ?? {}).filter((entry): entry is [string, Node] => isNode(entry[1]));
}

/** The objects in an array; empty if the value is not an array. */
export function nodesIn(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The strings of a field that holds one string or several. */
export function stringsIn(value: unknown): string[] {
  return [value].flat().filter((item) => typeof item === 'string');
}

/** Follows a `$ref` within the document; throws if its target is missing. */
export function resolve(document: Node, node: Node): Node {
  if (typeof node.$ref !== 'string') return node;
  return resolve(document, nodeAt(document, ...node.$ref.slice(2).split('/')));
}
