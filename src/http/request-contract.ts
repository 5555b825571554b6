// The contract reduced to what the validator checks in requests: no responses, no webhooks, no headers (the pipeline
// checks them), and no constraints on the fields that an operation checks itself.
import type { Operation, OperationId } from '../contract/document.ts';
import { childNodes, findNode, isNode, type Node, nodeAt, nodesIn, resolve, stringsIn } from '../contract/nodes.ts';

/** Fields that an operation checks itself, before the contract is consulted. */
export type OwnFields = (operation: OperationId) => readonly string[];

export function requestContract(document: Node, operations: Iterable<Operation>, ownFields: OwnFields): Node {
  const copy = structuredClone(document);
  for (const { id, path, method } of operations) {
    const node = nodeAt(copy, 'paths', path, method.toLowerCase());
    node.responses = { default: { description: 'any' } };
    node.parameters = nodesIn(node.parameters)
      .map((parameter) => resolve(copy, parameter))
      .filter((parameter) => parameter.in !== 'header');
    inlineBodies(copy, node);
    const fields = ownFields(id);
    if (fields.length > 0) removeConstraints(copy, node, fields);
  }
  applyFormats(copy);
  const used = referencesFrom(copy, nodeAt(copy, 'paths'));
  const kept = (section: string): Node =>
    Object.fromEntries(
      Object.entries(nodeAt(copy, 'components', section)).filter(([name]) =>
        used.has(`#/components/${section}/${name}`),
      ),
    );
  return { ...copy, webhooks: undefined, components: { schemas: kept('schemas'), parameters: kept('parameters') } };
}

/** Gives an operation the schemas of its bodies in place of references, which the validator would compile to look them up. */
function inlineBodies(document: Node, operation: Node): void {
  for (const [, media] of childNodes(findNode(operation, 'requestBody', 'content'))) {
    media.schema = resolve(document, nodeAt(media, 'schema'));
  }
}

/** Turns `x-format`, a format that only the server checks, into `format`. Files are measured by their operation,
 * decoded, since counting their characters takes longer than other requests may wait. */
function applyFormats(node: unknown): void {
  if (Array.isArray(node)) return node.forEach(applyFormats);
  if (!isNode(node)) return;
  if (node['x-format'] !== undefined) node.format = node['x-format'];
  if (node.format === 'byte') {
    delete node.minLength;
    delete node.maxLength;
  }
  Object.values(node).forEach(applyFormats);
}

/** Removes the constraints on these fields of an operation's body. */
function removeConstraints(document: Node, operation: Node, fields: readonly string[]): void {
  const media = nodeAt(operation, 'requestBody', 'content', 'application/json');
  const schema = structuredClone(resolve(document, nodeAt(media, 'schema')));
  schema.required = stringsIn(schema.required).filter((name) => !fields.includes(name));
  const properties = nodeAt(schema, 'properties');
  for (const name of fields) properties[name] = {};
  media.schema = schema;
}

/** Every `$ref` that can be reached from a node. */
function referencesFrom(document: Node, start: Node): ReadonlySet<string> {
  const used = new Set<string>();
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(collect);
    if (!isNode(value)) return;
    const { $ref } = value;
    if (typeof $ref === 'string' && !used.has($ref)) {
      used.add($ref);
      collect(resolve(document, value));
    }
    Object.values(value).forEach(collect);
  };
  collect(start);
  return used;
}
