// Describes wrong usage of the command line in one line that names what is allowed.
import type { Command, CommanderError } from 'commander';
import { flagOf, settingNames, settings } from '../config.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { WrongUse } from '../wrong-use.ts';

export const unknownCommand = (given: string, known: readonly string[]): WrongUse =>
  new WrongUse(`"${given}" is not a command; must be one of ${known.join(', ')}${didYouMean(given, known)}`);

/** The parser's error in our words. */
export const wrongUsage = (command: Command, problem: CommanderError): WrongUse =>
  new WrongUse(usageProblem(command, problem));

function usageProblem(command: Command, { code, message }: CommanderError): string {
  const quoted = /'([^']*)'/.exec(message)?.[1] ?? '';
  switch (code) {
    case 'commander.unknownOption':
      return unknownOption(command, message);
    case 'commander.optionMissingArgument':
      return missingValue(quoted);
    case 'commander.missingMandatoryOptionValue':
      return `${quoted.split(' ', 1)[0]} is required; ${seeHelp(command)}`;
    case 'commander.missingArgument':
      return `${quoted} is required: ${usageOf(command)}`;
    case 'commander.excessArguments':
      return excess(command);
  }
  return message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
}

function missingValue(option: string): string {
  const [flag = '', form = ''] = option.split(' ');
  const name = settingNames.find((setting) => flagOf(setting) === flag);
  return `${flag}: a value is required${name ? `; must be ${settings[name].allowed}` : `: ${flag} ${form}`}`;
}

function excess(command: Command): string {
  const expected = command.registeredArguments.length;
  const given = command.args[expected] ?? '';
  if (expected > 0) return `"${given}" is one argument too many: ${usageOf(command)}`;
  const names = command.commands.map((each) => each.name());
  if (names.length > 0)
    return unknownCommand(given, names).message.replace('is not a command', `is not a command of ${nameOf(command)}`);
  return `"${given}" is not expected: ${nameOf(command)} takes no arguments; ${seeHelp(command)}`;
}

/** Its name with that of its parent, such as `clock show`. */
function nameOf(command: Command): string {
  const above = command.parent?.parent ? `${nameOf(command.parent)} ` : '';
  return `${above}${command.name()}`;
}

const usageOf = (command: Command): string => `ringback ${nameOf(command)} ${command.usage()}`;
const seeHelp = (command: Command): string => `see ringback ${command.parent ? `${nameOf(command)} ` : ''}--help`;

function unknownOption(command: Command, message: string): string {
  // Only the name: a value written after it could be a secret.
  const given = /'(-[^'=]*)/.exec(message)?.[1] ?? '';
  const known = [...command.options.map(({ long }) => long ?? ''), '--help'];
  return `${given} is not a known option; must be one of ${known.join(', ')}${didYouMean(given, known, '--')} (${seeHelp(command)})`;
}

/** A command that has only commands below it was given none of them. */
export function needsCommand(group: Command): void {
  group.action(() => {
    const names = group.commands.map((each) => each.name());
    throw new WrongUse(`${nameOf(group)}: a command is required; must be one of ${names.join(', ')}`);
  });
}
