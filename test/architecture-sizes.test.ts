// How long files and functions may be, and where a cast may be: in the sources, and in everything else that is written by
// hand.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, it } from 'vitest';

const root = new URL('../', import.meta.url).pathname;
const product = ['src', 'dashboard', 'reference', 'scripts', 'build', 'build.js'];
const others = ['test', 'clients/python', 'examples', 'templates'];

/** Catalogues, the page of records, and what is generated: long by nature. */
const longByNature = [
  'src/assumptions/catalogue.ts',
  'src/errors/catalogue.ts',
  'src/model.ts',
  'clients/python/src/ringback/shapes.py',
];

/** Among the tests, tables of cases, and programs that customers read from top to bottom. */
const longTests = [
  'clients/python/tests/test_plugin.py',
  'test/assumptions/account-values.test.ts',
  'test/clients/journeys.go',
  'test/clients/journeys.ts',
];

const isLeftOut = (name: string): boolean => /^(node_modules|dist|__pycache__|\..*|.*\.egg-info)$/.test(name);

function filesUnder(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => (isLeftOut(name) ? [] : filesUnder(join(path, name))));
}

const filesIn = (folders: readonly string[], endings: RegExp) =>
  folders
    .flatMap((folder) => filesUnder(join(root, folder)))
    .filter((path) => endings.test(path) && !path.endsWith('.d.ts'))
    .map((path) => ({ path: relative(root, path), text: readFileSync(path, 'utf8') }));

interface Place {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly lines: number;
}

/** A node of a syntax tree in the form of ESTree, with its place in the text. */
interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

/** The syntax nodes of a text from the root down. The build's parser is used, which is five times as fast as TypeScript's. */
function nodesOf(path: string, text: string): SyntaxNode[] {
  const nodes: SyntaxNode[] = [];
  const walk = (value: unknown): void => {
    if (isNode(value)) nodes.push(value);
    if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) walk(each);
  };
  walk(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path));
  return nodes;
}

const isFunction = ({ type, body }: SyntaxNode): boolean => /Function/.test(type) && isNode(body);
const isCast = ({ type, typeAnnotation }: SyntaxNode): boolean =>
  type === 'TSTypeAssertion' || (type === 'TSAsExpression' && !isConst(typeAnnotation));
const isConst = (node: unknown): boolean => isNode(node) && isNode(node.typeName) && node.typeName.name === 'const';

const code = filesIn(product, /\.(ts|tsx|js|mjs)$/);

/** Every function and every cast of the product, with its place. */
function findPlaces(): { readonly functions: Place[]; readonly casts: Place[] } {
  const places: { functions: Place[]; casts: Place[] } = { functions: [], casts: [] };
  for (const { path, text } of code) {
    for (const node of nodesOf(path, text)) {
      const kind = isFunction(node) ? 'functions' : isCast(node) ? 'casts' : undefined;
      if (kind === undefined) continue;
      const line = text.slice(0, node.start).split('\n').length;
      places[kind].push({ path, line, lines: text.slice(node.start, node.end).split('\n').length });
    }
  }
  return places;
}

describe('what is written by hand', () => {
  const places = findPlaces();

  it('has no file over 300 lines, so that each can be read in one go', () => {
    const files = filesIn([...product, ...others], /\.(ts|tsx|js|mjs|cjs|py|go|css|sh)$/);
    const long = files.filter(({ text }) => text.split('\n').length > 301).map(({ path }) => path);
    expect(long.filter((path) => ![...longByNature, ...longTests].includes(path))).toEqual([]);
  });

  it('has no function over 50 lines in the product, because a function should fit on one screen', () => {
    expect(places.functions.filter(({ lines }) => lines > 50)).toEqual([]);
  });

  it('has no cast in http and engine, and a reason beside every other one, because a cast turns the compiler off', () => {
    const texts = new Map(code.map(({ path, text }) => [path, text.split('\n')]));
    const hasReason = ({ path, line }: Place): boolean =>
      (texts.get(path) ?? []).slice(Math.max(0, line - 5), line).some((text) => /^\s*(\/\/|\*|\/\*)|\/\/ /.test(text));
    const ofServer = places.casts.filter(({ path }) => /^(src|dashboard)\//.test(path));
    expect(ofServer.filter((place) => /^src\/(http|engine)\//.test(place.path) || !hasReason(place))).toEqual([]);
    expect(ofServer.length).toBeLessThan(80);
  });
});
