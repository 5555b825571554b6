// test/spec-rows.yaml lists what the platform's specification says, row by row, and the test that shows it. A row
// without a test, or one that names a test that is not there, fails the suite. A test that walks the contract is named
// with `{operation}`, `{write}` or `{about an object}` in place of the operation, and must be there for all of them.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { keyedOperations, operations } from './support/operations.ts';

interface SpecRow {
  readonly id: string;
  readonly chapter: string;
  readonly words: string;
  /** `file.test.ts > group > name`, as vitest lists it; several where it takes several. */
  readonly test?: string | readonly string[];
  /** The issue that will bring it. */
  readonly later?: number;
}

const rows = parse(readFileSync('test/spec-rows.yaml', 'utf8')) as SpecRow[];
const named = rows.flatMap((row) =>
  [row.test ?? []].flat().flatMap((test) => walked(test as string).map((each) => ({ row, test: each }))),
);

/** The names of the tests that a row names. */
function walked(test: string): string[] {
  const placeholder = /\{(operation|write|about an object)\}/.exec(test)?.[0];
  if (placeholder === undefined) return [test];
  // Lead intake takes no API key, so that what holds for keys is not walked for it.
  return (test.startsWith('every-operation') ? keyedOperations : operations)
    .filter(({ takesKey }) => placeholder !== '{write}' || takesKey)
    .filter(({ template }) => placeholder !== '{about an object}' || template.includes('{'))
    .map(({ id }) => test.replace(placeholder, id));
}

describe('the rows of the specification', () => {
  let listed: ReadonlySet<string>;

  beforeAll(() => {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'list', '--json', '--exclude', 'test/spec-rows.test.ts'],
      { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
    );
    const start = stdout.indexOf('[');
    if (start < 0) throw new Error(`the tests could not be listed: ${stderr}`);
    const tests = JSON.parse(stdout.slice(start)) as { name: string; file: string }[];
    listed = new Set(tests.map(({ name, file }) => `${relative('test', file)} > ${name}`));
  }, 240_000);

  it('have ids of their own, a chapter and words', () => {
    expect(rows.length).toBeGreaterThan(200);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    for (const { id, chapter, words } of rows) expect(Boolean(chapter && words), id).toBe(true);
  });

  it('are each shown by a test, or marked for a later issue, and not both', () => {
    const wrong = rows.filter(({ test, later }) => (test === undefined) === (later === undefined));
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  it('name tests that exist', () => {
    const missing = named.filter(({ test }) => !listed.has(test));
    expect(missing.map(({ row, test }) => `${row.id}: ${test}`)).toEqual([]);
  });
});
