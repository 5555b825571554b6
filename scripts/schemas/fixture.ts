// The JSON Schema of fixture files. Names and values of assumptions come from the ledger, scopes and business details from
// the contract, by which the loader checks them too.
import { type Assumption, assumptions } from '../../src/assumptions/catalogue.ts';
import { settableNames } from '../../src/assumptions/values.ts';
import type { Node } from '../../src/contract/nodes.ts';
import { detailNames } from '../../src/fixtures/file/references.ts';
import { fixtureFile } from '../../src/fixtures/file/schema.ts';
import { allScopes } from '../../src/identity/api-keys.ts';
import { at, draft7, schemaText } from './json-schema.ts';

export function fixtureSchemaText(): string {
  const schema = draft7(fixtureFile);
  const properties = at(schema, 'properties');
  const ledger = at(properties, 'assumptions');
  ledger.properties = Object.fromEntries(settableNames.map((name) => [name, assumptionSchema(assumptions[name])]));
  ledger.additionalProperties = false;
  const scopes = at(properties, 'keys', 'items', 'properties', 'scopes', 'anyOf', '1', 'items');
  scopes.enum = allScopes();
  const details = at(properties, 'enterprises', 'items', 'properties', 'details');
  details.properties = Object.fromEntries(detailNames().map((name) => [name, details.additionalProperties]));
  details.additionalProperties = false;
  return schemaText('Ringback fixture', 'What a world of the sandbox starts with.', schema);
}

function assumptionSchema({ rule, default: byDefault, allowed = [] }: Assumption): Node {
  const common = { description: rule, default: byDefault };
  // In YAML, null is the value and not the word.
  if (!('minimum' in allowed)) return { ...common, enum: allowed.map((value) => (value === 'null' ? null : value)) };
  const { minimum, maximum, or } = allowed;
  const range = { type: 'integer', minimum, maximum };
  return or === undefined ? { ...common, ...range } : { ...common, anyOf: [range, { const: or }] };
}
