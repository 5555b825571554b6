// Mutation tests: changes the code of each area in a thousand small ways, one at a time, and runs the area's tests. What
// they do not notice is named. `npm run mutants` tries every area, `npm run mutants -- plans signing` those.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { areas, equivalents } from './areas.mjs';

/** In percent, of all areas together. */
const GOAL = 85;
/** What Stryker leaves out of its score too: a `RuntimeError` ends the run of the tests, so none of them has failed. */
const UNCOUNTED = ['Ignored', 'CompileError', 'RuntimeError'];
const root = fileURLToPath(new URL('../..', import.meta.url));

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(areas);
const unknown = chosen.filter((name) => !Object.hasOwn(areas, name));
if (unknown.length > 0) {
  console.error(`no such area: ${unknown.join(', ')}; must be among ${Object.keys(areas).join(', ')}`);
  process.exit(2);
}

const missing = chosen
  .flatMap((name) => areas[name].tests)
  .filter((test) => !existsSync(`${root}/test/${test}.test.ts`));
if (missing.length > 0) {
  console.error(`no such tests: ${missing.join(', ')}; change test/mutants/areas.mjs`);
  process.exit(2);
}

setPriority(10);
const results = chosen.map(tryArea);
for (const { area, tried, noticed, survivors } of results) {
  console.log(`\n${area}: ${noticed} of ${tried} (${percent(noticed, tried)} %)`);
  for (const survivor of survivors) console.log(`  ${survivor}`);
}
const [noticed, tried] = ['noticed', 'tried'].map((of) => results.reduce((sum, result) => sum + result[of], 0));
console.log(`\nall: ${noticed} of ${tried} (${percent(noticed, tried)} %); the goal is ${GOAL} %`);
process.exitCode = percent(noticed, tried) >= GOAL ? 0 : 1;

function tryArea(area) {
  const stryker = ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', 'test/mutants/stryker.config.mjs'];
  const env = { ...process.env, MUTANTS_AREA: area };
  const { status } = spawnSync(process.execPath, stryker, { cwd: root, env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`Stryker failed in ${area}`);
  const { files } = JSON.parse(readFileSync(`${root}/reports/mutants/${area}.json`, 'utf8'));
  const all = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({ file, line: source.split('\n')[mutant.location.start.line - 1].trim(), ...mutant })),
  );
  const counted = all.filter(({ status }) => !UNCOUNTED.includes(status));
  const survivors = counted.filter(({ status }) => status !== 'Killed' && status !== 'Timeout');
  return {
    area,
    tried: counted.length,
    noticed: counted.length - survivors.length,
    survivors: survivors.map(described),
  };
}

function described({ file, line, location, mutatorName, replacement, status }) {
  const known = equivalents[file]?.find((each) => each.line === line && each.replacement === replacement);
  const change = `${file}:${location.start.line}:${location.start.column} ${mutatorName} → ${replacement}`;
  return known ? `${change} (equivalent: ${known.why})` : `${change} (${status})`;
}

function percent(part, whole) {
  return whole === 0 ? 100 : Math.floor((1000 * part) / whole) / 10;
}
