// Changes that the platform may make without notice, applied to responses: fields and enum values that the contract
// does not have. The meaning of a response stays the same, so only enums marked with `x-open-enum` get other values:
// never a status, outcome or code.
import { isJsonObject } from './json.ts';
import { childNodes, findNode, isNode, type Node, nodesIn, resolve } from './nodes.ts';

/** Returns the changed value; the value itself is not changed. */
export type Drifter = (value: unknown) => unknown;

export const EXTRA_FIELD = 'sandbox_extra_field';
export const UNKNOWN_VALUE = 'sandbox_unknown_value';

/** Adds a field to every object whose fields the contract lists. A map from names to values is none of these. */
export function extraFields(document: Node, schema: unknown): Drifter | undefined {
  return drifterOf(document, schema, (node) =>
    isNode(node.properties)
      ? (value) => (isJsonObject(value) ? { ...value, [EXTRA_FIELD]: 'not in the contract' } : value)
      : undefined,
  );
}

/** Replaces the values of open enums, and adds one to a list of them. */
export function unknownEnums(document: Node, schema: unknown): Drifter | undefined {
  const isOpen = (node: Node): boolean => node['x-open-enum'] === true;
  return drifterOf(document, schema, (node) => {
    if (isOpen(node)) return (value) => (typeof value === 'string' ? UNKNOWN_VALUE : value);
    const items = isNode(node.items) ? resolve(document, node.items) : undefined;
    if (items && isOpen(items)) return (value) => (Array.isArray(value) ? [...value, UNKNOWN_VALUE] : value);
    return undefined;
  });
}

/** What `changeAt` returns for a node is applied to the values of that node, and to none within it. */
function drifterOf(
  document: Node,
  schema: unknown,
  changeAt: (node: Node) => Drifter | undefined,
  above: readonly Node[] = [],
): Drifter | undefined {
  if (!isNode(schema)) return undefined;
  const node = resolve(document, schema);
  if (above.includes(node)) return undefined;
  const change = changeAt(node);
  const within = [...above, node];
  const inside = (part: unknown): Drifter | undefined => drifterOf(document, part, changeAt, within);
  const isList = isNode(node.items);
  const parts = [
    ...['allOf', 'oneOf', 'anyOf'].flatMap((key) => nodesIn(node[key])).map(inside),
    inProperties(node, inside),
    change && isList ? undefined : inItems(inside(node.items)),
    change,
  ].filter((part) => part !== undefined);
  if (parts.length === 0) return undefined;
  return (value) => parts.reduce((changed, part) => part(changed), value);
}

function inProperties(node: Node, inside: (schema: Node) => Drifter | undefined): Drifter | undefined {
  const fields = childNodes(findNode(node, 'properties')).flatMap(([name, schema]) => {
    const change = inside(schema);
    return change ? [{ name, change }] : [];
  });
  if (fields.length === 0) return undefined;
  return (value) => {
    if (!isJsonObject(value)) return value;
    const copy = { ...value };
    for (const { name, change } of fields) if (Object.hasOwn(copy, name)) copy[name] = change(copy[name]);
    return copy;
  };
}

function inItems(change: Drifter | undefined): Drifter | undefined {
  return change && ((value) => (Array.isArray(value) ? value.map(change) : value));
}
