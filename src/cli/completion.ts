// `ringback completion <shell>`: a script with the commands and flags of this version; nothing is started to complete a word.
import type { Argument, Command, Option } from 'commander';
import { WrongUse } from '../wrong-use.ts';
import { bash } from './completion/bash.ts';
import type { Completable, CompletableFlag } from './completion/completable.ts';
import { fish } from './completion/fish.ts';
import { zsh } from './completion/zsh.ts';
import { ArgumentOfKnown, FlagOfKnown, knownValues } from './known-values.ts';

const shells = { bash, zsh, fish };
const shellNames = Object.keys(shells);

export function define(command: Command, wholeProgram: () => Promise<Command>): void {
  command.addArgument(new ArgumentOfKnown('<shell>', shellNames.join(', '), shellNames)).addHelpText(
    'after',
    `
bash   ringback completion bash > ~/.local/share/bash-completion/completions/ringback
zsh    ringback completion zsh > a folder of your $fpath, as _ringback
fish   ringback completion fish > ~/.config/fish/completions/ringback.fish

To try it without a file: source <(ringback completion bash)`,
  );
  command.action(async (shell: string) => {
    if (!isShell(shell))
      throw new WrongUse(
        `completion: ${JSON.stringify(shell)} is not supported; must be one of ${shellNames.join(', ')}`,
      );
    process.stdout.write(shells[shell](completables(await wholeProgram())));
  });
}

const isShell = (text: string): text is keyof typeof shells => Object.hasOwn(shells, text);

/** Every command, the program first. */
export function completables(command: Command, path: readonly string[] = []): Completable[] {
  const visible = command.createHelp().visibleCommands(command);
  return [
    {
      path,
      commands: visible.map((each) => ({ name: each.name(), summary: each.description() })),
      flags: [
        ...command.options,
        ...command
          .createHelp()
          .visibleOptions(command)
          .filter(({ long }) => long === '--help'),
      ].map(flagOf),
      values: command.registeredArguments.flatMap(knownValues),
      takes: command.registeredArguments.map(takenBy).find((each) => each !== null) ?? null,
    },
    ...visible.flatMap((each) => completables(each, [...path, each.name()])),
  ];
}

const isFile = (name: string): boolean => /file|folder|path/.test(name);

function flagOf(option: Option): CompletableFlag {
  const { long, short, flags, description, required, optional } = option;
  const value = required || optional ? (isFile(flags) ? 'file' : 'other') : null;
  const values = { values: knownValues(option), isList: option instanceof FlagOfKnown && option.isList };
  return { name: long ?? short ?? '', summary: description, value, ...values };
}

function takenBy(argument: Argument): Completable['takes'] {
  if (argument.name() === 'command') return 'command';
  return isFile(argument.name()) ? 'files' : null;
}
