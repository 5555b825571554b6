// `ringback serve`, the default command.
import type { Command } from 'commander';
import { readSettings } from '../config.ts';
import { openFilesLimit } from '../process-status.ts';
import { surviveErrors } from './last-resort.ts';
import { addSettingFlags, type SettingFlags } from './settings-flags.ts';
import { stopSignal } from './stop-signal.ts';
import { parentEnded } from './waiting-ancestors.ts';

/** With fewer, the server may come to be ready, and then stop working at any moment. */
const MIN_OPEN_FILES = 64;

interface ServeFlags extends SettingFlags {
  readonly json?: boolean;
  readonly demo?: boolean;
}

export function define(command: Command): void {
  defineServing(command.option('--demo', 'fill the world `demo` with calls, texts and webhooks to look at'), false);
}

/** `isDemo`: as with `--demo`, without having been asked. */
export function defineServing(command: Command, isDemo: boolean): void {
  addSettingFlags(command)
    .option('--json', 'print only the log, as JSON lines, without the welcome')
    .action(async ({ json, demo = isDemo, ...flags }: ServeFlags) => {
      const settings = readSettings(flags, true);
      const files = openFilesLimit() ?? MIN_OPEN_FILES;
      if (files < MIN_OPEN_FILES) throw Object.assign(new Error(`EMFILE: the limit is ${files}`), { code: 'EMFILE' });
      const isServing = surviveErrors();
      const stop = Promise.race([stopSignal(), parentEnded()]);
      // Loaded only here: the server is most of the program, and other commands must start fast.
      const { runServer } = await import('./run-server.ts');
      process.exitCode = await runServer(settings, { stop, isServing, json: json === true, demo });
    });
}
