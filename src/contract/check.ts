// Validates values against the schemas of the contract: webhook bodies, sample events and, in the tests, responses.
// Schemas are compiled on first use, once per process.
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { loadContract, type Schemas } from './document.ts';
import { isNode, type Node } from './nodes.ts';

let ajv: Ajv | undefined;
const compiled = new Map<string, ValidateFunction>();

/** Validates a value against a component schema: one short sentence per violation, empty for a valid value. */
export function violations(schema: keyof Schemas, value: unknown): string[] {
  return violationsAt(`#/components/schemas/${schema}`, value);
}

/** Validates against any schema of the document, by JSON pointer (`#/paths/~1v1~1me/get/responses/200/…`). */
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
    ajv.addSchema(objectWithNulls(loadContract().document), 'openapi.yaml');
  }
  return ajv;
}

/** Turns OpenAPI 3.0's `nullable: true` into JSON Schema's `type: [string, null]`, and drops examples. */
function objectWithNulls({ nullable, example: _, ...rest }: Node): Node {
  const copy: Node = {};
  for (const [key, value] of Object.entries(rest)) copy[key] = withNulls(value);
  if (nullable === true && typeof copy.type === 'string') copy.type = [copy.type, 'null'];
  return copy;
}

function withNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNulls);
  return isNode(value) ? objectWithNulls(value) : value;
}

function dotted(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.');
}
