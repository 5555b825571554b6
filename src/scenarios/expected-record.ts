// Whether a record can have the fields that a scenario expects at its end: by the contract, which knows the fields of each
// kind and their values, and by the steps that lead there.
import { loadContract } from '../contract/document.ts';
import { findNode, isNode, type Node, nodesIn, resolve, stringsIn } from '../contract/nodes.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { describeValue } from '../errors/schema-errors.ts';
import { isTerminal, type NamedLifecycle } from '../lifecycles/lifecycle.ts';
import type { Path, Report } from '../yaml-with-locations.ts';
import type { Way } from './ways.ts';

type Expected = Readonly<Record<string, unknown>>;

/** Reports fields that the records of this kind do not have, and values that their fields cannot have. */
export function checkRecordFields(expected: Expected, { kind, shownAs }: NamedLifecycle, report: Report): void {
  const { document } = loadContract();
  const schemas = nodesIn(shownAs.map((name) => findNode(document, 'components', 'schemas', name)));
  checkObject(document, schemas, expected, `of a ${kind}`, ['expect', 'record'], report);
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
    report(path, `must be ${types.map((type) => typeNames[type] ?? type).join(' or ')}, not ${describeValue(value)}`);
    return;
  }
  const allowed = ofType.flatMap((form) => stringsIn(form.enum));
  if (typeof value === 'string' && allowed.length > 0 && !allowed.includes(value)) {
    report(path, `"${value}" is not one of its values; allowed: ${allowed.join(', ')}${didYouMean(value, allowed)}`);
  } else if (Array.isArray(value)) {
    const items = nodesIn(ofType.map((form) => findNode(form, 'items')));
    for (const [index, item] of value.entries()) checkValue(document, items, item, [...path, index], report);
  } else if (isNode(value)) {
    const whose = `of ${String(path.at(-1))}`;
    checkObject(document, ofType, value, whose, path, report);
  }
}

/** The schemas that a value may fit, without references. */
function alternatives(document: Node, form: Node): Node[] {
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

/**
 * Reports values that none of these ways leads to. A record whose status at the end of the timeline is not terminal can
 * change later, by other causes.
 */
export function checkRecordValues(
  expected: Expected,
  statuses: readonly string[] | undefined,
  ways: readonly Way[],
  lifecycle: NamedLifecycle,
  report: Report,
): void {
  const last = statuses?.at(-1);
  const misfits = ways.map((way) => {
    const over = isTerminal(lifecycle, way.statuses.at(-1)?.name ?? '');
    const status = last === undefined ? way.statuses.at(-1) : { name: last, cause: 'the list of statuses' };
    const known = new Map(over ? way.fields : []);
    if (status && (over || last !== undefined)) known.set('status', status);
    return [...known].filter(([name, { name: value }]) => Object.hasOwn(expected, name) && expected[name] !== value);
  });
  const [nearest] = misfits.toSorted((a, b) => a.length - b.length);
  for (const [name, { name: value, cause }] of nearest ?? [])
    report(['expect', 'record', name], `${JSON.stringify(expected[name])} cannot happen: ${cause} leads to ${value}`);
}
