// The schemas of the control API's document: zod's as JSON Schema, and the platform's as the contract defines them.
import { z } from 'zod';
import { loadContract } from '../../contract/document.ts';
import { isNode, type Node, nodeAt } from '../../contract/nodes.ts';
import { allErrors } from '../../errors/catalogue.ts';
import { keysOf } from '../../typed-keys.ts';
import { type AnswerName, answers } from '../answers/index.ts';

const AT = '#/components/schemas/';
const toComponent = (name: string): Node => ({ $ref: `${AT}${name}` });

/** A reference to an answer; a resource of the platform has the contract's name. */
export const toAnswer = (name: AnswerName): Node => toComponent(componentOf(answers[name]) ?? name);

/** The component that a schema stands for, see `fields.ts`. */
function componentOf(schema: z.ZodType): string | undefined {
  const name = schema.meta()?.component;
  return typeof name === 'string' ? name : undefined;
}

/** The schema of a body or a query as a client sends it. Fields that are not built yet are left out. */
export function inputSchema(schema: z.ZodType): Node {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (!(zodSchema instanceof z.ZodObject)) return;
      for (const [name, field] of Object.entries(zodSchema.shape))
        if (isUnbuilt(field)) delete jsonSchema.properties?.[name];
    },
  });
  return tidyObject({ ...json });
}

const isUnbuilt = (field: unknown): boolean =>
  field instanceof z.ZodOptional && field.unwrap() instanceof z.ZodUndefined;

/** Every named schema to which these parts of the document refer, sorted: these bodies, answers, and the contract's. */
export function schemasFor(parts: readonly Node[], bodies: Node): Node {
  const own: Node = { ...ownSchemas(), ...bodies };
  const used: Node = {};
  const add = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(add);
    if (!isNode(node)) return;
    const name = typeof node.$ref === 'string' && node.$ref.startsWith(AT) ? node.$ref.slice(AT.length) : undefined;
    if (name !== undefined && used[name] === undefined) {
      used[name] = own[name] ?? fromContract(name);
      add(used[name]);
    }
    Object.values(node).forEach(add);
  };
  add(parts);
  return Object.fromEntries(Object.entries(used).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function ownSchemas(): Node {
  const registry = z.registry<{ id: string }>();
  for (const [name, schema] of Object.entries(answers)) {
    if (componentOf(schema) === undefined) registry.add(schema, { id: name });
  }
  const uri = (name: string): string => `${AT}${name}`;
  const { schemas } = z.toJSONSchema(registry, { io: 'output', unrepresentable: 'any', uri });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, tidyObject({ ...schema })]));
}

/** As the contract has it; the control API has an error code more. */
function fromContract(name: string): Node {
  const schema = nodeAt(loadContract().document, 'components', 'schemas', name);
  return name === 'ErrorCode' ? { ...schema, enum: keysOf(allErrors) } : schema;
}

function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  return isNode(value) ? tidyObject(value) : value;
}

/** What zod writes, in the words of the contract: references by name, nulls as types, no limits that every number has. */
function tidyObject({ $schema: _, $id: _id, propertyNames: _names, ...node }: Node): Node {
  const { component, description } = node;
  if (typeof component === 'string')
    return { ...(description === undefined ? {} : { description }), ...toComponent(component) };
  const copy: Node = {};
  for (const [key, value] of Object.entries(node)) copy[key] = tidy(value);
  if (copy.maximum === Number.MAX_SAFE_INTEGER) delete copy.maximum;
  if (copy.minimum === Number.MIN_SAFE_INTEGER) delete copy.minimum;
  if (copy.format !== undefined) delete copy.pattern;
  if (isNode(copy.additionalProperties) && Object.keys(copy.additionalProperties).length === 0)
    copy.additionalProperties = true;
  return withNullInside(withTypesApart(copy));
}

/**
 * Several types as `anyOf`, since generators read a list of types as one that may be null. A value that is a word or a
 * number, or one or a list, has no field that could be a discriminator; forms that are objects have names.
 */
function withTypesApart({ type, ...node }: Node): Node {
  const types = Array.isArray(type) ? type.filter((each) => each !== 'null') : [];
  if (types.length < 2) return type === undefined ? node : { type, ...node };
  return { ...node, anyOf: types.map((each) => ({ type: each })) };
}

/** `anyOf` with null as JSON Schema has it for one type, for several, and for a reference. */
function withNullInside(node: Node): Node {
  const { anyOf, ...rest } = node;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return node;
  const [schema, other] = anyOf;
  if (!isNode(schema) || !isNode(other) || other.type !== 'null') return node;
  if (Array.isArray(schema.anyOf)) return { ...rest, anyOf: [...schema.anyOf, other] };
  if (typeof schema.type === 'string' && schema.enum === undefined)
    return { ...schema, ...rest, type: [schema.type, 'null'] };
  return { ...rest, oneOf: [schema, other] };
}
