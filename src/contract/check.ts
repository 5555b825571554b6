// Component schemas of the contract as functions: what a webhook body, a fixture record or (in the tests) an answer is
// held against. Compiled on first use, once per process.
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { loadContract, type Node, type Schemas } from './document.ts';

let ajv: Ajv | undefined;
const compiled = new Map<string, ValidateFunction>();

/**
 * What is wrong with a value, by the component schema of that name: one short sentence each, empty where all is well.
 */
export function violations(schema: keyof Schemas, value: unknown): string[] {
  return violationsAt(`#/components/schemas/${schema}`, value);
}

/** The same for any schema of the document, by JSON pointer (`#/paths/~1v1~1me/get/responses/200/…`). */
export function violationsAt(pointer: string, value: unknown): string[] {
  let validate = compiled.get(pointer);
  if (!validate) {
    validate = compiler().compile({ $ref: `openapi.yaml${pointer}` });
    compiled.set(pointer, validate);
  }
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => `${dotted(error.instancePath)} ${error.message}`.trim());
}

function compiler(): Ajv {
  if (!ajv) {
    ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
    addFormats.default(ajv, { mode: 'full' });
    ajv.addSchema(withNulls(loadContract().document) as Node, 'openapi.yaml');
  }
  return ajv;
}

/** OpenAPI 3.0 says `nullable: true` where JSON Schema says `type: [string, null]`. */
function withNulls(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withNulls);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, example: _, ...rest } = node as Node;
  const copy = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withNulls(value)])) as Node;
  if (nullable === true && typeof copy.type === 'string') copy.type = [copy.type, 'null'];
  return copy;
}

function dotted(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.');
}
