// What a project gets that installs the package as `npm pack` makes it: `import`, `require` and declarations of each entry,
// under every kind of modules (`interface.md` section 8).
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolders } from './support/folders.ts';
import { build, root } from './support/program.ts';
import { sample, thorough } from './support/thorough.ts';

const folderOf = temporaryFolders();
let tarball: Buffer;
let unpacked: string;

beforeAll(async () => {
  await build();
  unpacked = realpathSync(mkdtempSync(join(tmpdir(), 'ringback-packed-')));
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', unpacked];
  const name = execFileSync('npm', pack, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  tarball = readFileSync(join(unpacked, name));
  execFileSync('tar', ['-xzf', name], { cwd: unpacked });
});
afterAll(() => rmSync(unpacked, { recursive: true, force: true }));

const entries = ['ringback', 'ringback/vitest', 'ringback/jest'] as const;

const useOfLibrary = `import { connectSandbox, createSandbox, createReceiver, SandboxError, verifySignature } from 'ringback';
import type { Call, EventPayload, Sandbox, SandboxOptions } from 'ringback';
export async function use(busy: EventPayload<'call_busy'>): Promise<void> {
  const options: SandboxOptions = { clock: 'manual', seed: 7 };
  const sandbox: Sandbox = await createSandbox(options);
  const ended: Call['ended_at'] = null;
  const valid: boolean = verifySignature('{}', undefined, 'secret');
  const types: string[] = (await sandbox.events()).map((event) => event.event_type);
  const { verified } = await (await createReceiver()).next({ id: busy.id });
  console.log(ended, valid, types, verified);
  try {
    await connectSandbox('http://127.0.0.1:4747', { key: 'svc_test_a' }).close();
  } catch (error) {
    if (error instanceof SandboxError) console.log(error.code, error.hint);
  }
  // @ts-expect-error An option that does not exist is an error.
  createSandbox({ color: 'red' });
  // @ts-expect-error An event type that does not exist is an error.
  sandbox.waitFor({ event_type: 'call_eaten' });
}
`;

const useOfMatchers = (runner: string): string => `import 'ringback/${runner}';
import type { RequestMatch } from 'ringback/${runner}';
import type { SandboxWorld } from 'ringback';
export async function use(world: SandboxWorld, match: RequestMatch): Promise<void> {
  await expect(world).toHaveDelivered('call_busy', { to_number: '+12125550101' });
  await expect(world).not.toHaveReceivedRequest(match, 1);
  const ended: Promise<void> = expect(world).toHaveEnded('id', 'BUSY');
  // @ts-expect-error An event type that does not exist is an error.
  await expect(world).toHaveDelivered('call_eaten');
  await ended;
}
`;

/** As @types/jest declares it. */
const jestGlobals = `declare namespace jest { interface Matchers<R, T = {}> { not: Matchers<R, T>; } }
declare function expect<T>(value: T): jest.Matchers<void, T>;
`;

/** As `@jest/globals` and the package of its matchers declare it. */
const jestModules = {
  'node_modules/expect/index.d.ts': `export interface Matchers<R extends void | Promise<void>, T = unknown> { toBe(expected: T): R; }
`,
  'node_modules/@jest/globals/index.d.ts': `import type { Matchers } from 'expect';
type All<T> = Matchers<void, T> & { not: Matchers<void, T> };
export declare const expect: <T>(actual: T) => All<T>;
`,
};

/** A project that has installed the package, by its kind of modules, with the types of Node alone. */
function projectOf(type: 'commonjs' | 'module', files: Readonly<Record<string, string>> = {}): string {
  const folder = realpathSync(folderOf({ ...files, 'package.json': JSON.stringify({ type }) }));
  cpSync(join(unpacked, 'package'), join(folder, 'node_modules/ringback'), { recursive: true });
  for (const name of ['ipaddr.js', '@types/node', 'undici-types']) link(folder, name);
  return folder;
}

function link(folder: string, name: string): void {
  const path = join(folder, 'node_modules', name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(join(root, 'node_modules', name), path, 'dir');
}

/** As the default resolution of each setting: TypeScript calls that of `commonjs` node10. */
const projects = [
  ['commonjs', 'commonjs', {}],
  ['commonjs', 'node16', {}],
  ['commonjs', 'nodenext', {}],
  ['module', 'nodenext', {}],
  ['module', 'esnext', { moduleResolution: 'bundler' }],
] as const;

describe('the entries of the package', () => {
  it('are as publint wants them', async () => {
    const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(tarball).buffer }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it.runIf(thorough)('have types that are right for every resolution, says Are the Types Wrong', async () => {
    const { excludeEntrypoints } = JSON.parse(readFileSync(join(root, '.attw.json'), 'utf8'));
    const checked = await checkPackage(createPackageFromTarballData(tarball), { excludeEntrypoints });
    expect(checked).toMatchObject({ problems: [] });
  });

  it.each(sample(projects, ([type]) => type))(
    'are found with declarations of their kind: type %s, module %s, %j',
    (type, module, others) => {
      const folder = projectOf(type);
      const { options } = ts.convertCompilerOptionsFromJson({ module, ...others }, folder);
      const mode = type === 'commonjs' ? ts.ModuleKind.CommonJS : ts.ModuleKind.ESNext;
      const found = entries.map((name) => {
        const at = join(folder, 'use.ts');
        return ts.resolveModuleName(name, at, options, ts.sys, undefined, undefined, mode).resolvedModule
          ?.resolvedFileName;
      });
      const ending = type === 'commonjs' ? 'd.cts' : 'd.ts';
      const dist = join(folder, 'node_modules/ringback/dist');
      expect(found).toEqual(['index', 'vitest', 'jest'].map((name) => join(dist, `${name}.${ending}`)));
    },
  );

  it('are required by CommonJS and imported beside it, without a warning, as one library', () => {
    const folder = projectOf('commonjs', {
      'use.js': `const { createSandbox, SandboxError } = require('ringback');
globalThis.expect = { extend: (matchers) => console.log(Object.keys(matchers).join()) };
require('ringback/jest');
(async () => {
  const sandbox = await createSandbox({ clock: 'manual' });
  const { connectSandbox, SandboxError: Imported } = await import('ringback');
  const error = await connectSandbox(sandbox.url, { key: 'nobody' }).clock.now().catch((error) => error);
  console.log(error.code, error instanceof SandboxError, error instanceof Imported, {} instanceof SandboxError);
  console.log(await createSandbox({ color: 'red' }).catch((error) => error.message));
  await sandbox.close();
})();
`,
    });
    const { stdout, stderr } = spawnSync(process.execPath, ['use.js'], { cwd: folder, encoding: 'utf8', env: {} });
    expect(stderr).toBe('');
    const [matchers, error, option] = stdout.split('\n');
    expect(matchers).toBe('toHaveDelivered,toHaveReceivedRequest,toHaveEnded');
    expect(error).toBe('unauthorized true true false');
    expect(option).toMatch(/^"color" is not a known option/);
  });

  it('bring the packages that the server loads on first use, and the fonts of its letters', () => {
    const packages = join(unpacked, 'package/dist/packages');
    const files = readdirSync(packages, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.bundle.cjs'),
    );
    expect(files).toContain('pdfkit.bundle.cjs');
    const script = `for (const file of ${JSON.stringify(files)}) require('./' + file);
const letter = new (require('./pdfkit.bundle.cjs'))();
letter.font('Helvetica-Bold').text('Heading').font('Helvetica').text('Text').end();
console.log(letter.read().toString('latin1').slice(0, 5));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: packages, encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: '%PDF-\n', stderr: '' });
  });

  it.runIf(thorough).each(projects)(
    'type-check in a strict project without skipLibCheck: type %s, module %s, %j',
    (type, module, others) => {
      const compilerOptions = {
        ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
        ...{ noEmit: true, target: 'es2022', types: ['node'], module, ...others },
      };
      // The types of Vitest itself are those of an ES module, and say something else where those of Jest are.
      const matchers =
        type === 'module'
          ? { 'vitest.ts': `import { expect } from 'vitest';\n${useOfMatchers('vitest')}` }
          : module === 'commonjs'
            ? { 'jest.ts': `import { expect } from '@jest/globals';\n${useOfMatchers('jest')}`, ...jestModules }
            : { 'jest.ts': useOfMatchers('jest'), 'jest-globals.d.ts': jestGlobals };
      const folder = projectOf(type, {
        ...{ ...matchers, 'use.ts': useOfLibrary },
        'tsconfig.json': JSON.stringify({ compilerOptions }),
      });
      if (type === 'module') link(folder, 'vitest');
      const compiler = join(root, 'node_modules/typescript/bin/tsc');
      const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
      expect(stdout).toBe('');
    },
  );
});
