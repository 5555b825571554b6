// Generates clients/python/src/ringback/shapes.py: what the control API answers, as typed dictionaries of Python, from
// the same document that a server answers at `/_sandbox/openapi.json`.
import { describeControl } from '../src/control/openapi/document.ts';
import { controlNouns } from '../src/control/routes.ts';

type Schema = Readonly<Record<string, unknown>>;

/** What the Python client returns or takes; what these refer to comes with them. */
const ROOTS = [
  'Advance',
  'CallingRules',
  'Catalog',
  'Clock',
  'Coverage',
  'CreatedKey',
  'CreatedWorld',
  'Delivery',
  'DeliveryPlan',
  'ErrorDetail',
  'Event',
  'FaultToSet',
  'Health',
  'Key',
  'LeadSource',
  'RawAnswer',
  'RecordedRequest',
  'RequestVerification',
  'Scenario',
  'SignedSubscription',
  'Snapshot',
  'Tick',
  'Timeline',
  'World',
  'WorldFault',
  'Appointment',
  'Call',
  'Contact',
  'Message',
] as const;

const LINE = 120;
const plain: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};
const refOf = (schema: Schema): string | undefined => (schema.$ref as string | undefined)?.split('/').at(-1);
const quoted = (value: unknown): string => (value === null ? 'None' : JSON.stringify(value));

/** The type of a value, as an expression of Python. */
function typeOf(schema: Schema): string {
  const name = refOf(schema);
  if (name !== undefined) return `"${name}"`;
  if ('const' in schema) return `Literal[${quoted(schema.const)}]`;
  // A closed list of words; one that may grow is any text.
  if (Array.isArray(schema.enum) && !schema['x-open-enum']) return `Literal[${schema.enum.map(quoted).join(', ')}]`;
  const either = (schema.oneOf ?? schema.anyOf) as readonly Schema[] | undefined;
  if (either) return union(either.map(typeOf));
  const types = [schema.type].flat() as readonly string[];
  return union(types.map((type) => typeOfOne(type, schema)));
}

function typeOfOne(type: string, { items, additionalProperties }: Schema): string {
  if (type === 'array') return `List[${items ? typeOf(items as Schema) : 'Any'}]`;
  if (type === 'object') {
    const isTyped = typeof additionalProperties === 'object' && additionalProperties !== null;
    return `Dict[str, ${isTyped ? typeOf(additionalProperties as Schema) : 'Any'}]`;
  }
  return plain[type] ?? 'Any';
}

function union(types: readonly string[]): string {
  const each = [...new Set(types)];
  return each.includes('Any') ? 'Any' : each.length === 1 ? (each[0] as string) : `Union[${each.join(', ')}]`;
}

const comment = (schema: Schema): string =>
  typeof schema.description === 'string' ? schema.description.replace(/\s+/g, ' ').trim() : '';

/** Words at most as wide as a line of Python, each line with its indent. */
function wrapped(text: string, indent: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) as string;
    if (last !== '' && indent.length + last.length + word.length >= LINE) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.map((line) => indent + line);
}

const isName = (name: string): boolean => /^[A-Za-z]\w*$/.test(name) && !keywords.has(name);
const keywords = new Set(['as', 'class', 'def', 'from', 'global', 'if', 'import', 'in', 'is', 'not', 'or', 'with']);

/** One typed dictionary, in the form that takes any name if a field has one that Python keeps for itself. */
function dictionary(name: string, schema: Schema, names: readonly string[], parent: string, doc: string[]): string {
  const properties = schema.properties as Readonly<Record<string, Schema>>;
  const typed = names.map((each) => [each, typeOf(properties[each] as Schema)] as const);
  if (names.every(isName)) {
    const fields = typed.map(([each, type]) => `    ${each}: ${folded(type, '    ')}`);
    return [`class ${name}(${parent}):`, ...doc, ...(doc.length > 0 ? [''] : []), ...fields].join('\n');
  }
  const fields = typed.map(([each, type]) => `        "${each}": ${folded(type, '        ')},`);
  const total = parent.includes('total=False') ? '    total=False,\n' : '';
  const about = doc.map((line) => line.replaceAll('"""', '').replace(/^ {4}/, '# '));
  return [...about, `${name} = TypedDict(`, `    "${name}",`, '    {', ...fields, `    },\n${total})`].join('\n');
}

/** A long list of words, one word a line. */
function folded(type: string, indent: string): string {
  const words = /^Literal\[(.*)\]$/.exec(type)?.[1];
  if (words === undefined || type.length < 80) return type;
  return `Literal[\n${words.replace(/(^|, )(?=")/g, `$1\n${indent}    `).replace(/^\n|(?<=,) (?=\n)/g, '')},\n${indent}]`;
}

/** Python 3.10 can tell optional fields only by a class of their own. */
function classOf(name: string, schema: Schema): string {
  const required = (schema.required ?? []) as readonly string[];
  const names = Object.keys(schema.properties as object);
  const always = names.filter((each) => required.includes(each));
  const sometimes = names.filter((each) => !required.includes(each));
  const doc = wrapped(`"""${comment(schema) || `${name}.`}"""`, '    ');
  if (sometimes.length === 0) return dictionary(name, schema, always, 'TypedDict', doc);
  if (always.length === 0) return dictionary(name, schema, sometimes, 'TypedDict, total=False', doc);
  const base = dictionary(`_${name}`, schema, always, 'TypedDict', []);
  return `${base}\n\n\n${dictionary(name, schema, sometimes, `_${name}, total=False`, doc)}`;
}

const isClass = ({ type, properties }: Schema): boolean => type === 'object' && properties !== undefined;

function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = refOf(value as Schema);
  return [...(own === undefined ? [] : [own]), ...Object.values(value).flatMap(refsIn)];
}

/** Those of the roots and of all that they refer to, by name. */
function reachable(schemas: Readonly<Record<string, Schema>>): string[] {
  const found = new Set<string>();
  const waiting: string[] = [...ROOTS];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    const schema = schemas[name];
    if (!schema) throw new Error(`the control API has no schema ${name}`);
    found.add(name);
    waiting.push(...refsIn(schema));
  }
  return [...found].sort();
}

export function pythonShapes(): string {
  const document = describeControl(controlNouns, { version: '0', hasToken: false }) as {
    components: { schemas: Readonly<Record<string, Schema>> };
  };
  const { schemas } = document.components;
  const names = reachable(schemas);
  const classes = names.filter((name) => isClass(schemas[name] as Schema));
  const aliases = names.filter((name) => !isClass(schemas[name] as Schema));
  return [
    '# GENERATED from the schemas of the control API by `npm run generate`: what it answers, as typed dictionaries.',
    'from typing import Any, Dict, List, Literal, TypedDict, Union',
    '',
    ...aliases.map((name) => `${name} = ${folded(typeOf(schemas[name] as Schema), '')}`),
    ...classes.map((name) => `\n\n${classOf(name, schemas[name] as Schema)}`),
    '',
  ].join('\n');
}
