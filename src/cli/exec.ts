// `ringback exec -- CMD`: runs a command against its own server, and exits as the command does.
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Command } from 'commander';
import { readSettings } from '../config.ts';
import { environment } from '../environment.ts';
import { hasCode, messageOf } from '../system-errors.ts';
import { surviveErrors } from './last-resort.ts';
import { note } from './output.ts';
import { addSettingFlags, type SettingFlags } from './settings-flags.ts';
import { parentEnded } from './waiting-ancestors.ts';

/** What shells answer for a command that is not there, that cannot be run, and that a signal has ended. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;
const BY_SIGNAL = 128;

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export function define(command: Command): void {
  addSettingFlags(
    command.argument('<command...>', 'the command and its arguments, after --').usage('[options] -- <command...>'),
  )
    .passThroughOptions()
    .addHelpText(
      'after',
      `
The command gets RINGBACK_URL and RINGBACK_KEY. It is started when the server is ready, on a free port unless --port says
otherwise; signals are passed on to it, and its exit code is that of ringback. The server's log goes to stderr: errors
only, unless --log says otherwise.

Example:
  ringback exec --clock manual -- npm test`,
    )
    .action(async ([program = '', ...args]: string[], flags: SettingFlags) => {
      const settings = readSettings({ port: '0', ...(environment.RINGBACK_LOG ? {} : { log: 'error' }), ...flags });
      const isServing = surviveErrors();
      const child = new Child();
      const { startServer } = await import('./run-server.ts');
      const server = await startServer(settings);
      isServing(server.log);
      try {
        process.exitCode = child.isStopped
          ? BY_SIGNAL + constants.signals.SIGTERM
          : await child.run(program, args, server);
      } finally {
        await server.close();
      }
    });
}

/** The command as a process. Signals that arrive before it runs keep it from being started. */
class Child {
  #process: ChildProcess | undefined;
  isStopped = false;

  constructor() {
    for (const signal of signals) process.on(signal, () => this.#pass(signal));
    void parentEnded().then(() => this.#pass('SIGTERM'));
  }

  /** Resolves to its exit code. */
  run(
    program: string,
    args: readonly string[],
    { url, key }: { readonly url: string; readonly key: string },
  ): Promise<number> {
    const env = { ...environment, RINGBACK_URL: url, RINGBACK_KEY: key };
    return new Promise((resolve) => {
      // Windows has scripts such as npm.cmd, which only its shell runs.
      const child = spawn(program, args, { env, stdio: 'inherit', shell: process.platform === 'win32' });
      this.#process = child;
      child.on('error', (error) => {
        note(
          `ringback: ${program} cannot be run: ${hasCode(error, 'ENOENT') ? 'there is no such command' : messageOf(error)}`,
        );
        resolve(hasCode(error, 'ENOENT') ? NOT_FOUND : NOT_EXECUTABLE);
      });
      child.on('exit', (code, signal) => resolve(code ?? BY_SIGNAL + (signal ? constants.signals[signal] : 0)));
    });
  }

  #pass(signal: NodeJS.Signals): void {
    this.isStopped = true;
    // A terminal sends Ctrl-C to all that runs on it; a second one would end many programs at once.
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    this.#process?.kill(signal);
  }
}
