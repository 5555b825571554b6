// `ringback init`: files to begin with. Its place; it is not built yet.
import type { Command } from 'commander';
import { WrongUse } from '../wrong-use.ts';

export function define(command: Command): void {
  command
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() => {
      throw new WrongUse('init is not built yet');
    });
}
