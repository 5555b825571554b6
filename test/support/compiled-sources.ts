// Lets tests import the sources compiled, each to a file of its own, which Node loads by itself: Vitest would transform
// hundreds of them in each run, and tests would read every import in them through an object.
import { cpSync, existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import type { Plugin } from 'vitest/config';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = join(root, 'src');
/** Next to `src`, so that what is found relative to the sources is found from here too. */
const compiled = join(root, '.compiled');

/** What Node is to load itself. */
export const compiledFiles = /\/\.compiled\//;

const isCode = (file: string): boolean => file.endsWith('.ts') && !file.endsWith('.d.ts');
const isData = (file: string): boolean => /\.(json|lua|cjs)$/.test(file);
const changedAt = (path: string): number => statSync(path).mtimeMs;

/** Folders count too: they tell of files that are gone. */
function isUpToDate(files: readonly string[]): boolean {
  if (!existsSync(compiled)) return false;
  const at = changedAt(compiled);
  const lock = join(root, 'package-lock.json');
  return [sources, lock, ...files.map((file) => join(sources, file))].every((path) => changedAt(path) < at);
}

/**
 * Compiles into a folder of its own and renames it, so that another run of the tests never sees half of it; where several
 * runs begin at once, one of them wins.
 */
async function compile(): Promise<void> {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' });
  if (isUpToDate(files)) return;
  const [staging, former] = [`${compiled}.${process.pid}`, `${compiled}.${process.pid}.former`];
  await build({
    cwd: root,
    input: Object.fromEntries(files.filter(isCode).map((file) => [file.slice(0, -'.ts'.length), join(sources, file)])),
    platform: 'node',
    external: (id) => /^[@a-z](?!:)/.test(id),
    treeshake: false,
    logLevel: 'warn',
    output: { dir: staging, format: 'esm', preserveModules: true, preserveModulesRoot: sources, sourcemap: true },
  });
  for (const file of files.filter(isData)) cpSync(join(sources, file), join(staging, file));
  if (!isUpToDate(files)) {
    renameUnless('ENOENT', compiled, former);
    // Another run has put its folder there meanwhile.
    renameUnless('ENOTEMPTY', staging, compiled);
  }
  for (const folder of [staging, former]) rmSync(folder, { recursive: true, force: true });
}

function renameUnless(code: string, from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === code)) throw error;
  }
}

/** In watch mode, Vitest transforms the sources itself, since it runs tests again when one of them changes. */
export function compiledSources(): Plugin {
  let isWatching = false;
  return {
    name: 'compiled-sources',
    enforce: 'pre',
    configureVitest({ vitest }) {
      isWatching = vitest.config.watch;
    },
    buildStart: () => (isWatching ? undefined : compile()),
    resolveId(source, importer) {
      if (isWatching || !importer || !source.startsWith('.') || !isCode(source)) return null;
      const file = relative(sources, join(dirname(importer), source));
      return file.startsWith('..') ? null : join(compiled, `${file.slice(0, -'.ts'.length)}.js`);
    },
  };
}
