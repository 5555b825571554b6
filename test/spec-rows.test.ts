// test/spec-rows.yaml lists what the platform's specification says, row by row, and the tests that show it. A row
// without a test, or one that names a test that does not exist, fails the suite. The titles are read from the test
// files, so a placeholder such as `{operation}` stands where a title is made from cases known only at run time.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { TestTitles } from './support/test-titles.ts';
import { thorough } from './support/thorough.ts';

interface SpecRow {
  readonly id: string;
  readonly chapter: string;
  readonly words: string;
  /** `path/in/test/file.test.ts > group > name`; several if it takes several. */
  readonly test?: string | readonly string[];
  /** The issue that will bring it. */
  readonly later?: number;
}

const rows = parse(readFileSync('test/spec-rows.yaml', 'utf8')) as SpecRow[];

describe('the rows of the specification', () => {
  it('have ids of their own, a chapter and words', () => {
    expect(rows.length).toBeGreaterThan(200);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    for (const { id, chapter, words } of rows) expect(Boolean(chapter && words), id).toBe(true);
  });

  it('are each shown by a test, or marked for a later issue, and not both', () => {
    const wrong = rows.filter(({ test, later }) => (test === undefined) === (later === undefined));
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  const testsOf = ({ test = [] }: SpecRow): readonly string[] => [test].flat();
  const fileOf = (test: string): string => `test/${test.split(' > ', 1)[0]}`;

  it('name files of tests that exist', () => {
    const missing = [...new Set(rows.flatMap(testsOf).map(fileOf))].filter((path) => !existsSync(path));
    expect(missing).toEqual([]);
  });

  it.runIf(thorough)('name tests that exist', async () => {
    // It reads the files with the compiler of TypeScript, which takes long to load.
    const { readTestTitles } = await import('./support/test-titles.ts');
    const files = new Map<string, TestTitles>();
    const exists = (test: string): boolean => {
      const path = fileOf(test);
      if (!existsSync(path)) return false;
      const titles = files.get(path) ?? readTestTitles(path);
      files.set(path, titles);
      return titles.has(test.slice(path.length - 'test/'.length + ' > '.length));
    };
    const missing = rows.flatMap((row) => testsOf(row).flatMap((each) => (exists(each) ? [] : [`${row.id}: ${each}`])));
    expect(missing).toEqual([]);
  });
});
