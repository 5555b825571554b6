// Writes the log: JSON lines, or readable and colored ones on a terminal.
import { inspect } from 'node:util';
import pino, { type Logger } from 'pino';
import type { Settings } from './config.ts';
import { secretNames } from './http/redact.ts';
import type { Log } from './log.ts';
import { type Paint, textOf } from './log-lines.ts';

export interface ServerLog extends Log {
  /** The address and a key, as the first record of JSON lines at every level but `silent`. */
  ready(fields: { readonly url: string; readonly key: string }): void;
  /** Writes what has not been written yet. */
  flush(): void;
}

/** A terminal, as far as the log uses it. */
export interface Terminal {
  write(text: string): unknown;
  /** False if the environment asks for no color (NO_COLOR, TERM=dumb). */
  hasColors?(): boolean;
}

/** Readable on a terminal, JSON lines on stdout if there is none. */
export async function createLog(level: Settings['log'], terminal: Terminal | null): Promise<ServerLog> {
  if (level === 'silent') return silentLog;
  return terminal === null ? jsonLog(level) : terminalLog(level, terminal);
}

/** Stdout, if it is a terminal. */
export const terminalOfProcess = (): Terminal | null => (process.stdout.isTTY ? process.stdout : null);

type Level = Exclude<Settings['log'], 'silent'>;

const ignore = (): void => {};
const silentLog: ServerLog = {
  error: ignore,
  info: ignore,
  debug: ignore,
  line: ignore,
  shows: () => false,
  ready: ignore,
  flush: ignore,
};

const optionsFor = (level: Level) => ({
  level,
  base: null,
  redact: secretNames.flatMap((name) => [name, `*.${name}`]),
});

/** JSON lines on stdout: those of one tick of the event loop in one write, errors and what precedes them at once. */
function jsonLog(level: Level): ServerLog {
  const stdout = pino.destination({ dest: 1, sync: true });
  let waiting = '';
  const flush = (): void => {
    const lines = waiting;
    waiting = '';
    if (lines !== '') stdout.write(lines);
  };
  const logger = pino(optionsFor(level), {
    write(line) {
      if (waiting === '') setImmediate(flush);
      waiting += line;
    },
  });
  return {
    ...methodsOf(logger),
    error(fields, message) {
      logger.error(fields, message);
      flush();
    },
    line: (at, line) => logger[at](line, textOf(line)),
    // Whoever starts a server needs its address, at `error` too.
    ready(fields) {
      logger.child({}, { level: 'info' }).info(fields, 'ready');
      flush();
    },
    flush,
  };
}

async function terminalLog(level: Level, terminal: Terminal): Promise<ServerLog> {
  const colorize = terminal.hasColors?.() ?? false;
  const { prettyFactory } = (await import('pino-pretty')).default;
  const pretty = prettyFactory({ colorize, translateTime: 'SYS:HH:MM:ss.l', ignore: 'pid,hostname' });
  const write = (text: string): unknown => terminal.write(text);
  const logger = pino(optionsFor(level), { write: (record) => void write(pretty(JSON.parse(record, printableValue))) });
  const paint = painter(colorize);
  return {
    ...methodsOf(logger),
    line(at, line) {
      if (logger.isLevelEnabled(at)) write(`${textOf(line, paint)}\n`);
    },
    // The welcome says it.
    ready: ignore,
    flush: ignore,
  };
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

/** What a terminal would act on or hide: control characters, and marks that change the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Text that does nothing to a terminal but appear there; line breaks and tabs are kept. */
const printable = (text: string): string =>
  text.replace(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

const printableValue = (_: string, value: unknown): unknown => (typeof value === 'string' ? printable(value) : value);
