// `ringback init`: what it writes into which project, and what it leaves alone (`interface.md` section 7).
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { validateScenarios } from '../../src/authoring/validate-scenarios.ts';
import { temporaryFolders } from '../support/folders.ts';
import { commandLines, root } from '../support/program.ts';
import { thorough } from '../support/thorough.ts';
import { refusalLine } from './setup.ts';

const line = commandLines();
const folderOf = temporaryFolders();

const packageWith = (...names: string[]) => ({
  'package.json': JSON.stringify({ devDependencies: Object.fromEntries(names.map((name) => [name, '*'])) }),
});

/** Registers the command in a project of these files; the result is read as JSON. */
function initIn(files: Readonly<Record<string, string>>, ...flags: string[]) {
  const folder = folderOf(files);
  const end = line(['init', folder, '--json', ...flags]);
  return {
    folder,
    read: (name: string) => readFileSync(join(folder, name), 'utf8'),
    result: () => {
      const { code, stdout, stderr } = end();
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return JSON.parse(stdout);
    },
  };
}

const common = ['.github/workflows/ringback.yml', 'ringback/compose.yaml', 'ringback/scenarios/quick_answer.yaml'];
const ofVitest = [...common, 'test/calls.test.ts'];
const ofJest = [...common, 'test/calls.test.js'];
const ofPytest = [common[0], 'pytest.ini', 'requirements-test.txt', ...common.slice(1), 'tests/test_calls.py'];

describe('init chooses', () => {
  const module = JSON.stringify({ type: 'module', devDependencies: { jest: '*', ringback: '*' } });
  const pyproject = { 'pyproject.toml': '[tool.pytest.ini_options]\n' };
  const cases = [
    { project: 'an empty folder', files: {}, test: 'vitest', written: ofVitest },
    { project: 'Vitest', files: packageWith('vitest', 'jest'), test: 'vitest', written: ofVitest },
    { project: 'Jest', files: packageWith('jest'), test: 'jest', written: ofJest },
    { project: 'Jest and modules', files: { 'package.json': module }, test: 'jest', written: inModules(ofJest) },
    { project: 'requirements', files: { 'requirements.txt': '' }, test: 'pytest', written: ofPytest },
    {
      project: 'pytest settings',
      files: pyproject,
      test: 'pytest',
      written: ofPytest.filter((n) => n !== 'pytest.ini'),
    },
    { project: 'both', files: { ...pyproject, ...packageWith('jest') }, test: 'jest', written: ofJest },
    { project: '--lang ts', files: pyproject, flags: ['--lang', 'ts'], test: 'vitest', written: ofVitest },
    { project: '--test jest', files: packageWith('vitest'), flags: ['--test', 'jest'], test: 'jest', written: ofJest },
    {
      project: '--lang python',
      files: packageWith('jest'),
      flags: ['--lang', 'python'],
      test: 'pytest',
      written: ofPytest,
    },
  ].map(({ flags = [], ...each }) => ({ ...each, run: initIn(each.files, ...flags) }));

  function inModules(names: readonly string[]) {
    return names.map((name) => name.replace('calls.test.js', 'calls.test.cjs'));
  }

  it.each(cases)('for $project: $test', ({ test, written, run }) => {
    expect(run.result()).toMatchObject({ test, lang: test === 'pytest' ? 'python' : 'ts', written, kept: [] });
    for (const name of written) expect(existsSync(join(run.folder, String(name))), name).toBe(true);
  });

  const steps = cases.map(({ run }) => run);
  it('what is to be done next, by what is missing', () => {
    expect(steps[0]?.result().next).toEqual(['npm install --save-dev ringback vitest', 'npx vitest run']);
    expect(steps[3]?.result().next).toEqual(['npx jest']);
    expect(steps[5]?.result().next).toContain(
      'in the settings of pytest (pyproject.toml), unless it is there: ringback_args = "--scenarios ringback/scenarios"',
    );
  });
});

describe('init speaks of the package manager of the project', () => {
  const ofVitestAlone = { 'package.json': '{ "devDependencies": { "vitest": "*" } }' };
  const cases = [
    { has: 'package-lock.json', files: ofVitestAlone, next: ['npm install --save-dev ringback', 'npx vitest run'] },
    { has: 'pnpm-lock.yaml', files: ofVitestAlone, next: ['pnpm add --save-dev ringback', 'pnpm exec vitest run'] },
    { has: 'yarn.lock', files: ofVitestAlone, next: ['yarn add --dev ringback', 'yarn run vitest run'] },
    { has: 'bun.lock', files: ofVitestAlone, next: ['bun add --dev ringback', 'bunx vitest run'] },
    {
      has: 'packageManager',
      files: { 'package.json': '{ "packageManager": "pnpm@10.0.0", "devDependencies": { "jest": "*" } }' },
      next: ['pnpm add --save-dev ringback', 'pnpm exec jest'],
    },
  ].map(({ has, files, next }) => ({ has, next, run: initIn({ ...files, [has]: '' }) }));

  it.each(cases)('by $has', ({ next, run }) => {
    const { package_manager: manager, next: told } = run.result();
    expect(told).toEqual(next);
    const { jobs } = parse(run.read('.github/workflows/ringback.yml'));
    const steps: string[] = jobs.test.steps.map(({ uses, run }: { uses?: string; run?: string }) => uses ?? run);
    const commands = steps.slice(2).join('\n');
    const install = { npm: 'npm ci', pnpm: 'pnpm install', yarn: 'yarn install', bun: 'bun install' }[String(manager)];
    expect(commands).toContain(install);
    expect(commands).toMatch(next[1]?.startsWith('npx') ? /npx ringback scenarios/ : /^(?!.*\bnpx\b)/s);
    expect(commands).toContain(next[1]);
  });
});

describe('init', () => {
  const own = { 'pytest.ini': 'mine', 'requirements-test.txt': 'mine', 'ringback/compose.yaml': 'mine' };
  const keeping = initIn(own);
  const forced = initIn(own, '--force');
  const readable = folderOf();
  const printed = line(['init', readable]);

  it('keeps files that exist, and says what they need', () => {
    const { kept, next } = keeping.result();
    expect(kept).toEqual(Object.keys(own));
    expect(keeping.read('pytest.ini')).toBe('mine');
    expect(next.join()).toMatch(/clients\/python,in the settings of pytest \(pytest\.ini\)/);
  });

  it('overwrites them with --force', () => {
    expect(forced.result()).toMatchObject({ kept: [], written: ofPytest });
    expect(forced.read('pytest.ini')).toContain('--scenarios');
  });

  it('prints what it chose, why, and each file', () => {
    const { code, stdout, stderr } = printed();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^For vitest, since nothing here names another test runner\.\n/);
    for (const name of ofVitest) expect(stdout).toContain(`  wrote ${name}\n`);
    expect(stderr).toContain('npx vitest run');
  });

  it('writes a scenario that is valid and names its schema, and YAML that parses', () => {
    printed();
    const scenario = join(readable, 'ringback', 'scenarios', 'quick_answer.yaml');
    expect(validateScenarios([scenario]).faults).toEqual([]);
    expect(readFileSync(scenario, 'utf8')).toMatch(/^# yaml-language-server: \$schema=.*scenario\.schema\.json\n/);
    for (const name of common) expect(() => parse(readFileSync(join(readable, name), 'utf8'))).not.toThrow();
  });
});

describe('init refuses', () => {
  const broken = folderOf({ 'package.json': '{' });
  const blocked = folderOf({ ringback: 'a file' });
  const wrong: [args: string[], says: RegExp][] = [
    [['--lang', 'ruby'], /--lang: "ruby" is not valid; must be ts or python/],
    [['--test', 'mocha'], /--test: "mocha" is not valid; must be vitest or jest/],
    [['--lang', 'python', '--test', 'jest'], /--test is for --lang ts/],
    [['a', 'b'], /"b" is one argument too many/],
    [[join(broken, 'none'), '--test', 'jest'], /none cannot be read/],
    [[broken], /package\.json is not valid JSON/],
    [[blocked], /cannot be written/],
  ];
  const cases = wrong.map(([args, says]) => ({ args: args.join(' '), says, end: line(['init', ...args]) }));

  it.each(cases)('$args', ({ end, says }) => {
    expect(refusalLine(end())).toMatch(says);
  });
});

describe.runIf(thorough)('the example', () => {
  const { folder, result } = initIn(packageWith('vitest'));

  it('passes in Vitest', () => {
    result();
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules', 'ringback'), 'dir');
    symlinkSync(join(root, 'node_modules', 'vitest'), join(folder, 'node_modules', 'vitest'), 'dir');
    writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {};');
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, 'run'], { cwd: folder, encoding: 'utf8' });
    expect(status, `${stdout}${stderr}`).toBe(0);
  });
});
