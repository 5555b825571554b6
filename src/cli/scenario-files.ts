// `ringback scenarios validate|play|new`: checks, plays and creates scenario files on this machine, without a server.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { drawPlayed } from '../authoring/draw-timeline.ts';
import { scenarioSkeleton, schemaFor } from '../authoring/new-scenario.ts';
import { NotPlayable, playScenario } from '../authoring/play-scenario.ts';
import { validateScenarios } from '../authoring/validate-scenarios.ts';
import { isDataFile } from '../data-folder.ts';
import type { Fault } from '../file-problem.ts';
import { scenarioKinds } from '../lifecycles/index.ts';
import { ScenarioLibrary } from '../scenarios/library.ts';
import { settings } from '../settings-table.ts';
import { messageOf } from '../system-errors.ts';
import { WrongUse } from '../wrong-use.ts';
import { addFlag, oneOf } from './flag-value.ts';
import { ArgumentOfKnown } from './known-values.ts';
import { counted, note, paint, plain, plainLines, print, printJson } from './output.ts';
import { PROJECT_FOLDER, scenarioFolder } from './scenario-folder.ts';

export const bundledScenarios = (): string[] =>
  new ScenarioLibrary()
    .forWorld([])
    .all()
    .map(({ name }) => name);

export function defineValidate(command: Command): void {
  command
    .argument(
      '[files...]',
      `scenario files, and folders of them (default: that of RINGBACK_SCENARIOS, or else ${PROJECT_FOLDER})`,
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExits with 1 if one of them is not valid, and names file, line and column.')
    .action((given: string[], { json }: { json?: true }) => {
      const paths = given.length > 0 ? given : [folderToValidate()];
      const { files, faults } = validateScenarios(paths);
      if (json) printJson({ valid: faults.length === 0, files, faults });
      else if (faults.length > 0) for (const fault of faults) print(faultText(fault));
      else print(plain(`${given.length > 0 ? '' : `${paths.join()}: `}${validText(files)}`));
      process.exitCode = faults.length === 0 ? 0 : 1;
    });
}

function folderToValidate(): string {
  const folder = scenarioFolder();
  if (folder !== undefined) return folder;
  throw new WrongUse(
    `scenarios validate: give files or folders; RINGBACK_SCENARIOS is not set, and there is no ${PROJECT_FOLDER} here`,
  );
}

const validText = (files: readonly string[]): string =>
  files.length === 0
    ? 'there are no scenario files (.yaml, .yml or .json).'
    : `${counted(files.length, 'file')}: valid.`;

function faultText({ file, line, column, field, reason }: Fault): string {
  const place = [file, line, column].filter((part) => part !== 0).join(':');
  return `${paint('bold', plain(place))}: ${plain(field === '' ? reason : `${field}: ${reason}`)}`;
}

interface PlayFlags {
  readonly scenarios?: string;
  readonly seed?: string;
  readonly json?: true;
}

export function definePlay(command: Command): void {
  command.addArgument(
    new ArgumentOfKnown('<name-or-file>', 'its name, with parameters as busy;ring=2s, or its file', bundledScenarios),
  );
  addFlag(
    command,
    '--scenarios <folder>',
    `a folder of scenarios, laid over the bundled ones (RINGBACK_SCENARIOS; default: ${PROJECT_FOLDER} if it is there)`,
    'a folder',
  );
  addFlag(command, '--seed <n>', 'what ranges and branches are drawn from (1)', settings.seed.allowed, (text) =>
    settings.seed.parse(text) === undefined ? undefined : text,
  );
  command.option('--json', 'print JSON').action(async (name: string, { json, ...flags }: PlayFlags) => {
    const played = await playScenario(referenceOf(name, flags)).catch(refusePlay);
    if (json) printJson(played);
    else print(plainLines(drawPlayed(played).trimEnd()));
  });
}

/** A file is a scenario of its folder. */
function referenceOf(name: string, { scenarios, seed }: PlayFlags) {
  const [file = ''] = name.split(';', 1);
  if (!isDataFile(file)) return { reference: name, folder: scenarios ?? scenarioFolder(), seed };
  if (scenarios !== undefined) throw new WrongUse('scenarios play: give a file, or --scenarios with a name');
  if (!existsSync(file)) throw new WrongUse(`scenarios play: there is no file ${file}`);
  const reference = `${basename(file).replace(/\.\w+$/, '')}${name.slice(file.length)}`;
  return { reference, folder: dirname(file), seed };
}

function refusePlay(error: unknown): never {
  throw error instanceof NotPlayable ? new WrongUse(error.message) : error;
}

interface NewFlags {
  readonly kind: string;
  readonly folder: string;
  readonly force?: true;
  readonly json?: true;
}

export function defineNew(command: Command): void {
  command.argument('<name>', 'its name, which is that of its file');
  const kinds = scenarioKinds.join(', ');
  addFlag(command, '--kind <kind>', `what it applies to: ${kinds} (call)`, `one of ${kinds}`, oneOf(scenarioKinds));
  addFlag(command, '--folder <folder>', `where it is written (${PROJECT_FOLDER})`, 'a folder');
  command
    .option('--force', 'overwrite a file that exists')
    .option('--json', 'print JSON')
    .action((name: string, { kind = 'call', folder = PROJECT_FOLDER, force, json }: Partial<NewFlags>) => {
      const file = join(folder, `${name}.yaml`);
      writeScenario(file, name, kind, force === true);
      if (json) return printJson({ file, kind });
      print(`Wrote ${file}.`);
      note(`Play it: ringback scenarios play ${file}\nServe it: ringback serve --scenarios ${folder}`);
    });
}

function writeScenario(file: string, name: string, kind: string, overwrites: boolean): void {
  try {
    const text = scenarioSkeleton(name, kind, schemaFor(dirname(file), process.cwd()));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: overwrites ? 'w' : 'wx' });
  } catch (error) {
    if (error instanceof NotPlayable) throw new WrongUse(error.message);
    const reason = existsSync(file) && !overwrites ? 'it exists; --force overwrites it' : messageOf(error);
    throw new WrongUse(`${file} cannot be written: ${reason}`);
  }
}
