// Writes the log: one JSON line per record, or readable lines if stdout is a terminal.
import pino, { type Logger } from 'pino';
import type { Settings } from './config.ts';
import { secretNames } from './http/redact.ts';

export async function createLog(level: Settings['log'], readable = process.stdout.isTTY): Promise<Logger> {
  const options = { level, base: null, redact: secretNames.flatMap((name) => [name, `*.${name}`]) };
  if (level === 'silent' || !readable) return pino(options, pino.destination({ dest: 1, sync: true }));
  const { default: pretty } = await import('pino-pretty');
  return pino(options, pretty({ sync: true, colorize: true, translateTime: 'SYS:HH:MM:ss.l', ignore: 'pid,hostname' }));
}
