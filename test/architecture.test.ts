// The rules that no compiler checks, each with its reason. ARCHITECTURE.md describes the layers.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const src = new URL('../src/', import.meta.url).pathname;

/** Folders and top-level files by layer, from the bottom; those not listed are in the top layer. */
const layers = [
  ['header-fields.ts', 'memo.ts', 'own-text.ts'],
  [
    'package-files.ts',
    'file-problem.ts',
    'data-folder.ts',
    'end-slashes.ts',
    'fair-queue.ts',
    'one-at-a-time.ts',
    'repeated.ts',
    'glob.ts',
    'host-names.ts',
    'parse-url.ts',
    'log-lines.ts',
    'redaction',
    'require-package.ts',
    'system-errors.ts',
  ],
  [
    'e164.ts',
    'process-status.ts',
    'public-url.ts',
    'lazy-modules.ts',
    'precompiled-yaml.ts',
    'prepared.ts',
    'texting-keywords.ts',
    'stored-bytes.ts',
    'typed-keys.ts',
    'websocket-server.ts',
    'log.ts',
  ],
  ['number-plan.ts', 'yaml-tree-check.ts'],
  ['contract'],
  ['model.ts', 'errors', 'clock'],
  ['assumptions', 'budget'],
  ['yaml-with-locations.ts', 'identity', 'events', 'coverage'],
  ['lifecycles', 'client'],
  ['store'],
  ['scheduler', 'scenarios', 'webhooks', 'fixtures', 'tokens', 'faults'],
  ['metrics'],
  ['engine', 'state'],
  ['domain'],
  ['operations', 'admin'],
  ['http', 'rooms', 'stream'],
  ['control', 'library'],
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
  return [...text.matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(([, target]) => join(path, '..', target as string));
}

function occurrences(pattern: RegExp): string[] {
  return files.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
}

describe('the sources', () => {
  it('import downwards only, because a lower layer must be readable without the upper ones', () => {
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

  it('import in no circle, because a file must be readable before those that import it', () => {
    const imports = new Map(files.map((file) => [file.path, importsOf(file)]));
    const circles: string[] = [];
    const done = new Set<string>();
    const follow = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      if (done.has(path)) return;
      done.add(path);
      for (const target of imports.get(path) ?? []) follow(target, [...trail, path]);
    };
    for (const path of imports.keys()) follow(path, []);
    expect(circles).toEqual([]);
  });

  it('spell bearer tokens and their challenge once, because clients compare them literally', () => {
    expect(occurrences(/realm="voice-platform"|\^Bearer \+/)).toEqual(['errors/bearer.ts']);
  });

  it('keep the files of operations apart, because each noun of the URL must be readable alone', () => {
    const wrong = files
      .filter(({ path }) => path.startsWith('operations/') && path !== 'operations/index.ts')
      .flatMap((file) => importsOf(file).map((target) => ({ file, target })))
      .filter(({ target }) => target.startsWith('operations/'))
      .map(({ file, target }) => `${file.path} imports ${target}`);
    expect(wrong).toEqual([]);
  });

  it('use operations in the pipeline and the composition root only, because shared rules belong in domain', () => {
    const folders = files
      .filter((file) => importsOf(file).some((target) => target.startsWith('operations/')))
      .map(({ path }) => path)
      .filter((path) => path.includes('/') && path !== 'operations/index.ts')
      .map(folderOf);
    expect([...new Set(folders)]).toEqual(['http']);
  });

  it("read the system time in one file, because a world's time is a function of it alone", () => {
    expect(occurrences(/Date\.now\(|new Date\(\)/)).toEqual(['clock/clock.ts']);
  });

  it('use no stateful random generator, because two runs with one seed must be equal', () => {
    // Control keys, and the secret of a server with a control token, must not follow from the seed.
    expect(occurrences(/Math\.random|randomUUID|randomBytes/)).toEqual(['identity/secrets.ts']);
  });

  it('read the environment in one file, because every setting belongs in one table', () => {
    expect(occurrences(/process\.env/)).toEqual(['environment.ts']);
  });

  it('read URLs by the constructor, because URL.canParse is wrong about Latin-1 texts on Node 20', () => {
    expect(occurrences(/\bcanParse\(/)).toEqual([]);
  });

  it('take timers from Node and not from the globals, because fake timers of a test must not stop a sandbox', () => {
    const timer = /(?<![\w.#])(set|clear)(Immediate|Timeout|Interval)\(/;
    const served = files.filter(({ path }) => folderOf(path) !== 'cli');
    const bare = served.filter(({ text }) => timer.test(text) && !/from 'node:timers(\/promises)?'/.test(text));
    // Nothing that a test of a customer waits for; our own tests fake their time.
    const faked = ['line-batch.ts', 'log-output.ts', 'maintenance.ts', 'webhooks/names.ts'];
    expect(bare.map(({ path }) => path).sort()).toEqual(faked);
  });

  it('keep no state in modules except caches of package files, because sandboxes share a process', () => {
    const caches = [
      'contract/check.ts',
      'contract/document.ts',
      'domain/numbers/time-zones.ts',
      'fixtures/library.ts',
      'sandbox.ts',
      'scenarios/library.ts',
    ];
    expect(occurrences(/^let /m)).toEqual(caches);
  });

  it('name no file utils, helpers, common, services or manager, because such names hide what is in it', () => {
    expect(files.map(({ path }) => path).filter((path) => /util|helper|common|service|manager/.test(path))).toEqual([]);
  });

  it('open every file with a comment that says what it owns', () => {
    const bare = files.filter(({ text }) => !/^(#!.*\n)?\/\/ /.test(text)).map(({ path }) => path);
    expect(bare).toEqual([]);
    expect(occurrences(/^(#!.*\n)?(\/\/.*\n)+\nimport /)).toEqual([]);
  });

  it('keep admin free of zod and HTTP, because library, control API and command line call it with parsed input', () => {
    expect(occurrences(/from '(zod|express|node:http)'/).filter((path) => folderOf(path) === 'admin')).toEqual([]);
  });

  it('let the library reach a sandbox over the client alone, so that a handle works for servers elsewhere', () => {
    const known = ['library', 'client', 'contract', 'clock', 'identity', 'events'];
    const imported = files.filter(({ path }) => folderOf(path) === 'library').flatMap(importsOf);
    const others = imported.filter((target) => !known.includes(folderOf(target)));
    expect([...new Set(others)]).toEqual(['webhooks/sign.ts']);
  });

  it('let the client know the server by its contracts alone, because it must do nothing that a customer could not', () => {
    const known = ['client', 'contract', 'identity', 'parse-url.ts'];
    const imported = files.filter(({ path }) => folderOf(path) === 'client').flatMap(importsOf);
    expect(imported.filter((target) => !known.includes(folderOf(target)))).toEqual([]);
  });

  it('keep Express out of operations and engine, because a handler returns and never sends', () => {
    const folders = [
      'domain',
      'operations',
      'engine',
      'lifecycles',
      'scenarios',
      'store',
      'clock',
      'scheduler',
      'fixtures',
    ];
    expect(occurrences(/from 'express'|from 'node:http'/).filter((path) => folders.includes(folderOf(path)))).toEqual(
      [],
    );
    // Webhooks are sent by Node's client.
    expect(occurrences(/from 'express'|createServer/).filter((path) => folderOf(path) === 'webhooks')).toEqual([]);
  });
});
