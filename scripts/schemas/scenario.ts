// The JSON Schema of scenario files. What a kind allows (its triggers and their input, statuses, fields of its records)
// comes from the lifecycle and the contract, by which the loader checks it too.
import { loadContract } from '../../src/contract/document.ts';
import { findNode, isNode, type Node, nodesIn, stringsIn } from '../../src/contract/nodes.ts';
import { lifecycleOfKind, scenarioKinds } from '../../src/lifecycles/index.ts';
import { type NamedLifecycle, statusAfter } from '../../src/lifecycles/lifecycle.ts';
import { alternatives } from '../../src/scenarios/expected-record.ts';
import { ScenarioLibrary } from '../../src/scenarios/library.ts';
import { scenarioFile } from '../../src/scenarios/scenario.ts';
import { at, draft7, schemaText } from './json-schema.ts';

/** What stands for a parameter. */
const parameter = { type: 'string', pattern: '^\\$' };

export function scenarioSchemaText(): string {
  const { definitions, ...file } = draft7(scenarioFile);
  const properties = at(file, 'properties');
  const { $ref } = at(properties, 'timeline', 'items');
  // zod's name of the one recursive definition: an entry of a timeline.
  const entry = at(definitions, String($ref).replace('#/definitions/', ''));
  const kinds = scenarioKinds.map((kind) => ({ kind, lifecycle: known(lifecycleOfKind(kind)) }));
  const schema = {
    ...file,
    properties: {
      ...properties,
      kind: { ...at(properties, 'kind'), enum: scenarioKinds },
      // What they hold depends on the kind, see below.
      timeline: { ...at(properties, 'timeline'), items: {} },
      choices: { ...at(properties, 'choices'), additionalProperties: { type: 'array', minItems: 1 } },
    },
    allOf: kinds.map(({ kind, lifecycle }) => ({
      if: { properties: { kind: { const: kind } }, required: ['kind'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: propertiesOf(kind, lifecycle) },
    })),
    definitions: Object.fromEntries(
      kinds.map(({ kind, lifecycle }) => [entryOf(kind), entrySchema(entry, kind, lifecycle)]),
    ),
  };
  return schemaText('Ringback scenario', 'What happens after a request to the sandbox.', schema);
}

const entryOf = (kind: string): string => `${kind}_entry`;
const toEntryOf = (kind: string): Node => ({ $ref: `#/definitions/${entryOf(kind)}` });

/** What the properties of a file can be in addition, by its kind. */
function propertiesOf(kind: string, lifecycle: NamedLifecycle): Node {
  const scenarios = new ScenarioLibrary().forWorld([]).all();
  return {
    extends: { examples: scenarios.filter((scenario) => scenario.kind === kind).map(({ name }) => name) },
    timeline: { items: toEntryOf(kind) },
    ...(kind === 'call' ? { choices: { additionalProperties: { items: toEntryOf(kind) } } } : { choices: false }),
    expect: {
      properties: {
        statuses: { items: { enum: Object.keys(lifecycle.transitions) } },
        record: recordSchema(lifecycle),
      },
    },
  };
}

/**
 * An entry of a timeline: a step or a branch. One schema for both, so that an editor says what is wrong with a step, and
 * not that it is neither.
 */
function entrySchema(entry: Node, kind: string, lifecycle: NamedLifecycle): Node {
  const [step, branch] = [at(entry, 'anyOf', '0'), at(entry, 'anyOf', '1')];
  const triggers = Object.keys(lifecycle.inputs);
  const ways = triggers.map((trigger) => `${trigger} (${transitionsOf(lifecycle, trigger).join(', ')})`);
  const options = at(branch, 'properties', 'branch');
  const option = at(options, 'items');
  const nested = { ...at(option, 'properties', 'timeline'), items: toEntryOf(kind) };
  return {
    type: 'object',
    properties: {
      ...at(step, 'properties'),
      trigger: {
        ...at(step, 'properties', 'trigger'),
        description: `What happens: ${ways.join(', ')}.`,
        enum: triggers,
      },
      branch: { ...options, items: { ...option, properties: { ...at(option, 'properties'), timeline: nested } } },
    },
    additionalProperties: false,
    if: { required: ['branch'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { maxProperties: 1 },
    else: { required: step.required },
    allOf: inputsOf(lifecycle).map(({ input, of }) => ({
      if: { properties: { trigger: { enum: of } }, required: ['trigger'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: input,
    })),
  };
}

/** The statuses that a trigger leads from and to. */
function transitionsOf(lifecycle: NamedLifecycle, trigger: string): string[] {
  return Object.keys(lifecycle.transitions).flatMap((from) => {
    const to = statusAfter(lifecycle, from, trigger);
    return to === undefined ? [] : `${from} → ${to}`;
  });
}

/** What steps take, and the triggers that take it. */
function inputsOf(lifecycle: NamedLifecycle): { readonly input: Node; readonly of: string[] }[] {
  const inputs = new Map<string, { input: Node; of: string[] }>();
  for (const trigger of Object.keys(lifecycle.inputs)) {
    const input = inputSchema(lifecycle, trigger);
    const key = JSON.stringify(input);
    inputs.set(key, { input, of: [...(inputs.get(key)?.of ?? []), trigger] });
  }
  return [...inputs.values()];
}

/** What a step with that trigger takes in `with`. A value of one word can be a parameter instead. */
function inputSchema(lifecycle: NamedLifecycle, trigger: string): Node {
  const { required, ...input } = draft7(known(lifecycle.inputs[trigger]));
  const fields = Object.entries(at(input, 'properties')).map(([name, field]) => {
    const isWord = isNode(field) && field.type === 'string' && field.enum !== undefined;
    return [name, isWord ? { anyOf: [field, parameter] } : field];
  });
  const isRequired = stringsIn(required).length > 0 ? { required } : {};
  const schema = { ...input, properties: Object.fromEntries(fields), ...isRequired };
  return { properties: { with: schema }, ...('required' in isRequired ? { required: ['with'] } : {}) };
}

/** The fields that a record has. */
function recordSchema({ schemas: names }: NamedLifecycle): Node {
  const { document } = loadContract();
  const schemas = nodesIn(names.map((name) => findNode(document, 'components', 'schemas', name)));
  const fields = schemas.flatMap((schema) => Object.keys(at(schema, 'properties')));
  const properties = fields.map((name) => {
    const forms = nodesIn(schemas.map((schema) => findNode(schema, 'properties', name)));
    const values = valuesOf(forms.flatMap((form) => alternatives(document, form)));
    const description = forms.map((form) => form.description).find((text) => typeof text === 'string');
    return [name, { ...(description ? { description } : {}), ...values }];
  });
  return { properties: Object.fromEntries(properties), additionalProperties: false };
}

/** The types of a field; the values themselves if they are words and null. */
function valuesOf(forms: readonly Node[]): Node {
  const type = [...new Set(forms.flatMap((form) => stringsIn(form.type)))];
  const areWords = forms.every((form) => form.type === 'null' || stringsIn(form.enum).length > 0);
  if (!areWords) return { type };
  return {
    enum: [...new Set(forms.flatMap((form) => stringsIn(form.enum))), ...(type.includes('null') ? [null] : [])],
  };
}

function known<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('a kind without a lifecycle, or a trigger without an input');
  return value;
}
