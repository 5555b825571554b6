// Validates values against the schemas of the contract: webhook bodies, sample events and, in the tests, responses.
// Schemas are compiled on first use, once per process.
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { ajv, ajvFormats } from '../lazy-modules.ts';
import { loadContract, type Schemas } from './document.ts';
import { quickToCompile } from './quick-to-compile.ts';

let compiler: Ajv2020 | undefined;
const compiled = new Map<string, ValidateFunction>();

/** Validates a value against a component schema: one short sentence per violation, empty for a valid value. */
export function violations(schema: keyof Schemas, value: unknown): string[] {
  return violationsAt(`#/components/schemas/${schema}`, value);
}

/** Validates against any schema of the document, by JSON pointer (`#/paths/~1v1~1me/get/responses/200/…`). */
export function violationsAt(pointer: string, value: unknown): string[] {
  let validate = compiled.get(pointer);
  if (!validate) {
    validate = compile(pointer);
    compiled.set(pointer, validate);
  }
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => `${dotted(error.instancePath)} ${error.message}`.trim());
}

function compile(pointer: string): ValidateFunction {
  compiler ??= newCompiler();
  // Components refer to one another alone. To add the paths takes four times as long, and only tests ask for them.
  const { document } = loadContract();
  const isComponent = pointer.startsWith('#/components/');
  const file = isComponent ? 'components.yaml' : 'openapi.yaml';
  if (!(file in compiler.schemas))
    compiler.addSchema(isComponent ? { components: document.components } : document, file);
  return compiler.compile({ $ref: `${file}${pointer}` });
}

/** Without the schema of schemas, which takes longest to compile: whether the contract is valid is for its linter to say. */
function newCompiler(): Ajv2020 {
  const options = { strict: false, allErrors: true, meta: false, validateSchema: false, code: quickToCompile };
  const { Ajv2020 } = ajv();
  const formats = ajvFormats().default;
  // The package's types do not tell which of its formats are functions of text, as this one is.
  const { validate } = formats.get('date-time') as { validate: TextFormat };
  const isTimestamp: TextFormat = (text) => usualTimestamp.test(text) || validate(text);
  return formats(new Ajv2020(options), { mode: 'full' }).addFormat('date-time', isTimestamp);
}

type TextFormat = (text: string) => boolean;

/**
 * Timestamps as the sandbox writes them, on days that every month has. Events hold several, and the full check takes them
 * apart, for several times as long.
 */
const usualTimestamp = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

function dotted(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.');
}
