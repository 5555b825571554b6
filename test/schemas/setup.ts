// What the tests of the JSON Schemas share: the schema of the package, compiled as strictly as it allows.
import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { parse } from 'yaml';

export const schemaOf = (name: 'scenario' | 'fixture'): object =>
  JSON.parse(readFileSync(`schemas/${name}.schema.json`, 'utf8'));

/** Unknown keywords are refused; types may be given apart from the keywords that belong to them. */
export const compiled = (name: 'scenario' | 'fixture'): ValidateFunction =>
  new Ajv({ allErrors: true, strictTypes: false, strictRequired: false }).compile(schemaOf(name));

/** What an editor would underline in a text, as dotted paths. */
export function underlined(validate: ValidateFunction, text: string): string[] {
  validate(parse(text));
  return (validate.errors ?? []).map(({ instancePath }) => instancePath.slice(1).replaceAll('/', '.'));
}
