// Writes the log: JSON lines, or colored lines on a terminal.
import { inspect } from 'node:util';
import pino, { type Logger } from 'pino';
import { systemNow } from './clock/clock.ts';
import type { Settings } from './config.ts';
import { LineBatch } from './line-batch.ts';
import type { Log } from './log.ts';
import { type Paint, textOf } from './log-lines.ts';
import { LogOutput, type Sink, stdoutSink } from './log-output.ts';
import { printable } from './printable.ts';
import { redactedBody } from './redaction/text.ts';
import { messageOf } from './system-errors.ts';

export interface ServerLog extends Log {
  /** The address and a key, as the first record of JSON lines at every level but `silent`. */
  ready(fields: { readonly url: string; readonly public_url?: string; readonly key: string }): void;
  /** Writes a text for people, not a record; nothing at `silent`. */
  print(text: string): void;
  /** Resolves when what was logged is written, or cannot be for now. */
  flush(): Promise<void>;
}

/** A terminal, as far as the log uses it. */
export interface Terminal {
  /** False if the environment asks for no color (NO_COLOR, TERM=dumb). */
  hasColors?(): boolean;
}

/** How long an output that nobody reads may hold up the end of a process. */
const FLUSH_MS = 500;

/** Readable on a terminal, JSON lines if there is none. */
export async function createLog(
  level: Settings['log'],
  terminal: Terminal | null,
  sink: Sink = stdoutSink(),
): Promise<ServerLog> {
  if (level === 'silent') return silentLog;
  const written = terminal === null ? jsonLog(level, sink) : await terminalLog(level, terminal, sink);
  return neverThrowing(written);
}

/** Stdout, if it is a terminal. */
export const terminalOfProcess = (): Terminal | null => (process.stdout.isTTY ? process.stdout : null);

type Level = Exclude<Settings['log'], 'silent'>;

/** As pino numbers them. */
const levelNumbers = { info: 30, debug: 20 };

const ignore = (): void => {};
const silentLog: ServerLog = {
  error: ignore,
  info: ignore,
  debug: ignore,
  line: ignore,
  shows: () => false,
  dropped: 0,
  ready: ignore,
  print: ignore,
  flush: async () => {},
};

const optionsFor = (level: Level) => ({
  level,
  base: null,
});

/** JSON lines: those of a busy time in one write, errors and what precedes them at once. */
function jsonLog(level: Level, sink: Sink): ServerLog {
  const output: LogOutput = new LogOutput(sink, (lost) => tellLost(logger, lost));
  const batch = new LineBatch((text) => output.write(text));
  const write = (record: string): void => batch.add(redactedBody(record));
  const logger: Logger = pino(optionsFor(level), { write });
  return {
    ...methodsOf(logger),
    error(fields, message) {
      logger.error(fields, message);
      batch.flush();
    },
    line(at, line) {
      if (logger.isLevelEnabled(at)) batch.add({ level: levelNumbers[at], time: systemNow(), line });
    },
    get dropped() {
      return output.dropped;
    },
    // Users who start a server need its address, at `error` too.
    ready(fields) {
      pino(optionsFor('info'), { write: (record) => batch.add(record) }).info(fields, 'ready');
      batch.flush();
    },
    print(text) {
      batch.flush();
      output.write(text);
    },
    async flush() {
      batch.flush();
      await output.flush(FLUSH_MS);
    },
  };
}

async function terminalLog(level: Level, terminal: Terminal, sink: Sink): Promise<ServerLog> {
  const colorize = terminal.hasColors?.() ?? false;
  const { prettyFactory } = (await import('pino-pretty')).default;
  const paint = painter(colorize);
  const pretty = prettyFactory({ colorize, translateTime: 'SYS:HH:MM:ss.l', ignore: 'pid,hostname', singleLine: true });
  const output: LogOutput = new LogOutput(sink, (lost) => tellLost(logger, lost));
  const logger: Logger = pino(optionsFor(level), {
    write: (record) => output.write(pretty(JSON.parse(redactedBody(record), printableValue))),
  });
  return {
    ...methodsOf(logger),
    line(at, line) {
      if (logger.isLevelEnabled(at)) output.write(`${textOf(line, paint)}\n`);
    },
    get dropped() {
      return output.dropped;
    },
    // The welcome says it.
    ready: ignore,
    print: (text) => output.write(text),
    flush: () => output.flush(FLUSH_MS),
  };
}

function tellLost(logger: Logger, lost: number): void {
  logger.error({ dropped: lost }, 'lines of the log were dropped: its output was full, closed, or not read in time');
}

/** Whatever a record holds, logging it never throws. */
function neverThrowing(log: ServerLog): ServerLog {
  const guard = <Arguments extends unknown[]>(write: (...given: Arguments) => void) => {
    return (...given: Arguments): void => {
      try {
        write(...given);
      } catch (error) {
        log.error({ reason: messageOf(error) }, 'a record of the log could not be written');
      }
    };
  };
  return Object.assign(Object.create(log), {
    error: guard(log.error),
    info: guard(log.info),
    debug: guard(log.debug),
    line: guard(log.line),
  });
}

const methodsOf = (logger: Logger): Pick<Log, 'error' | 'info' | 'debug' | 'shows'> => ({
  error: (fields, message) => logger.error(fields, message),
  info: (fields, message) => logger.info(fields, message),
  debug: (fields, message) => logger.debug(fields, message),
  shows: (level) => logger.isLevelEnabled(level),
});

function painter(colorize: boolean): Paint {
  return (color, text) => {
    const shown = printable(text.replace(/[\n\t]/g, ' '));
    const codes = color === 'none' ? undefined : inspect.colors[color];
    return colorize && codes && shown !== '' ? `\u001b[${codes[0]}m${shown}\u001b[${codes[1]}m` : shown;
  };
}

const printableValue = (_: string, value: unknown): unknown => (typeof value === 'string' ? printable(value) : value);
