// The command line: `interface.md` section 7. It loads only what every command needs.
import { Command, type CommanderError } from 'commander';
import { hasCode } from '../system-errors.ts';
import { version } from '../version.ts';
import { commandNames, commands, DEFAULT_COMMAND } from './commands.ts';

/** Runs the command of the command line, and returns its exit code. Rejects only for lack of descriptors. */
export async function runProgram(): Promise<number | string | undefined> {
  try {
    const args = await inFull(process.argv.slice(2));
    const program = await createProgram((name) => name === args[0]);
    await program.parseAsync(args, { from: 'user' });
    return process.exitCode ?? 0;
  } catch (error) {
    if (hasCode(error, 'EMFILE') || hasCode(error, 'ENFILE')) throw error;
    // The help and the version end the parser too.
    if (error instanceof Unparsed && error.problem.exitCode === 0) return 0;
    const { reportError } = await import('./report-error.ts');
    if (!(error instanceof Unparsed)) return reportError(error);
    const { wrongUsage } = await import('./usage.ts');
    return reportError(wrongUsage(error.command, error.problem));
  }
}

/** What the parser has refused of a command. */
class Unparsed extends Error {
  readonly command: Command;
  readonly problem: CommanderError;

  constructor(command: Command, problem: CommanderError) {
    super(problem.message);
    this.command = command;
    this.problem = problem;
  }
}

/** The parser with every command, those defined in full for which that holds. */
export async function createProgram(isNeeded: (name: string) => boolean): Promise<Command> {
  const program = new Command('ringback')
    .description('A sandbox server for the Voice Platform API.')
    .version(version)
    .configureOutput({ outputError: () => {} })
    .enablePositionalOptions()
    .helpCommand(false)
    .addHelpText('after', '\n`ringback <command> --help` shows what a command takes.');
  for (const { name, summary, load } of commands) {
    const command = program.command(name).description(summary);
    if (isNeeded(name)) (await load()).define(command, () => createProgram(() => true));
  }
  throwFrom(program);
  return program;
}

/** Without this, the parser ends the process. */
function throwFrom(command: Command): void {
  command.helpCommand(false).exitOverride((problem) => {
    throw new Unparsed(command, problem);
  });
  for (const each of command.commands) throwFrom(each);
}

/** The command line with the name of its command first: `help clock` is `clock --help`, and flags alone are those of `serve`. */
async function inFull(args: readonly string[]): Promise<string[]> {
  const [first, ...rest] = args;
  if (first === undefined) return [DEFAULT_COMMAND];
  if (['--help', '-h', '--version', '-V'].includes(first)) return [first];
  if (first === 'help') return rest.length === 0 ? ['--help'] : [...(await inFull(rest)), '--help'];
  if (first.startsWith('-')) return [DEFAULT_COMMAND, ...args];
  if (commandNames.includes(first)) return [...args];
  const { unknownCommand } = await import('./usage.ts');
  throw unknownCommand(first, commandNames);
}
