// `ringback mcp`: the sandbox as tools for coding agents. Its place; it is not built yet.
import type { Command } from 'commander';
import { WrongUse } from '../wrong-use.ts';

export function define(command: Command): void {
  command
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() => {
      throw new WrongUse('mcp is not built yet');
    });
}
