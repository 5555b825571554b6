// The titles of tests, read from their files without running them. A title that is made from cases is filled in where
// the cases are literals of the same file; where they are not, it stands for every text of its form.
import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** A title, or the form of several. */
type Title = string | RegExp;

const ANYTHING = Symbol('a value that is known only when the tests run');

/** A test file's titles, each as `group > name`. */
export interface TestTitles {
  has(name: string): boolean;
}

export function readTestTitles(path: string): TestTitles {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const constants = constantsOf(source);
  const exact = new Set<string>();
  const forms: RegExp[] = [];

  function visit(node: ts.Node, groups: readonly Title[]): void {
    const found = ts.isCallExpression(node) ? declarationOf(node, constants) : undefined;
    if (!found) return ts.forEachChild(node, (child) => visit(child, groups));
    for (const title of found.titles) {
      const names = [...groups, title];
      if (found.body) visit(found.body, names);
      else if (names.every((each) => typeof each === 'string')) exact.add(names.join(' > '));
      else forms.push(joined(names));
    }
  }
  visit(source, []);
  return { has: (name) => exact.has(name) || forms.some((form) => form.test(name)) };
}

interface Declaration {
  readonly titles: readonly Title[];
  /** What declares the tests of a group; none for a test. */
  readonly body: ts.Node | undefined;
}

/** What `it(…)`, `describe(…)`, `it.each(…)(…)` and the like declare; undefined for any other call. */
function declarationOf(call: ts.CallExpression, constants: Constants): Declaration | undefined {
  const { expression } = call;
  const table = ts.isCallExpression(expression) && isEach(expression.expression) ? expression : undefined;
  const name = baseName(table ? table.expression : expression);
  const [title] = call.arguments;
  if (!['it', 'test', 'describe'].includes(name) || !title) return undefined;
  const text = textOf(title, constants);
  const cases = table ? valueIn(table.arguments[0], constants) : undefined;
  const titles = !table
    ? [titleFrom(text)]
    : Array.isArray(cases)
      ? cases.map((each, index) => filledIn(text, each, index))
      : [filledIn(text, ANYTHING, 0)];
  return { titles, body: name === 'describe' ? call.arguments.at(-1) : undefined };
}

const isEach = (node: ts.Expression): boolean =>
  ts.isPropertyAccessExpression(node) && ['each', 'for'].includes(node.name.text);

/** `it` of `it.skipIf(…).each`. */
function baseName(node: ts.Expression): string {
  if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)) return baseName(node.expression);
  return ts.isIdentifier(node) ? node.text : '';
}

/** A title's text in parts; a part that is known only when the tests run is undefined. */
type Part = string | undefined;
type Text = readonly Part[];

function textOf(node: ts.Expression, constants: Constants): Text {
  if (!ts.isTemplateExpression(node)) return [asText(valueIn(node, constants))];
  return [
    node.head.text,
    ...node.templateSpans.flatMap((span) => [asText(valueIn(span.expression, constants)), span.literal.text]),
  ];
}

const asText = (value: unknown): Part => (['string', 'number'].includes(typeof value) ? String(value) : undefined);

const PLACEHOLDER = /%[sdifjoOc#$]|\$[A-Za-z_][\w.]*/;
const SPLIT = new RegExp(`(${PLACEHOLDER.source})`);

/** Fills a case into the placeholders of a title, as vitest does. */
function filledIn(text: Text, given: unknown, index: number): Title {
  const values = Array.isArray(given) ? [...given] : [given];
  const next = (): unknown => (given === ANYTHING ? ANYTHING : values.shift());
  const parts = text.flatMap((part): Text => (part === undefined ? [part] : part.split(SPLIT)));
  return titleFrom(
    parts.map((part) => {
      if (part === undefined || !PLACEHOLDER.test(part)) return part;
      if (part === '%#') return String(index);
      if (part === '%$') return String(index + 1);
      if (part.startsWith('%')) return formatted(next(), part);
      const value = part
        .slice(1)
        .split('.')
        .reduce<unknown>((of, key) => (of instanceof Map ? of.get(key) : ANYTHING), given);
      return typeof value === 'string' ? `'${value}'` : asText(value);
    }),
  );
}

function formatted(value: unknown, placeholder: string): Part {
  if (value === ANYTHING || typeof value === 'object') return undefined;
  return placeholder === '%s' ? String(value) : placeholder === '%j' ? JSON.stringify(value) : asText(value);
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

function titleFrom(text: Text): Title {
  if (text.every((part) => typeof part === 'string')) return text.join('').replaceAll('%%', '%');
  return new RegExp(text.map((part) => (part === undefined ? '.+' : escaped(part).replaceAll('%%', '%'))).join(''));
}

const joined = (titles: readonly Title[]): RegExp =>
  new RegExp(`^${titles.map((each) => (typeof each === 'string' ? escaped(each) : each.source)).join(' > ')}$`, 's');

/** The initializers of a file's constants. */
type Constants = ReadonlyMap<string, ts.Expression>;

function constantsOf(source: ts.SourceFile): Constants {
  const found = new Map<string, ts.Expression>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      found.set(node.name.text, node.initializer);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The value of an expression as far as it is literal; objects as maps. */
function valueIn(node: ts.Expression | undefined, constants: Constants): unknown {
  const of = (each: ts.Expression | undefined): unknown => valueIn(each, constants);
  if (node === undefined) return ANYTHING;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node)) {
    return of(node.expression);
  }
  if (ts.isIdentifier(node)) return constants.has(node.text) ? of(constants.get(node.text)) : ANYTHING;
  if (ts.isArrayLiteralExpression(node)) return elementsOf(node, of);
  if (ts.isObjectLiteralExpression(node)) return propertiesOf(node, of);
  if (ts.isCallExpression(node)) return entriesOf(node, of);
  return ANYTHING;
}

function elementsOf({ elements }: ts.ArrayLiteralExpression, of: (node: ts.Expression) => unknown): unknown {
  const values = elements.map((each) => (ts.isSpreadElement(each) ? of(each.expression) : [of(each)]));
  return values.every(Array.isArray) ? values.flat() : ANYTHING;
}

function propertiesOf(node: ts.ObjectLiteralExpression, of: (node: ts.Expression) => unknown): unknown {
  const properties = new Map<string, unknown>();
  for (const each of node.properties) {
    // A spread, or a name that is computed.
    if (!each.name || ts.isComputedPropertyName(each.name)) return ANYTHING;
    properties.set(each.name.text, ts.isPropertyAssignment(each) ? of(each.initializer) : ANYTHING);
  }
  return properties;
}

/** What `Object.keys`, `Object.entries` and `sample`, which leaves some out only now and then, make of a literal. */
function entriesOf(
  { expression, arguments: [argument] }: ts.CallExpression,
  of: (node: ts.Expression) => unknown,
): unknown {
  const called = expression.getText();
  if (argument === undefined) return ANYTHING;
  if (called === 'sample') return of(argument);
  if (!/^Object\.(keys|entries)$/.test(called)) return ANYTHING;
  const value = of(argument);
  if (!(value instanceof Map)) return ANYTHING;
  return called === 'Object.keys' ? [...value.keys()] : [...value];
}
