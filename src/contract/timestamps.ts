// Finds the timestamps in responses and event bodies by their schema: the nodes that the contract marks with the
// assumption `timestamps`. Text that merely looks like one, such as in the body of a message, is not changed.
import { isJsonObject } from './json.ts';
import { childNodes, findNode, isNode, type Node, nodesIn, resolve, stringsIn } from './nodes.ts';

export type Format = (timestamp: string) => string;

/** Returns the value with its timestamps formatted; the value itself is not changed. */
export type Rewrite = (value: unknown, format: Format) => unknown;

const formatted: Rewrite = (value, format) => (typeof value === 'string' ? format(value) : value);

/** How to rewrite values of a schema; undefined if they have no timestamps. `above`: the schemas that contain it. */
export function timestampRewriter(document: Node, schema: unknown, above: readonly Node[] = []): Rewrite | undefined {
  if (!isNode(schema)) return undefined;
  const node = resolve(document, schema);
  if (above.includes(node)) return undefined;
  if (stringsIn(node['x-assumed']).includes('timestamps')) return formatted;
  const within = [...above, node];
  const parts = [
    ...['allOf', 'oneOf', 'anyOf']
      .flatMap((key) => nodesIn(node[key]))
      .map((part) => timestampRewriter(document, part, within)),
    inProperties(document, node, within),
    inItems(timestampRewriter(document, node.items, within)),
  ].filter((part) => part !== undefined);
  if (parts.length === 0) return undefined;
  return (value, format) => parts.reduce((rewritten, part) => part(rewritten, format), value);
}

function inProperties(document: Node, node: Node, within: readonly Node[]): Rewrite | undefined {
  const fields = childNodes(findNode(node, 'properties')).flatMap(([name, schema]) => {
    const rewrite = timestampRewriter(document, schema, within);
    return rewrite ? [{ name, rewrite }] : [];
  });
  if (fields.length === 0) return undefined;
  return (value, format) => {
    if (!isJsonObject(value)) return value;
    const copy = { ...value };
    for (const { name, rewrite } of fields) if (Object.hasOwn(copy, name)) copy[name] = rewrite(copy[name], format);
    return copy;
  };
}

function inItems(rewrite: Rewrite | undefined): Rewrite | undefined {
  if (!rewrite) return undefined;
  return (value, format) => (Array.isArray(value) ? value.map((item) => rewrite(item, format)) : value);
}
