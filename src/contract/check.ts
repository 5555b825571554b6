// Validates values against the schemas of the contract: webhook bodies, sample events and, in the tests, responses.
// Schemas are compiled on first use, once per process.
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { loadContract, type Schemas } from './document.ts';
import { quickToCompile } from './quick-to-compile.ts';

let ajv: Ajv2020 | undefined;
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

function compiler(): Ajv2020 {
  if (!ajv) {
    ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true, code: quickToCompile });
    addFormats.default(ajv, { mode: 'full' });
    ajv.addSchema(loadContract().document, 'openapi.yaml');
  }
  return ajv;
}

function dotted(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.');
}
