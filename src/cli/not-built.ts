// Commands of `interface.md` section 7 that are not built yet. They are refused by name and hidden from the help.
import type { Command } from 'commander';
import { SettingProblem } from '../config.ts';

const names = [
  'listen',
  'trigger',
  'scenarios',
  'clock',
  'deliveries',
  'check-receiver',
  'exec',
  'coverage',
  'requests',
  'events',
  'faults',
  'worlds',
  'mcp',
  'init',
] as const;

export function addNotBuilt(program: Command, built: readonly string[]): void {
  for (const name of names) {
    const command = program.command(name, { hidden: true });
    // Flags and arguments are accepted, so that the message is about the command.
    command.allowUnknownOption().allowExcessArguments().helpOption(false);
    command.action(() => {
      throw new SettingProblem(`${name} is not built yet; the commands are ${built.join(' and ')}`);
    });
  }
}
