// `ringback readyz`: whether a server is ready, for health checks; can wait until it is.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { durationForm, parseDuration } from '../clock/duration.ts';
import { readServerUrl, SettingProblem } from '../config.ts';

const TRY_TIMEOUT_MS = 2000;
const PAUSE_MS = 200;

export function addReadyz(program: Command): void {
  program
    .command('readyz')
    .description('exit with 0 when a server is ready, with 1 when it is not')
    .option('--url <url>', 'the server (RINGBACK_URL; default: this machine, at --port)')
    .option('--port <value>', 'its port on this machine (RINGBACK_PORT; 4747)')
    .option('--wait <duration>', 'how long to wait for it, such as 30s', '0s')
    .option('--json', 'print one JSON object')
    .action(async (flags: { url?: string; port?: string; wait: string; json?: boolean }) => {
      const waitMs = parseDuration(flags.wait);
      if (waitMs === undefined) {
        throw new SettingProblem(`--wait: "${flags.wait}" is not valid; must be ${durationForm}`);
      }
      process.exitCode = await readyz(readServerUrl(flags.url, flags.port), waitMs, flags.json === true);
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

/** Why the server is not ready; undefined if it is. */
async function readinessProblem(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/_sandbox/ready`, { signal: AbortSignal.timeout(TRY_TIMEOUT_MS) });
    const text = await response.text();
    if (response.status !== 200) return `it responded with ${response.status}`;
    return saysReady(text) ? undefined : 'another server responds there';
  } catch (error) {
    return causeOf(error);
  }
}

/** `fetch` hides the system's error code, such as ECONNREFUSED, in the cause. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.message;
}

/** Checks the body too, because many servers respond to any path with 200. */
function saysReady(text: string): boolean {
  try {
    return JSON.parse(text).data.status === 'ready';
  } catch {
    return false;
  }
}
