#!/usr/bin/env node
// The process: reads the command line, runs one command, gives its exit code. 0 done, 1 the check failed, 2 wrong use.
import { Command, CommanderError } from 'commander';
import { readyz } from './cli/readyz.ts';
import { addSettingFlags, type SettingFlags } from './cli/settings-flags.ts';
import { stopSignal } from './cli/stop-signal.ts';
import { durationForm, parseDuration } from './clock/duration.ts';
import { readServerUrl, readSettings, SettingProblem, settingNames, settings } from './config.ts';
import { didYouMean } from './errors/did-you-mean.ts';
import { version } from './version.ts';
import { FileProblem } from './yaml-with-locations.ts';

const WRONG_USE = 2;
/** Commands of `interface.md` section 7 that a later release will bring. */
const notBuilt = [
  'listen',
  'trigger',
  'scenarios',
  'clock',
  'deliveries',
  'check-receiver',
  'exec',
  'coverage',
  'init',
];

/** What to do about it, by the system's word for what is in the way of listening. */
const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something listens there already, so name another --port, or 0 for a free one',
  EACCES: 'not every port is for everyone, so name another --port, or 0 for a free one',
  EADDRNOTAVAIL: '--host must be an address of this machine, or 0.0.0.0 for all of them',
  ENOTFOUND: '--host must be an address of this machine, or 0.0.0.0 for all of them',
};

const program = new Command('ringback')
  .description('A sandbox server for the Voice Platform API.')
  .version(version)
  .configureOutput({ outputError: () => {} })
  .showSuggestionAfterError();

addSettingFlags(program.command('serve', { isDefault: true }).description('serve the sandbox (the default command)'))
  .option('--json', 'print the log alone, as JSON lines, without the welcome')
  .action(async ({ json, ...flags }: SettingFlags & { json?: boolean }) => {
    const settings = readSettings(flags, true);
    const stop = stopSignal();
    // The server is most of the program: loaded by whoever serves, so that a health check every few seconds is cheap.
    const { serve } = await import('./cli/serve.ts');
    process.exitCode = await serve(settings, stop, json === true);
  });

program
  .command('readyz')
  .description('exit 0 when a server is ready, 1 when not')
  .option('--url <url>', 'the server (RINGBACK_URL; else this machine, at --port)')
  .option('--port <value>', 'its port on this machine (RINGBACK_PORT; 4747)')
  .option('--wait <duration>', 'how long to wait for it, such as 30s', '0s')
  .option('--json', 'print one JSON object')
  .action(async (flags: { url?: string; port?: string; wait: string; json?: boolean }) => {
    const waitMs = parseDuration(flags.wait);
    if (waitMs === undefined)
      throw new SettingProblem(`--wait: "${flags.wait}" is not allowed; allowed: ${durationForm}`);
    process.exitCode = await readyz(readServerUrl(flags.url, flags.port), waitMs, flags.json === true);
  });

const built = program.commands.map((command) => command.name());
for (const name of notBuilt) {
  const command = program.command(name, { hidden: true }).allowUnknownOption().allowExcessArguments().helpOption(false);
  command.action(() => {
    throw new SettingProblem(`${name} is not built yet; the commands are ${built.join(' and ')}`);
  });
}
for (const command of [program, ...program.commands]) {
  command.exitOverride((error) => {
    throw error.exitCode === 0 ? error : new SettingProblem(explained(command, error));
  });
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}
// Sockets that clients keep open must not keep a finished program alive.
process.exit();

/** The parser's complaint as one line that says what is allowed. */
function explained(command: Command, { code, message }: CommanderError): string {
  switch (code) {
    case 'commander.unknownOption': {
      // The name alone: what is written after it could be a secret.
      const given = /'(-[^'=]*)/.exec(message)?.[1] ?? '';
      const known = [...command.options.map(({ long }) => long ?? ''), '--help'];
      const help = `see ringback ${command === program ? '' : `${command.name()} `}--help`;
      return `there is no option ${given}; one of ${known.join(', ')}${didYouMean(given, known)} (${help})`;
    }
    case 'commander.optionMissingArgument': {
      const flag = /--[\w-]+/.exec(message)?.[0];
      const name = settingNames.find((each) => settings[each].flag === flag);
      if (name) return `${flag}: no value is given; allowed: ${settings[name].allowed}`;
      break;
    }
    case 'commander.excessArguments': {
      const [word = ''] = command.args;
      return `${command.name()} takes no arguments, and "${word}" is no command; one of ${built.join(', ')}${didYouMean(word, built)}`;
    }
  }
  return message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode;
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (error instanceof SettingProblem || error instanceof FileProblem) {
    process.stderr.write(`ringback: ${message}\n`);
    return WRONG_USE;
  }
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    const remedy = remedies[code ?? ''];
    process.stderr.write(`ringback: cannot listen: ${message}${remedy ? `; ${remedy}` : ''}\n`);
    return 1;
  }
  process.stderr.write(`ringback: ${error instanceof Error ? (error.stack ?? message) : String(error)}\n`);
  return 1;
}
