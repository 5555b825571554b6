// The settings as flags of a command. Their values remain text here; `config.ts` parses them.
import type { Command } from 'commander';
import { flagOf, type SettingName, settingNames, settings, variablesOf } from '../config.ts';
import { flagValue } from './flag-value.ts';
import { FlagOfKnown } from './known-values.ts';

export type SettingFlags = Partial<Record<SettingName, string>>;

export function addSettingFlags(command: Command): Command {
  for (const name of settingNames) {
    const { allowed, meaning, default: defaultText, parse } = settings[name];
    const flag = flagOf(name);
    const help = `${meaning} (${allowed}; ${variablesOf(name)[0]}${defaultText === null ? '' : `; ${defaultText}`})`;
    const option = new FlagOfKnown(`${flag} <${/\b(file|folder)\b/.test(allowed) ? 'path' : 'value'}>`, help, parse);
    command.addOption(option.argParser(flagValue(command, flag, allowed)));
  }
  return command;
}
