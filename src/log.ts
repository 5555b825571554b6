// The log: one JSON line a record, or lines for people where stdout is a terminal.
import pino, { type Logger } from 'pino';
import type { Settings } from './config.ts';

/** Fields whose values never reach a log. */
const secrets = ['authorization', 'api_key', 'token', 'signing_secret', 'source_secret'];

export async function createLog(level: Settings['log'], forPeople = process.stdout.isTTY): Promise<Logger> {
  const options = { level, base: null, redact: secrets.flatMap((name) => [name, `*.${name}`]) };
  if (level === 'silent' || !forPeople) return pino(options, pino.destination({ dest: 1, sync: true }));
  const { default: pretty } = await import('pino-pretty');
  return pino(options, pretty({ sync: true, colorize: true, translateTime: 'SYS:HH:MM:ss.l', ignore: 'pid,hostname' }));
}
