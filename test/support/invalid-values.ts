// Invalid values for a schema of the contract, made from the schema: of a wrong type, too long, too short, malformed.
// Each is checked against the schema, so none of them is valid by accident.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { quickToCompile } from '../../src/contract/quick-to-compile.ts';
import type { Schema } from './operations.ts';

export interface InvalidValue {
  /** What is wrong with it, for the title of the test. */
  readonly what: string;
  readonly value: unknown;
  /** The part of the field that is invalid: `.0` for an item; empty for the field itself. */
  readonly at: string;
}

const ajv = new Ajv2020({ strict: false, code: quickToCompile });
addFormats.default(ajv, { mode: 'full' });

/** A schema with its `allOf` merged into it. */
function merged(schema: Schema): Schema {
  const { allOf, ...own } = schema;
  return Object.assign({}, ...(allOf ?? []).map(merged), own);
}

/** Whether a schema allows a value; compile it once for all values, since that takes a millisecond. */
const allowedBy = (schema: Schema): ((value: unknown) => boolean) => ajv.compile(schema);

const oneOfEachType: readonly [type: string, value: unknown][] = [
  ['a string', 'text'],
  ['a number', 7.5],
  ['a boolean', true],
  ['an array', []],
  ['an object', {}],
  ['null', null],
];

/** Strings that match hardly any pattern or format. */
const malformed: readonly [what: string, text: string][] = [
  ['two words', 'not it'],
  ['question marks', '???'],
  ['a space', ' '],
  ['an instant that does not exist', '2026-13-45T00:00:00Z'],
  ['a line break', '\n'],
  ['an at sign', '@'],
  ['an address without a host', 'http://'],
  ['a plus sign', '+'],
  ['a slash', '/'],
];

/** Invalid values for a field of that schema; empty only if it allows everything. */
export function invalidValues(given: Schema): InvalidValue[] {
  const schema = merged(given);
  const here = (what: string, value: unknown): InvalidValue => ({ what, value, at: '' });
  const allows = allowedBy(schema);
  const typed = oneOfEachType.map(([name, value]) => here(`${name} in place of ${typeName(schema)}`, value));
  return [
    ...typed,
    ...lengths(schema),
    ...forms(schema),
    ...bounds(schema),
    ...arrays(schema),
    ...nested(schema),
  ].filter(({ value }) => !allows(value));
}

const typesOf = ({ type }: Schema): readonly string[] => [type ?? []].flat();
const typeName = (schema: Schema): string => typesOf(schema).join(' or ') || 'anything';

/** Not of files, which are measured when decoded. */
function lengths({ minLength = 0, maxLength, format }: Schema): InvalidValue[] {
  const short = minLength > 0 ? [{ what: `shorter than ${minLength}`, value: 'x'.repeat(minLength - 1), at: '' }] : [];
  if (maxLength === undefined || format === 'byte') return short;
  return [...short, { what: `longer than ${maxLength}`, value: 'x'.repeat(maxLength + 1), at: '' }];
}

/** Strings of an allowed length that break the pattern, format or enum. */
function forms({ pattern, format, enum: list, maxLength = 100, minLength = 0 }: Schema): InvalidValue[] {
  if (pattern === undefined && format === undefined && list === undefined) return [];
  const fitting = malformed.filter(([, text]) => text.length >= minLength && text.length <= maxLength);
  const form = { type: 'string', ...(pattern ? { pattern } : {}), ...(format ? { format } : {}) };
  const allows = allowedBy({ ...form, ...(list ? { enum: list } : {}) });
  return fitting
    .filter(([, text]) => !allows(text))
    .map(([what, value]) => ({ what: `malformed as ${what}`, value, at: '' }));
}

function bounds(schema: Schema): InvalidValue[] {
  const { minimum, maximum } = schema;
  if (!typesOf(schema).some((type) => type === 'integer' || type === 'number')) return [];
  return [
    ...(minimum === undefined ? [] : [{ what: `less than ${minimum}`, value: minimum - 1, at: '' }]),
    ...(maximum === undefined ? [] : [{ what: `more than ${maximum}`, value: maximum + 1, at: '' }]),
  ];
}

function arrays(schema: Schema): InvalidValue[] {
  const { items, minItems = 0, maxItems, uniqueItems } = schema;
  if (!typesOf(schema).includes('array') || !items) return [];
  const item = merged(items);
  const valid = [item.example ?? item.enum?.[0] ?? validItem(item, 0), item.enum?.[1] ?? validItem(item, 1)];
  const wrong: InvalidValue[] = [];
  if (minItems > 0) wrong.push({ what: `fewer than ${minItems} items`, value: [], at: '' });
  if (maxItems !== undefined) {
    const many = Array.from({ length: maxItems + 1 }, (_, at) =>
      // Of some values there are fewer.
      item.enum ? item.enum[at % item.enum.length] : validItem(item, at),
    );
    wrong.push({ what: `more than ${maxItems} items`, value: many, at: '' });
  }
  if (uniqueItems) wrong.push({ what: 'the same item twice', value: [valid[0], valid[0]], at: '' });
  const [first] = valid;
  for (const { what, value } of invalidValues(item))
    wrong.push({ what: `an item that is ${what}`, value: [first, value], at: '.1' });
  return wrong;
}

/** A valid item of an array: a phone number, a UUID, or any string. */
function validItem({ pattern, format }: Schema, at: number): string {
  if (pattern !== undefined) return `+1415${String(5_550_000 + at).padStart(7, '0')}`;
  return format === 'uuid' ? `00000000-0000-4000-8000-${String(at).padStart(12, '0')}` : `text ${at}`;
}

function nested(schema: Schema): InvalidValue[] {
  const { properties = {}, required = [] } = schema;
  if (!typesOf(schema).includes('object')) return [];
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
