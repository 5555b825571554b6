// The settings as options of a command, all as text; `config.ts` reads them.
import type { Command } from 'commander';
import { type SettingName, settingNames, settings } from '../config.ts';

export function addSettingFlags(command: Command): Command {
  for (const name of settingNames) {
    const { flag, environment, allowed, meaning, default: usual } = settings[name];
    const text = `${meaning} (${allowed}; ${environment[0]}${usual === null ? '' : `; ${usual}`})`;
    command.option(`${flag} <value>`, text);
  }
  return command;
}

export type SettingFlags = Partial<Record<SettingName, string>>;
