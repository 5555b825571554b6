// Builds dist/ from src/. With --if-needed it builds only if dist/ is older than one of its sources. Without the bundler
// (a production install of a package that ships its dist/) it says so and builds nothing; with --required, it is an error
// if there is no dist/ either.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import {
  fontsInside,
  httpAlone,
  neverCalled,
  noPrograms,
  otherModulesMayBeAbsent,
  packagesOutside,
  quietUrlParse,
  required,
  requiredEntries,
  serverOutside,
} from './build/plugins.js';

const root = fileURLToPath(new URL('.', import.meta.url));
const flags = new Set(process.argv.slice(2));
const built = join(root, 'dist', 'main.js');
const staging = 'dist.new';
const hasBundler = existsSync(join(root, 'node_modules', 'rolldown'));

function newestUnder(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newestUnder(join(path, name))));
}

function upToDate() {
  if (!existsSync(built)) return false;
  const sources = [
    'build.js',
    'build',
    'src',
    'dashboard',
    'reference',
    'docs',
    'README.md',
    'SECURITY.md',
    'CHANGELOG.md',
    'openapi.yaml',
    'scenarios',
    'fixtures',
    'tsconfig.json',
    'tsconfig.build.json',
    'package-lock.json',
  ].map((name) => join(root, name));
  return sources.every((path) => !existsSync(path) || newestUnder(path) <= statSync(built).mtimeMs);
}

/** What a project may have beside the package, and the package never brings. */
const isExternal = (id) => ['vitest', '@jest/globals', 'expect'].includes(id);

/** What the pages are made with, of which their scripts contain what they use. */
const pagePackages = ['preact', '@preact/signals', '@preact/signals-core', 'minisearch', 'swagger-ui-dist'].map(
  (name) => join(root, 'node_modules', name),
);

/** The folders of the packages whose code is in one of these bundles. */
const packagesIn = (bundles) =>
  bundles
    .flatMap(({ output }) => output.flatMap(({ moduleIds = [] }) => moduleIds))
    .map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0])
    .filter((folder) => folder !== undefined);

/** Their licences want to be where their code is. */
function licensesText(folders) {
  const texts = [...new Set(folders)].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)([-.].*)?$/i.test(file));
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return `${name} ${version}\n\n${(texts.length > 0 ? texts : [license]).join('\n\n')}\n`;
  });
  return texts.sort().join('\n\n');
}

/** What users import. */
const entries = ['index', 'vitest', 'jest'];

/**
 * Bundles the code with its dependencies: opening hundreds of small files took most of the start, and users would install
 * ten times as much. All chunks are at the top of the folder, as `src/package-files.ts` expects. The declarations become
 * one file that has only what `src/index.ts` exports, so that users need no types of the packages behind it. Compilers that
 * refuse to `require` an ES module, though Node allows it, read a copy of it that says CommonJS by its name. Returns the
 * folders of the packages that are in it.
 */
async function bundle(target) {
  const [{ build }, { dts }] = await Promise.all([import('rolldown'), import('rolldown-plugin-dts')]);
  const common = { cwd: root, platform: 'node', external: isExternal, logLevel: 'warn' };
  const program = await build({
    ...common,
    input: Object.fromEntries(
      ['main', 'index', 'in-process', 'vitest', 'jest'].map((name) => [name, `src/${name}.ts`]),
    ),
    plugins: [packagesOutside, quietUrlParse, neverCalled, noPrograms, httpAlone],
    output: { dir: target, format: 'esm', chunkFileNames: '[name].js' },
  });
  // One by one, so that they share no chunk, whose name would say that it is an ES module.
  for (const name of entries) {
    await build({
      ...common,
      external: /^[@a-z](?!:)/,
      input: { [name]: `src/${name}.ts` },
      plugins: [dts({ emitDtsOnly: true, tsconfig: 'tsconfig.build.json' }), otherModulesMayBeAbsent],
      checks: { bundlerTimings: false },
      output: { dir: target, format: 'esm' },
    });
  }
  // The library once more for `require`, without the server: that exists once (see src/in-process.cjs).
  const library = await build({
    ...common,
    input: { index: 'src/index.ts', jest: 'src/jest.ts' },
    plugins: [serverOutside],
    output: { dir: target, format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: '[name].cjs' },
  });
  for (const name of ['in-process', 'vitest']) copyFileSync(join(root, `src/${name}.cjs`), join(target, `${name}.cjs`));
  for (const name of entries) copyFileSync(join(target, `${name}.d.ts`), join(target, `${name}.d.cts`));
  return packagesIn([program, library, await bundlePackages(build, join(target, 'packages'))]);
}

/** The packages that are loaded on first use, each as a file by its name; the server finds them by `packagesOutside`. */
function bundlePackages(build, target) {
  const source = readFileSync(join(root, 'src/lazy-modules.ts'), 'utf8');
  const names = [...source.matchAll(/required<[\s\S]*?>\(\s*'([^']+)'/g)].map(([, name]) => name);
  return build({
    cwd: root,
    platform: 'node',
    logLevel: 'warn',
    input: Object.fromEntries(names.map((name) => [name, required(name)])),
    plugins: [requiredEntries, fontsInside, quietUrlParse, neverCalled],
    output: { dir: target, format: 'cjs', entryFileNames: '[name].bundle.cjs', chunkFileNames: 'shared/[name].cjs' },
  });
}

/** Builds the dashboard. */
async function buildDashboard(target) {
  const { build } = await import('vite');
  const folder = join(root, 'dashboard');
  await build({
    root: folder,
    configFile: join(folder, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: target },
  });
  compress(target);
}

/** Builds the pages at `/docs`, whose viewer is kept in one compressed form alone: it is larger than all other pages. */
async function buildReference(target) {
  const { buildReference: build } = await import('./reference/build.js');
  await build(root, target, fromServer);
  compress(target, { most: 1024 * 1024 });
}

/**
 * Writes the files of a folder once more as browsers take them: compressing them for each request would take longer than
 * sending them. Those that are larger than `most` are replaced by the form that every browser takes.
 */
function compress(folder, { most = Number.POSITIVE_INFINITY } = {}) {
  for (const file of readdirSync(folder, { recursive: true })) {
    if (!/\.(html|js|css|svg|json)$/.test(file)) continue;
    const path = join(folder, file);
    const content = readFileSync(path);
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
    if (content.length > most) rmSync(path);
    else writeFileSync(`${path}.br`, brotliCompressSync(content));
  }
}

/** The contract as the server uses it: the examples of its answers are for readers of the file alone. */
function withoutExamples(document) {
  const { components, paths } = document;
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const responses = [components, ...operations].flatMap(({ responses = {} }) => Object.values(responses));
  for (const { content = {} } of responses) for (const media of Object.values(content)) delete media.examples;
  delete components.examples;
  return document;
}

/** Parses the package's YAML files to JSON; `src/precompiled-yaml.ts` finds them by the hash of their text. */
async function precompileYaml(target) {
  const { parse } = await import('yaml');
  const folders = ['scenarios', 'fixtures'].flatMap((name) =>
    readdirSync(join(root, name)).map((file) => join(name, file)),
  );
  const precompiled = {};
  for (const name of ['openapi.yaml', ...folders.filter((file) => file.endsWith('.yaml'))]) {
    const text = readFileSync(join(root, name), 'utf8');
    precompiled[createHash('sha256').update(text).digest('hex')] = JSON.stringify(
      name === 'openapi.yaml' ? withoutExamples(parse(text)) : parse(text),
    );
  }
  writeFileSync(target, JSON.stringify(precompiled));
}

/** Reads and checks the package's scenarios and fixtures, for `src/prepared.ts`. */
async function prepareFiles(target) {
  const { prepareScenarios } = await fromServer('src/scenarios/library.ts');
  const { prepareFixtures } = await fromServer('src/fixtures/library.ts');
  writeFileSync(target, JSON.stringify(Object.fromEntries([prepareScenarios(), ...prepareFixtures()])));
}

/** Writes the contract as OpenAPI 3.0, by the code of the server that derives it. */
async function writeOpenapi30(target) {
  const { deriveOpenapi30 } = await fromServer('src/contract/openapi-3.0.ts');
  writeFileSync(join(target, 'openapi-3.0.yaml'), deriveOpenapi30(readFileSync(join(root, 'openapi.yaml'), 'utf8')));
}

/** Imports a file of the server's source, for what the build takes from it. */
async function fromServer(path) {
  const { build } = await import('rolldown');
  const { output } = await build({
    cwd: root,
    input: path,
    platform: 'node',
    plugins: [packagesOutside],
    output: { format: 'esm' },
    write: false,
    logLevel: 'warn',
  });
  const module = join(root, staging, 'imported.mjs');
  writeFileSync(module, output[0].code);
  try {
    return await import(`${pathToFileURL(module)}?of=${path}`);
  } finally {
    rmSync(module);
  }
}

if (flags.has('--if-needed') && upToDate()) {
  process.exitCode = 0;
} else if (flags.has('--required') && !existsSync(built) && !hasBundler) {
  console.error('ringback: there is no dist/ yet, and no bundler to make it: run `npm ci` first');
  process.exitCode = 1;
} else if (!hasBundler) {
  console.log('ringback: the bundler is not installed, so nothing was built');
} else {
  // Built in a folder of its own and then renamed, so that a running server or test never sees half of it.
  rmSync(join(root, staging), { recursive: true, force: true });
  const packages = await bundle(join(root, staging));
  copyFileSync(join(root, 'src/time-zones.json'), join(root, staging, 'time-zones.json'));
  writeFileSync(join(root, staging, 'bundled-licenses.txt'), licensesText([...packages, ...pagePackages]));
  cpSync(join(root, 'src/store/redis/scripts'), join(root, staging, 'scripts'), { recursive: true });
  await buildDashboard(join(root, staging, 'dashboard'));
  await buildReference(join(root, staging, 'reference'));
  await precompileYaml(join(root, staging, 'precompiled-yaml.json'));
  await writeOpenapi30(join(root, staging));
  await prepareFiles(join(root, staging, 'prepared.json'));
  chmodSync(join(root, staging, 'main.js'), 0o755);
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  renameSync(join(root, staging), join(root, 'dist'));
}
