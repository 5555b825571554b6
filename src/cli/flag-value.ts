// Checks values of flags. The parser takes whatever follows a flag as its value, even another flag, which would go
// unnoticed.
import type { Command } from 'commander';
import { durationForm, parseDuration } from '../clock/duration.ts';
import { notValid, redactedValue, WrongUse } from '../wrong-use.ts';
import { FlagOfKnown, type ValueParser } from './known-values.ts';

/** Reads a value as it is; refuses one that is a flag of the command. */
export function flagValue(command: Command, flag: string, allowed: string): (text: string) => string {
  return (text) => {
    const [given] = text.split('=', 1);
    const isFlag = given === '--help' || command.options.some(({ long, short }) => given === long || given === short);
    if (isFlag) throw new WrongUse(`${flag}: a value is required; must be ${allowed}`);
    return text;
  };
}

/** Adds a flag with a value; `parse` returns undefined for a text that is not allowed. */
export function addFlag(
  command: Command,
  flags: string,
  help: string,
  allowed = 'a value',
  parse: ValueParser = (text) => text,
): Command {
  const [flag = ''] = flags.split(' ');
  const read = flagValue(command, flag, allowed);
  const option = new FlagOfKnown(flags, help, parse).argParser((text) => {
    const value = parse(read(text));
    if (value === undefined) throw new WrongUse(notValid(flag, redactedValue(text), allowed));
    return value;
  });
  return command.addOption(option);
}

/** For the values of arguments; throws WrongUse. */
export function wrongArgument(name: string, text: string, allowed: string): WrongUse {
  return new WrongUse(notValid(name, redactedValue(text), allowed));
}

export const durationFlag = {
  allowed: durationForm,
  parse: (text: string) => (parseDuration(text) === undefined ? undefined : text),
};

/** A list with commas between its items; undefined if one of them is not known. */
export function listOf<Item extends string>(known: readonly Item[]): ValueParser<readonly Item[] | undefined> {
  const parse = (text: string): readonly Item[] | undefined => {
    const names = text.split(',').map((name) => name.trim());
    const found = known.filter((item) => names.includes(item));
    return found.length === new Set(names).size ? found : undefined;
  };
  return Object.assign(parse, { known, isList: true });
}

export function oneOf<Item extends string>(known: readonly Item[]): ValueParser<Item | undefined> {
  return Object.assign((text: string) => known.find((item) => item === text), { known });
}

export const integerFrom =
  (minimum: number, maximum: number) =>
  (text: string): number | undefined =>
    /^\d{1,15}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum ? Number(text) : undefined;
