// `npm run generate`: writes every file and table that is generated from the contract or the catalogues, and prints what
// it changed. `test/generated.test.ts` fails if one of them is out of date.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createViteServer } from 'vitest/node';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

/** Examples that the contract refers to and that are not recorded yet; the generator of its types needs them all. */
function addMissingExamples() {
  const text = readFileSync('openapi.yaml', 'utf8');
  const [, recorded = ''] = text.split('\n  examples:');
  const missing = [...new Set([...text.matchAll(/#\/components\/examples\/(\w+)/g)].map(([, name]) => name))].filter(
    (name) => !recorded.includes(`\n    ${name}:\n`),
  );
  if (missing.length === 0) return;
  const kept = recorded.trim() === '{}' ? '' : recorded.trimEnd();
  const added = missing.map((name) => `\n    ${name}:\n      value: null`).join('');
  writeFileSync('openapi.yaml', `${text.slice(0, text.length - recorded.length)}${kept}${added}\n`);
}

function write(file, content) {
  if (existsSync(file) && readFileSync(file, 'utf8') === content) return;
  writeFileSync(file, content);
  console.log(`wrote ${file}`);
}

function examplesStay(where, error) {
  return `The examples of ${where} stay as they are. Run this again when the code does what the contract says.\n${error.message}\n`;
}

addMissingExamples();
// The contract's types come first: the catalogues are checked against them.
const { status } = spawnSync(
  process.execPath,
  ['node_modules/openapi-typescript/bin/cli.js', 'openapi.yaml', '-o', 'src/contract/wire.d.ts'],
  { stdio: 'inherit' },
);
if (status !== 0) process.exit(status ?? 1);

// Vite runs the TypeScript sources as they are, without a build and without type checks: a catalogue that does not
// compile yet must not keep its table from being generated.
const vite = await createViteServer({
  root,
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  optimizeDeps: { noDiscovery: true },
  server: { middlewareMode: true, ws: false, watch: null },
});
try {
  const { contractText, recordExamples, withExamples } = await vite.ssrLoadModule('/scripts/examples.ts');
  try {
    const text = contractText();
    write('openapi.yaml', withExamples(text, await recordExamples()));
  } catch (error) {
    console.error(examplesStay('openapi.yaml', error));
    process.exitCode = 1;
  }
  const { CONTROL_EXAMPLES, controlExamplesText, recordControlExamples } =
    await vite.ssrLoadModule('/scripts/control-examples.ts');
  try {
    write(CONTROL_EXAMPLES, controlExamplesText(await recordControlExamples()));
  } catch (error) {
    console.error(examplesStay('the control API', error));
    process.exitCode = 1;
  }
  const { CONTROL_TYPES, controlTypes } = await vite.ssrLoadModule('/scripts/control-types.ts');
  write(CONTROL_TYPES, await controlTypes());
  const { generatedFiles } = await vite.ssrLoadModule('/scripts/generated.ts');
  for (const [file, content] of generatedFiles()) write(file, content);
} finally {
  await vite.close();
}
