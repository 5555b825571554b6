// The settings as flags of a command. Their values stay text here; `config.ts` parses them.
import type { Command } from 'commander';
import { type SettingName, settingNames, settings } from '../config.ts';

export type SettingFlags = Partial<Record<SettingName, string>>;

export function addSettingFlags(command: Command): Command {
  for (const name of settingNames) {
    const { flag, environment, allowed, meaning, default: defaultText } = settings[name];
    const help = `${meaning} (${allowed}; ${environment[0]}${defaultText === null ? '' : `; ${defaultText}`})`;
    command.option(`${flag} <value>`, help);
  }
  return command;
}
