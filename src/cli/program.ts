// The command line: `interface.md` section 7.
import { Command } from 'commander';
import { SettingProblem } from '../config.ts';
import { hasCode } from '../system-errors.ts';
import { version } from '../version.ts';
import { reportError } from './exit-code.ts';
import { addNotBuilt } from './not-built.ts';
import { addReadyz } from './readyz.ts';
import { addServe } from './serve.ts';
import { usageProblem } from './usage.ts';

/** Runs the command of the command line, and returns its exit code. Rejects only for lack of descriptors. */
export async function runProgram(): Promise<number | string | undefined> {
  try {
    await createProgram().parseAsync();
    return process.exitCode ?? 0;
  } catch (error) {
    if (hasCode(error, 'EMFILE') || hasCode(error, 'ENFILE')) throw error;
    return reportError(error);
  }
}

/** The parser with every command; wrong usage throws SettingProblem, `--help` and `--version` a CommanderError. */
export function createProgram(): Command {
  const program = new Command('ringback')
    .description('A sandbox server for the Voice Platform API.')
    .version(version)
    .configureOutput({ outputError: () => {} })
    .showSuggestionAfterError();
  addServe(program);
  addReadyz(program);
  const built = program.commands.map((command) => command.name());
  addNotBuilt(program, built);
  for (const command of [program, ...program.commands]) {
    command.exitOverride((error) => {
      throw error.exitCode === 0 ? error : new SettingProblem(usageProblem(command, error, built));
    });
  }
  return program;
}
