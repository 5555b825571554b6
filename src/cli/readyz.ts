// `ringback readyz`: whether a server is ready, for health checks; can wait until it is.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { parseDuration } from '../clock/duration.ts';
import { addFlag, durationFlag } from './flag-value.ts';
import { readinessProblem } from './readiness.ts';
import { portForm, serverAddress } from './server-address.ts';

const PAUSE_MS = 200;

interface Flags {
  readonly url?: string;
  readonly port?: string;
  readonly wait?: string;
  readonly json?: true;
}

export function define(command: Command): void {
  const { allowed, parse } = durationFlag;
  addFlag(
    command,
    '--url <url>',
    'the server (RINGBACK_URL; default: this machine, at --port)',
    'an http: or https: address',
  );
  addFlag(command, '--port <value>', 'its port on this machine (RINGBACK_PORT; 4747)', portForm);
  addFlag(command, '--wait <duration>', 'how long to wait for it, such as 30s (default: not at all)', allowed, parse);
  command.option('--json', 'print one JSON object').action(async ({ url, port, wait = '0s', json }: Flags) => {
    process.exitCode = await readyz(serverAddress(url, port), parseDuration(wait) ?? 0, json === true);
  });
}

/** Polls until the server is ready or the time is up, and prints the result. Returns the exit code. */
async function readyz(url: string, waitMs: number, json: boolean): Promise<number> {
  const until = performance.now() + waitMs;
  let problem = await readinessProblem(url);
  while (problem !== undefined && performance.now() + PAUSE_MS <= until) {
    await sleep(PAUSE_MS);
    problem = await readinessProblem(url);
  }
  const ready = problem === undefined;
  const line = json
    ? JSON.stringify({ url, ready, ...(ready ? {} : { problem }) })
    : `${url} is ${ready ? 'ready' : `not ready: ${problem}`}`;
  (ready || json ? process.stdout : process.stderr).write(`${line}\n`);
  return ready ? 0 : 1;
}
