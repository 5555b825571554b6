// Values that a schema of the contract does not allow, made from the schema: each of a wrong type, too long, too short,
// of a wrong form. What is made is asked of the contract itself before it is used, so that none of them is right.
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { Schema } from './operations.ts';

export interface InvalidValue {
  /** What is wrong with it, as a test's name says it. */
  readonly what: string;
  readonly value: unknown;
  /** Where in the field it is wrong: `.0` for an item; empty for the field itself. */
  readonly at: string;
}

const ajv = new Ajv({ strict: false });
addFormats.default(ajv, { mode: 'full' });

/** As JSON Schema has it: with null among the types where the contract says nullable, and `allOf` of one taken in. */
function plain(schema: Schema): Schema {
  const { allOf, ...own } = schema;
  return Object.assign({}, ...(allOf ?? []).map(plain), own);
}

function allows(schema: Schema, value: unknown): boolean {
  const { nullable, example: _, ...rest } = schema;
  if (value === null && nullable) return true;
  return ajv.validate(rest, value) as boolean;
}

const oneOfEachType: readonly [type: string, value: unknown][] = [
  ['a string', 'text'],
  ['a number', 7.5],
  ['a boolean', true],
  ['a list', []],
  ['an object', {}],
  ['null', null],
];

/** Texts that have hardly any form; those that a schema forbids are of a wrong form for it. */
const formless = ['not it', '???', ' ', '2026-13-45T00:00:00Z', '\n', '@', 'http://', '+', '/'];

/** Wrong values for a field of that schema; empty only for one that allows everything. */
export function invalidValues(given: Schema): InvalidValue[] {
  const schema = plain(given);
  const here = (what: string, value: unknown): InvalidValue => ({ what, value, at: '' });
  const typed = oneOfEachType.map(([name, value]) => here(`${name} in place of ${typeName(schema)}`, value));
  return [
    ...typed,
    ...lengths(schema),
    ...forms(schema),
    ...bounds(schema),
    ...lists(schema),
    ...nested(schema),
  ].filter(({ value }) => !allows(schema, value));
}

const typeName = ({ type = 'anything', nullable }: Schema): string => (nullable ? `${type} or null` : type);

function lengths({ minLength = 0, maxLength }: Schema): InvalidValue[] {
  const short = minLength > 0 ? [{ what: `shorter than ${minLength}`, value: 'x'.repeat(minLength - 1), at: '' }] : [];
  if (maxLength === undefined) return short;
  return [...short, { what: `longer than ${maxLength}`, value: 'x'.repeat(maxLength + 1), at: '' }];
}

/** One text that breaks the form, and nothing else where there is one. */
function forms({ pattern, format, enum: list, maxLength = 100, minLength = 0 }: Schema): InvalidValue[] {
  if (pattern === undefined && format === undefined && list === undefined) return [];
  const fitting = formless.filter((text) => text.length >= minLength && text.length <= maxLength);
  const form = { type: 'string', ...(pattern ? { pattern } : {}), ...(format ? { format } : {}) };
  const wrong = fitting.filter((text) => !allows({ ...form, ...(list ? { enum: list } : {}) }, text));
  return wrong.map((value) => ({ what: `of a wrong form (${JSON.stringify(value)})`, value, at: '' }));
}

function bounds({ type, minimum, maximum }: Schema): InvalidValue[] {
  if (type !== 'integer' && type !== 'number') return [];
  return [
    ...(minimum === undefined ? [] : [{ what: `less than ${minimum}`, value: minimum - 1, at: '' }]),
    ...(maximum === undefined ? [] : [{ what: `more than ${maximum}`, value: maximum + 1, at: '' }]),
  ];
}

function lists({ type, items, minItems = 0, maxItems, uniqueItems }: Schema): InvalidValue[] {
  if (type !== 'array' || !items) return [];
  const item = plain(items);
  const right = [item.example ?? item.enum?.[0] ?? formed(item, 0), item.enum?.[1] ?? formed(item, 1)];
  const wrong: InvalidValue[] = [];
  if (minItems > 0) wrong.push({ what: `fewer than ${minItems} items`, value: [], at: '' });
  if (maxItems !== undefined) {
    const many = Array.from({ length: maxItems + 1 }, (_, at) => formed(item, at));
    wrong.push({ what: `more than ${maxItems} items`, value: many, at: '' });
  }
  if (uniqueItems) wrong.push({ what: 'the same item twice', value: [right[0], right[0]], at: '' });
  const [first] = right;
  for (const { what, value } of invalidValues(item))
    wrong.push({ what: `an item that is ${what}`, value: [first, value], at: '.1' });
  return wrong;
}

/** A text of the forms that items of lists have: a number of E.164 form, a UUID, or any. */
function formed({ pattern, format }: Schema, at: number): string {
  if (pattern !== undefined) return `+1415${String(5_550_000 + at).padStart(7, '0')}`;
  return format === 'uuid' ? `00000000-0000-4000-8000-${String(at).padStart(12, '0')}` : `text ${at}`;
}

function nested({ type, properties = {}, required = [] }: Schema): InvalidValue[] {
  if (type !== 'object') return [];
  const missing = required.map((name) => ({ what: `without ${name}`, value: {}, at: `.${name}` }));
  const inner = Object.entries(properties).flatMap(([name, schema]) =>
    invalidValues(schema).map(({ what, value, at }) => ({
      what: `with ${name} ${what}`,
      value: { [name]: value },
      at: `.${name}${at}`,
    })),
  );
  return [...missing, ...inner];
}
