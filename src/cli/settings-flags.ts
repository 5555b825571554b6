// The settings as flags of a command. Their values stay text here; `config.ts` parses them.
import type { Command } from 'commander';
import { flagOf, type SettingName, SettingProblem, settingNames, settings, variablesOf } from '../config.ts';

export type SettingFlags = Partial<Record<SettingName, string>>;

export function addSettingFlags(command: Command): Command {
  for (const name of settingNames) {
    const { allowed, meaning, default: defaultText } = settings[name];
    const flag = flagOf(name);
    const help = `${meaning} (${allowed}; ${variablesOf(name)[0]}${defaultText === null ? '' : `; ${defaultText}`})`;
    command.option(`${flag} <value>`, help, settingValue(command, flag, allowed));
  }
  return command;
}

/** The parser takes whatever follows a flag as its value, also another flag, which would then go unnoticed. */
export function settingValue(command: Command, flag: string, allowed: string): (text: string) => string {
  return (text) => {
    const [given] = text.split('=', 1);
    const isFlag = given === '--help' || command.options.some(({ long, short }) => given === long || given === short);
    if (isFlag) throw new SettingProblem(`${flag}: a value is required; must be ${allowed}`);
    return text;
  };
}
