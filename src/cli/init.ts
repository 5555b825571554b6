// `ringback init`: an example test, a scenario, a Compose file and a CI workflow, copied from `templates/` of the package.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { packageFile } from '../package-files.ts';
import { hasCode, messageOf } from '../system-errors.ts';
import { WrongUse } from '../wrong-use.ts';
import { addFlag, oneOf } from './flag-value.ts';
import { commandsOf, workflowFor } from './installing.ts';
import { note, plain, print, printJson } from './output.ts';
import { type Choice, chooseFor, languages, pytestSettings, runners } from './project.ts';

interface InitFlags {
  readonly lang?: (typeof languages)[number];
  readonly test?: (typeof runners)[number];
  readonly force?: true;
  readonly json?: true;
}

export function define(command: Command): void {
  command.argument('[folder]', 'the folder of the project (default: this one)');
  addFlag(
    command,
    '--lang <language>',
    'ts or python (default: what the project has)',
    'ts or python',
    oneOf(languages),
  );
  addFlag(command, '--test <runner>', 'vitest or jest (default: what it has)', 'vitest or jest', oneOf(runners));
  command
    .option('--force', 'overwrite files that exist')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Writes an example test, a scenario, a Compose file and a workflow for GitHub Actions. Files that exist are kept.

Example:
  npm install --save-dev ringback vitest && npx ringback init && npx vitest run`,
    )
    .action((folder: string | undefined, flags: InitFlags) => {
      const target = folder ?? '.';
      const choice = chooseFor(target, flags);
      const files = filesFor(choice, target);
      const { written, kept } = write(files, target, flags.force === true);
      const next = nextSteps(choice, kept, target);
      const { lang, test, manager, because } = choice;
      if (flags.json) return printJson({ lang, test, package_manager: manager, because, written, kept, next });
      print(`For ${test}, since ${plain(because)}.`);
      for (const name of written) print(`  wrote ${name}`);
      for (const name of kept) print(`  kept  ${name}, which exists; --force overwrites it`);
      note(`\nNext:\n${next.map((step) => `  ${plain(step)}`).join('\n')}`);
    });
}

const WORKFLOW = '.github/workflows/ringback.yml';

/** The files to write, by their path in the project. */
function filesFor({ test, isModule, manager }: Choice, target: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const name of ['common', test === 'pytest' ? 'python' : test]) {
    const root = fileURLToPath(packageFile(`templates/${name}`));
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) files.set(relative(root, path).replaceAll('\\', '/'), readFileSync(path, 'utf8'));
    }
  }
  // The example for Jest is CommonJS, which Jest runs without a flag of Node.
  const jest = files.get('test/calls.test.js');
  if (jest !== undefined && isModule) {
    files.delete('test/calls.test.js');
    files.set('test/calls.test.cjs', jest);
  }
  const workflow = files.get(WORKFLOW);
  if (workflow !== undefined) files.set(WORKFLOW, workflowFor(manager, workflow));
  // It would switch off the project's own settings.
  if (pytestSettings(target) !== undefined) files.delete('pytest.ini');
  return files;
}

function write(files: ReadonlyMap<string, string>, target: string, overwrites: boolean) {
  const written: string[] = [];
  const kept: string[] = [];
  for (const [name, text] of [...files].sort()) {
    const path = join(target, name);
    try {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text, { flag: overwrites ? 'w' : 'wx' });
      written.push(name);
    } catch (error) {
      if (!hasCode(error, 'EEXIST') || !existsSync(path)) {
        throw new WrongUse(`init: ${path} cannot be written: ${messageOf(error)}`);
      }
      kept.push(name);
    }
  }
  return { written, kept };
}

/** What makes the example run, in order. */
function nextSteps({ test, missing, manager }: Choice, kept: readonly string[], target: string): string[] {
  const { add, run } = commandsOf[manager];
  const install = missing.length === 0 ? [] : [`${add} ${missing.join(' ')}`];
  if (test !== 'pytest') return [...install, test === 'vitest' ? `${run} vitest run` : `${run} jest`];
  const packages = kept.includes('requirements-test.txt')
    ? 'pytest pytest-xdist ./node_modules/ringback/clients/python'
    : '-r requirements-test.txt';
  return [...install, `pip install ${packages}`, ...pytestStep(kept, target), 'pytest -n 4'];
}

function pytestStep(kept: readonly string[], target: string): string[] {
  const settings = pytestSettings(target) ?? (kept.includes('pytest.ini') ? 'pytest.ini' : undefined);
  if (settings === undefined) return [];
  const value = '--scenarios ringback/scenarios';
  const line = settings.endsWith('.toml') ? `"${value}"` : value;
  return [`in the settings of pytest (${settings}), unless it is there: ringback_args = ${line}`];
}
