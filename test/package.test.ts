// The package as `npm pack` makes it: what it contains, what installing it runs, and what its declarations need.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { build } from './support/program.ts';
import { thorough } from './support/thorough.ts';

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

  it('has declarations that need no package but the dependencies that bring their own', () => {
    const text = readFileSync('dist/index.d.ts', 'utf8');
    const imported = [...text.matchAll(/from ["']([^"']+)["']|import\(["']([^"']+)["']\)/g)].map(([, a, b]) => a ?? b);
    expect(imported.filter((name) => !name?.startsWith('node:') && name !== 'ipaddr.js')).toEqual([]);
  });

  const use = `import { createSandbox, type Call, type SandboxOptions, verifySignature } from 'ringback';
export async function use(): Promise<void> {
  const options: SandboxOptions = { clock: 'manual', seed: 7 };
  const sandbox = await createSandbox(options);
  const ended: Call['ended_at'] = null;
  const valid: boolean = verifySignature('{}', undefined, 'secret');
  const types: string[] = (await sandbox.events()).map((event) => event.event_type);
  console.log(ended, valid, types);
  await sandbox.close();
  // @ts-expect-error An option that does not exist is an error.
  createSandbox({ color: 'red' });
}
`;
  const target = { strict: true, skipLibCheck: false, noEmit: true, target: 'es2022', types: ['node'] };

  /** A project that has installed the package, by its kind of modules; removed after the check. */
  function inProject(type: 'commonjs' | 'module', check: (folder: string) => void): void {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ringback-package-')));
    try {
      mkdirSync(join(folder, 'node_modules/ringback'), { recursive: true });
      for (const name of ['dist', 'package.json']) {
        symlinkSync(join(process.cwd(), name), join(folder, 'node_modules/ringback', name));
      }
      for (const name of ['ipaddr.js', '@types', 'undici-types']) {
        symlinkSync(join(process.cwd(), 'node_modules', name), join(folder, 'node_modules', name));
      }
      writeFileSync(join(folder, 'use.ts'), use);
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }));
      check(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  /** As the default resolution of each setting: TypeScript calls that of `commonjs` node10. */
  const projects = [
    ['commonjs', 'commonjs', {}],
    ['commonjs', 'node16', {}],
    ['commonjs', 'nodenext', {}],
    ['module', 'nodenext', {}],
    ['module', 'esnext', { moduleResolution: 'bundler' }],
  ] as const;

  it.each(projects)('is found with its declarations: type %s, module %s, %j', (type, module, others) => {
    inProject(type, (folder) => {
      const { options } = ts.convertCompilerOptionsFromJson({ module, ...others }, folder);
      const isRequired = type === 'commonjs' && module !== 'commonjs';
      const mode = isRequired ? ts.ModuleKind.CommonJS : type === 'module' ? ts.ModuleKind.ESNext : undefined;
      const found = ts.resolveModuleName(
        'ringback',
        join(folder, 'use.ts'),
        options,
        ts.sys,
        undefined,
        undefined,
        mode,
      );
      const file = isRequired ? 'index.d.cts' : 'index.d.ts';
      expect(found.resolvedModule?.resolvedFileName).toBe(join(process.cwd(), 'dist', file));
    });
  });

  it('can be required by a project of CommonJS modules', () => {
    inProject('commonjs', (folder) => {
      const required = createRequire(join(folder, 'use.js'))('ringback');
      expect(Object.keys(required)).toContain('createSandbox');
    });
  });

  it.runIf(thorough).each(projects)(
    'type-checks in a strict project without skipLibCheck: type %s, module %s, %j',
    (type, module, others) => {
      inProject(type, (folder) => {
        const compilerOptions = { ...target, module, ...others };
        writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
        const compiler = join(process.cwd(), 'node_modules/typescript/bin/tsc');
        const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
        expect(stdout).toBe('');
      });
    },
  );
});
