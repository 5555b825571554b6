// `ringback readyz`: whether a server is ready, for health checks; can wait until it is.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { durationForm, parseDuration } from '../clock/duration.ts';
import { readServerUrl, SettingProblem, settings } from '../config.ts';
import { readinessProblem } from './readiness.ts';
import { settingValue } from './settings-flags.ts';

const PAUSE_MS = 200;

export function addReadyz(program: Command): void {
  const command = program.command('readyz').description('exit with 0 when a server is ready, with 1 when it is not');
  const option = (flag: string, name: string, help: string, allowed: string) =>
    command.option(`${flag} <${name}>`, help, settingValue(command, flag, allowed));
  option('--url', 'url', 'the server (RINGBACK_URL; default: this machine, at --port)', 'an http: or https: address');
  option('--port', 'value', 'its port on this machine (RINGBACK_PORT; 4747)', settings.port.allowed);
  option('--wait', 'duration', 'how long to wait for it, such as 30s (default: not at all)', durationForm);
  command
    .option('--json', 'print one JSON object')
    .action(async (flags: { url?: string; port?: string; wait?: string; json?: boolean }) => {
      const { url, port, wait = '0s', json = false } = flags;
      const waitMs = parseDuration(wait);
      if (waitMs === undefined) throw new SettingProblem(`--wait: "${wait}" is not valid; must be ${durationForm}`);
      process.exitCode = await readyz(readServerUrl(url, port), waitMs, json);
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
