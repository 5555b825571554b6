// The contract as OpenAPI 3.0, for tools that do not read 3.1. It is derived from openapi.yaml at build time, or here
// if the build is older than the contract.
import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { yaml } from '../lazy-modules.ts';
import { packageFile } from '../package-files.ts';
import { childNodes, findNode, isNode, type Node, nodeAt, nodesIn, resolve, stringsIn } from './nodes.ts';

const derived = new Map<string, string>();

/** The text of the derived document for the text of openapi.yaml. */
export function openapi30(text: string): string {
  const known = derived.get(text) ?? builtFor(text) ?? deriveOpenapi30(text);
  derived.set(text, known);
  return known;
}

/** The first line names the contract that the rest is derived from. */
const heading = (text: string): string =>
  `# Derived from openapi.yaml (SHA-256 ${hash('sha256', text, 'hex')}). Change that file instead.\n`;

function builtFor(text: string): string | undefined {
  const file = packageFile('dist/openapi-3.0.yaml');
  const built = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return built.startsWith(heading(text)) ? built : undefined;
}

export function deriveOpenapi30(text: string): string {
  const document: unknown = yaml().parse(text);
  if (!isNode(document)) throw new Error('openapi.yaml: must be an object');
  const { webhooks, ...rest } = document;
  if (isNode(webhooks)) addCallbacks(document, webhooks);
  allowNull(document);
  const converted = { ...withoutNulls(document, rest), openapi: '3.0.3' };
  return heading(text) + yaml().stringify(converted, { aliasDuplicateObjects: false, lineWidth: 120, version: '1.1' });
}

/** OpenAPI 3.0 has no `webhooks`: they become callbacks of the operation that subscribes to them. */
function addCallbacks(document: Node, webhooks: Node): void {
  const subscribe = nodeAt(document, 'paths', '/api/v1/webhook_subscriptions', 'post');
  const callbacks = childNodes(webhooks).map(([type, item]) => [type, { '{$request.body#/webhook_url}': item }]);
  subscribe.callbacks = { ...findNode(subscribe, 'callbacks'), ...Object.fromEntries(callbacks) };
}

function withoutNulls(document: Node, node: Node): Node {
  if (typeof node.$ref === 'string') return reference(node);
  const copy: Node = {};
  for (const [key, value] of Object.entries(node)) {
    copy[key] = key === 'security' ? withoutScopes(value) : isLiteral(key) ? value : convert(document, value);
  }
  return nullable(document, copy);
}

/** Values, not descriptions of values. */
const isLiteral = (key: string): boolean => key === 'example' || key === 'value';

function convert(document: Node, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => convert(document, item));
  return isNode(value) ? withoutNulls(document, value) : value;
}

/** Nothing may stand next to a reference. */
function reference({ $ref, ...beside }: Node): Node {
  return Object.keys(beside).length === 0 ? { $ref } : { ...beside, allOf: [{ $ref }] };
}

/** `type: [string, "null"]` and `oneOf` a reference and null become `nullable`. */
function nullable(document: Node, schema: Node): Node {
  if (Array.isArray(schema.type)) {
    const [type] = stringsIn(schema.type).filter((name) => name !== 'null');
    return { ...schema, type, nullable: true };
  }
  const { oneOf, ...rest } = schema;
  const target = nullableTarget(oneOf);
  // `nullable` has a meaning only next to a type.
  return target ? { ...rest, type: resolve(document, target).type, nullable: true, allOf: [target] } : schema;
}

/** What `oneOf` a reference and null refers to. */
function nullableTarget(oneOf: unknown): Node | undefined {
  const alternatives = nodesIn(oneOf);
  const [target] = alternatives.filter(({ type }) => type !== 'null');
  return alternatives.length === 2 ? target : undefined;
}

/** `nullable` next to a reference allows null only if what it refers to does, which in an enum is a value. */
function allowNull(document: Node): void {
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (!isNode(node)) return;
    const target = nullableTarget(node.oneOf);
    if (target) {
      const schema = resolve(document, target);
      schema.nullable = true;
      if (Array.isArray(schema.enum) && !schema.enum.includes(null)) schema.enum.push(null);
    }
    Object.values(node).forEach(walk);
  };
  walk(document);
}

/** Only OAuth 2 has scopes in 3.0; any one way of authentication is listed once. */
function withoutScopes(value: unknown): unknown {
  const names = nodesIn(value).flatMap((requirement) => Object.keys(requirement));
  return [...new Set(names)].map((name) => ({ [name]: [] }));
}
