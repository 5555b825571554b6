// JSON Schemas for editors, from the definitions that check the same files. Draft 7, since the YAML language servers of
// all editors know it, and those of later drafts only lately.
import { z } from 'zod';
import { isNode, type Node } from '../../src/contract/nodes.ts';

/** A definition as JSON Schema: what a file may say. */
export function draft7(definition: z.ZodType): Node {
  const { $schema: _, ...schema } = z.toJSONSchema(definition, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      // Limits of every number in JavaScript.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (isNode(jsonSchema.propertyNames) && Object.keys(jsonSchema.propertyNames).length === 1)
        delete jsonSchema.propertyNames;
    },
  });
  return schema;
}

/** The node at a path, which must exist: the definition has changed if it does not. */
export function at(node: unknown, ...path: readonly string[]): Node {
  const found = path.reduce((inner: unknown, name) => {
    if (Array.isArray(inner)) return inner[Number(name)];
    return isNode(inner) ? inner[name] : undefined;
  }, node);
  if (!isNode(found)) throw new Error(`the schema has nothing at ${path.join('.')}`);
  return found;
}

/** The text of a schema file. */
export function schemaText(title: string, description: string, schema: Node): string {
  const $schema = 'http://json-schema.org/draft-07/schema#';
  return `${JSON.stringify({ $schema, title, description, ...schema }, null, 2)}\n`;
}
