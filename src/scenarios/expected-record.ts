// Checks whether a record can have the fields that a scenario expects at its end, by the contract, which defines the
// fields of each kind, their values and their form.
import { loadContract } from '../contract/document.ts';
import { findNode, isNode, type Node, nodesIn, resolve, stringsIn } from '../contract/nodes.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { describeValue } from '../errors/schema-errors.ts';
import type { NamedLifecycle } from '../lifecycles/lifecycle.ts';
import { parseUrl } from '../parse-url.ts';
import type { Path, Report } from '../yaml-with-locations.ts';

type Expected = Readonly<Record<string, unknown>>;

/**
 * Reports fields that the records of this kind do not have, and values that their fields cannot have. Returns those without
 * such a fault.
 */
export function checkRecordFields(
  expected: Expected,
  { kind, schemas: names }: NamedLifecycle,
  report: Report,
): Expected {
  const { document } = loadContract();
  const schemas = nodesIn(names.map((name) => findNode(document, 'components', 'schemas', name)));
  const faulty = new Set<unknown>();
  const noting: Report = (path, reason) => {
    faulty.add(path[2]);
    report(path, reason);
  };
  checkObject(document, schemas, expected, `of a ${kind}`, ['expect', 'record'], noting);
  return Object.fromEntries(Object.entries(expected).filter(([name]) => !faulty.has(name)));
}

/** Of several schemas, as a value may be shown in more than one form, any may have the field. */
function checkObject(
  document: Node,
  schemas: readonly Node[],
  value: Expected,
  whose: string,
  path: Path,
  report: Report,
): void {
  const known = [...new Set(schemas.flatMap((schema) => Object.keys(findNode(schema, 'properties') ?? {})))];
  const free = known.filter((name) => !Object.hasOwn(value, name));
  for (const [name, item] of Object.entries(value)) {
    const here = [...path, name];
    const forms = nodesIn(schemas.map((schema) => findNode(schema, 'properties', name)));
    if (!known.includes(name) || forms.length === 0)
      report(here, `is not a field ${whose}; allowed: ${known.join(', ')}${didYouMean(name, free)}`);
    else checkValue(document, forms, item, here, report);
  }
}

function checkValue(document: Node, given: readonly Node[], value: unknown, path: Path, report: Report): void {
  const forms = given.flatMap((form) => alternatives(document, form));
  const ofType = forms.filter((form) => stringsIn(form.type).some((type) => hasType(type, value)));
  if (ofType.length === 0) {
    const types = [...new Set(forms.flatMap((form) => stringsIn(form.type)))];
    const allowed = types.map((type) => typeNames[type] ?? type).join(' or ');
    report(path, `is ${describeValue(value)}; must be ${allowed}`);
    return;
  }
  const allowed = ofType.flatMap((form) => stringsIn(form.enum));
  if (typeof value === 'string' && allowed.length > 0 && !allowed.includes(value)) {
    report(path, `"${value}" is not one of its values; allowed: ${allowed.join(', ')}${didYouMean(value, allowed)}`);
  } else if (typeof value === 'string') {
    const reasons = ofType.map((form) => formFault(form, value));
    if (reasons[0] !== undefined && !reasons.includes(undefined)) report(path, `"${value}" ${reasons[0]}`);
  } else if (Array.isArray(value)) {
    const items = nodesIn(ofType.map((form) => findNode(form, 'items')));
    for (const [index, item] of value.entries()) checkValue(document, items, item, [...path, index], report);
  } else if (isNode(value)) {
    const whose = `of ${String(path.at(-1))}`;
    checkObject(document, ofType, value, whose, path, report);
  }
}

/** Why a string does not have the form of its schema; undefined if it does. */
function formFault({ format, pattern, ...form }: Node, value: string): string | undefined {
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value))
    return typeof form['x-form'] === 'string' ? form['x-form'] : `must match ${pattern}`;
  if (format === 'date-time' && !(dateTime.test(value) && Number.isFinite(Date.parse(value))))
    return 'must be a time in ISO 8601 form, such as 2026-01-05T15:00:00.000Z';
  if (format === 'uri' && !parseUrl(value)) return 'must be a URL';
  if (format === 'uuid' && !uuid.test(value)) return 'must be a UUID';
  return undefined;
}

const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The schemas that a value may fit, without references. */
export function alternatives(document: Node, form: Node): Node[] {
  const schema = resolve(document, form);
  const options = nodesIn(schema.oneOf);
  return options.length === 0 ? [schema] : options.flatMap((option) => alternatives(document, option));
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
};

function hasType(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isNode(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
