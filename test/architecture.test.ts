// The rules of the architecture that the compiler cannot check, each with its reason. The layers are those of
// ARCHITECTURE.md.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const src = new URL('../src/', import.meta.url).pathname;

/** Folders, and files outside any folder, from the lowest layer up; what is not listed belongs to the top layer. */
const layers = [
  ['e164.ts', 'lazy-modules.ts', 'precompiled-yaml.ts', 'typed-keys.ts', 'log.ts'],
  ['contract'],
  ['model.ts', 'errors', 'assumptions', 'clock'],
  ['yaml-with-locations.ts', 'identity', 'events'],
  ['lifecycles'],
  ['store'],
  ['scheduler', 'scenarios', 'webhooks', 'fixtures', 'tokens'],
  ['engine'],
  ['domain'],
  ['operations', 'admin'],
  ['http', 'rooms'],
  ['control'],
];

function filesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesUnder(path) : [path];
  });
}

const files = filesUnder(src)
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
  .map((path) => ({ path: relative(src, path), text: readFileSync(path, 'utf8') }));

const folderOf = (path: string): string => path.split('/')[0] as string;
const layerOf = (folder: string): number => {
  const found = layers.findIndex((folders) => folders.includes(folder));
  return found < 0 ? layers.length : found;
};

function importsOf({ path, text }: { path: string; text: string }): string[] {
  return [...text.matchAll(/from '(\.[^']+)'/g)].map(([, target]) => join(path, '..', target as string));
}

function occurrences(pattern: RegExp): string[] {
  return files.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
}

describe('the source', () => {
  it('imports downwards only, because data flows one way and a lower layer must be readable without the upper ones', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => {
          const [from, to] = [folderOf(file.path), folderOf(target)];
          if (from === to) return false;
          return layerOf(to) > layerOf(from) || (layerOf(to) === layerOf(from) && layerOf(from) < layers.length);
        })
        .map((target) => `${file.path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('has no circular imports, because a file must be readable before those that build on it', () => {
    const imports = new Map(files.map((file) => [file.path, importsOf(file)]));
    const circles: string[] = [];
    const visited = new Set<string>();
    const visit = (path: string, importers: readonly string[]): void => {
      if (importers.includes(path)) circles.push([...importers.slice(importers.indexOf(path)), path].join(' → '));
      if (visited.has(path)) return;
      visited.add(path);
      for (const target of imports.get(path) ?? []) visit(target, [...importers, path]);
    };
    for (const path of imports.keys()) visit(path, []);
    expect(circles).toEqual([]);
  });

  it('defines the form of a bearer token and its challenges in one file, because clients compare them literally', () => {
    expect(occurrences(/realm="voice-platform"|\^Bearer \+/)).toEqual(['errors/bearer.ts']);
  });

  it('has no imports between files of operations, because each noun of the URL must be readable alone', () => {
    const wrong = files
      .filter(({ path }) => path.startsWith('operations/') && path !== 'operations/index.ts')
      .flatMap((file) => importsOf(file).map((target) => ({ file, target })))
      .filter(({ target }) => target.startsWith('operations/'))
      .map(({ file, target }) => `${file.path} imports ${target}`);
    expect(wrong).toEqual([]);
  });

  it('uses operations in the pipeline and the composition root only, because shared rules belong in domain', () => {
    const folders = files
      .filter((file) => importsOf(file).some((target) => target.startsWith('operations/')))
      .map(({ path }) => path)
      .filter((path) => path.includes('/') && path !== 'operations/index.ts')
      .map(folderOf);
    expect([...new Set(folders)]).toEqual(['http']);
  });

  it("reads the system time in one file, because a world's time is a function of it and of nothing else", () => {
    expect(occurrences(/Date\.now\(|new Date\(\)/)).toEqual(['clock/clock.ts']);
  });

  it('uses no random generator that keeps state, because two runs with one seed must be identical', () => {
    expect(occurrences(/Math\.random|randomUUID|randomBytes/)).toEqual([]);
  });

  it('reads the environment in one file, because every setting must be found in one table', () => {
    expect(occurrences(/process\.env/)).toEqual(['config.ts']);
  });

  it('keeps no module-level state except caches of its own files, because sandboxes share a process', () => {
    const caches = ['contract/check.ts', 'contract/document.ts', 'domain/numbers/time-zones.ts', 'sandbox.ts'];
    expect(occurrences(/^let /m)).toEqual(caches);
  });

  it('names no file utils, helpers, common, services or manager, because such code has no place yet', () => {
    expect(files.map(({ path }) => path).filter((path) => /util|helper|common|service|manager/.test(path))).toEqual([]);
  });

  it('opens every file with a comment that says what it owns', () => {
    const bare = files.filter(({ text }) => !/^(#!.*\n)?\/\/ /.test(text)).map(({ path }) => path);
    expect(bare).toEqual([]);
  });

  it('keeps admin free of zod and HTTP, because library, control API and command line call it with parsed input', () => {
    expect(occurrences(/from '(zod|express|node:http)'/).filter((path) => folderOf(path) === 'admin')).toEqual([]);
  });

  it('lets the library call admin and never control, because it must work without HTTP', () => {
    const library = files.filter(({ path }) => path === 'index.ts').flatMap(importsOf);
    expect(library.filter((target) => folderOf(target) === 'control' || folderOf(target) === 'http')).toEqual([]);
  });

  it('uses no Express below http, because a handler returns a value and never sends', () => {
    const folders = [
      'domain',
      'operations',
      'engine',
      'lifecycles',
      'scenarios',
      'webhooks',
      'store',
      'clock',
      'scheduler',
      'fixtures',
    ];
    expect(occurrences(/from 'express'|from 'node:http'/).filter((path) => folders.includes(folderOf(path)))).toEqual(
      [],
    );
  });
});
