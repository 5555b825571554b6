// Describes wrong usage of the command line in one line that says what is allowed.
import type { Command, CommanderError } from 'commander';
import { flagOf, settingNames, settings } from '../config.ts';
import { didYouMean } from '../errors/did-you-mean.ts';

/** The parser's error in our words; `built` are the names of the commands. */
export function usageProblem(command: Command, { code, message }: CommanderError, built: readonly string[]): string {
  switch (code) {
    case 'commander.unknownOption':
      return unknownOption(command, message);
    case 'commander.optionMissingArgument': {
      const flag = /--[\w-]+/.exec(message)?.[0];
      const name = settingNames.find((setting) => flagOf(setting) === flag);
      if (name) return `${flag}: a value is required; must be ${settings[name].allowed}`;
      break;
    }
    case 'commander.excessArguments': {
      const [word = ''] = command.args;
      const suggestion = didYouMean(word, built);
      return `"${word}" is not a command, and ${command.name()} takes no arguments; must be one of ${built.join(', ')}${suggestion}`;
    }
  }
  return message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
}

function unknownOption(command: Command, message: string): string {
  // Only the name: a value written after it could be a secret.
  const given = /'(-[^'=]*)/.exec(message)?.[1] ?? '';
  const known = [...command.options.map(({ long }) => long ?? ''), '--help'];
  const help = `see ringback ${command.parent ? `${command.name()} ` : ''}--help`;
  return `${given} is not a known option; must be one of ${known.join(', ')}${didYouMean(given, known, '--')} (${help})`;
}
