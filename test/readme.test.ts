// README.md, ARCHITECTURE.md and CONTRIBUTING.md against the repository: lengths, folders, paths, dependencies.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (file: string): string => readFileSync(file, 'utf8');

/** The text between a heading of the second level and the next one. */
function section(file: string, heading: string): string {
  const text = read(file).split(`\n## ${heading}\n`)[1]?.split('\n## ')[0];
  if (text === undefined) throw new Error(`${file} has no section "${heading}"`);
  return text;
}

describe('the README', () => {
  it('has fewer than 200 lines', () => {
    expect(read('README.md').split('\n').length).toBeLessThan(200);
  });

  it('shows the two commands', () => {
    expect(read('README.md')).toMatch(/^npm ci && npm start /m);
    expect(read('README.md')).toMatch(/^npm ci && npm test /m);
  });

  it('links to every guide', () => {
    for (const name of readdirSync('docs')) expect(read('README.md'), name).toContain(`(docs/${name})`);
  });

  it('ships with the guides that it links to', () => {
    const { files } = JSON.parse(read('package.json'));
    expect(files).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'docs']));
  });
});

describe('the documents for contributors', () => {
  it('list every folder of src', () => {
    const map = section('ARCHITECTURE.md', 'Folders');
    const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const { name } of folders) expect(map, name).toContain(`\`src/${name}/\``);
  });

  it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('%s names only paths that exist', (file) => {
    const path = /`((?:src|test|scripts|docs|scenarios|fixtures)\/[\w./-]*|openapi\.yaml)`/g;
    for (const [, found] of read(file).matchAll(path)) expect(existsSync(found as string), found).toBe(true);
  });

  it('say why each dependency is needed, and name no other', () => {
    const manifest = JSON.parse(read('package.json'));
    const [installed = '', bundled = '', others = ''] = section('ARCHITECTURE.md', 'Dependencies').split('\nFor dev');
    const namedIn = (table: string): string[] =>
      [...table.matchAll(/^\| ([^|]+) \|/gm)]
        .flatMap(([, cell]) => (cell as string).split(', '))
        .filter((name) => name !== 'package');
    const named = [...others.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string);
    expect(namedIn(installed)).toEqual(Object.keys(manifest.dependencies));
    expect([...namedIn(bundled), ...named].sort()).toEqual(Object.keys(manifest.devDependencies).sort());
  });
});
