// The package as `npm pack` makes it: what it contains, and what installing it runs. How it is imported:
// package-entries.test.ts.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { build } from './support/program.ts';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
let packed: readonly string[];

beforeAll(async () => {
  await build();
  const listing = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  packed = JSON.parse(listing)[0].files.map(({ path }: { path: string }) => path);
});

describe('the package', () => {
  it('contains every file that its manifest names', () => {
    const { main, types, bin, exports } = manifest;
    const paths = (entry: unknown): string[] =>
      typeof entry === 'string' ? [posix.normalize(entry)] : Object.values(entry as object).flatMap(paths);
    const named = paths([main, types, bin, exports]);
    expect(named).toContain('dist/index.d.cts');
    // An export may be a pattern, which names at least one file.
    const isPacked = (name: string): boolean => {
      const [start = '', end] = name.split('*');
      return packed.some((path) => (end === undefined ? path === name : path.startsWith(start) && path.endsWith(end)));
    };
    expect(named.filter((name) => !isPacked(name))).toEqual([]);
  });

  it('contains every file that its documents link to', () => {
    const documents = packed.filter((path) => path.endsWith('.md'));
    expect(documents).toContain('README.md');
    const missing = documents.flatMap((document) =>
      [...readFileSync(document, 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g)]
        .map(([, target]) => posix.join(posix.dirname(document), target as string))
        .filter((target) => !packed.some((path) => path === target || path.startsWith(`${target}/`)))
        .map((target) => `${document} links to ${target}`),
    );
    expect(missing).toEqual([]);
  });

  it('contains every file that its documents name, but those that they place in the repository', () => {
    const ignored = readFileSync('.gitignore', 'utf8').split('\n');
    const inRepository = readdirSync('.').filter(
      (name) => name.includes('.') && !name.startsWith('.') && !ignored.includes(name),
    );
    const isPath = new RegExp(
      `^(?:(?:src|test|docs|scenarios|fixtures|scripts)/[\\w./-]+|Dockerfile|${inRepository.join('|')})$`,
    );
    const missing = packed
      .filter((path) => path.endsWith('.md'))
      .flatMap((document) =>
        readFileSync(document, 'utf8')
          .split(/\n\n|\n(?=- )/)
          .filter((paragraph) => !/\brepository\b/.test(paragraph))
          .flatMap((paragraph) => paragraph.match(/[\w./-]+\w/g) ?? [])
          .filter((word) => isPath.test(word) && !packed.some((path) => path === word || path.startsWith(`${word}/`)))
          .map((word) => `${document} names ${word}`),
      );
    expect(missing).toEqual([]);
  });

  it('runs no script when it is installed', () => {
    const run = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare', 'prepublish'];
    expect(Object.keys(manifest.scripts).filter((name) => run.includes(name))).toEqual([]);
    expect(existsSync('binding.gyp')).toBe(false);
  });

  it('is not packed from a clone without its dependencies, which could build nothing', () => {
    const clone = mkdtempSync(join(tmpdir(), 'ringback-clone-'));
    copyFileSync('build.js', join(clone, 'build.js'));
    cpSync('build', join(clone, 'build'), { recursive: true });
    copyFileSync('package.json', join(clone, 'package.json'));
    const [, ...args] = manifest.scripts.prepack.split(' ');
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: clone, encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringContaining('run `npm ci` first')]);
    // Installing the dependencies of production alone, before there is a dist/, is not an error.
    const install = spawnSync(process.execPath, ['build.js', '--if-needed'], { cwd: clone, encoding: 'utf8' });
    expect([install.status, install.stdout]).toEqual([0, expect.stringContaining('nothing was built')]);
  });
});

describe('an example that runs Vitest', () => {
  const examples = readdirSync('examples').filter((name) => existsSync(`examples/${name}/package.json`));
  const withVitest = examples.filter((name) =>
    readFileSync(`examples/${name}/package.json`, 'utf8').includes('"vitest"'),
  );

  it('has settings of its own, so that it runs in place too, below those of the repository', () => {
    expect(withVitest.length).toBeGreaterThan(0);
    expect(withVitest.filter((name) => !existsSync(`examples/${name}/vitest.config.ts`))).toEqual([]);
  });
});
