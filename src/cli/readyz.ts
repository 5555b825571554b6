// `ringback readyz`: whether a server is ready, for health checks; waits for it where asked to.
import { setTimeout as sleep } from 'node:timers/promises';

const ONE_TRY_MS = 2000;
const BETWEEN_MS = 200;

/** Asks until the server is ready or the time is up; 0 ready, 1 not. */
export async function readyz(url: string, waitMs: number, json: boolean): Promise<number> {
  const until = performance.now() + waitMs;
  for (;;) {
    const problem = await ask(url);
    if (problem === undefined || performance.now() + BETWEEN_MS > until) {
      const ready = problem === undefined;
      const line = json
        ? JSON.stringify({ url, ready, ...(ready ? {} : { problem }) })
        : `${url} is ${ready ? 'ready' : `not ready: ${problem}`}`;
      (ready || json ? process.stdout : process.stderr).write(`${line}\n`);
      return ready ? 0 : 1;
    }
    await sleep(BETWEEN_MS);
  }
}

/** Why the server is not ready; undefined where it is. */
async function ask(url: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${url}/_sandbox/ready`, { signal: AbortSignal.timeout(ONE_TRY_MS) });
    const text = await answer.text();
    if (answer.status !== 200) return `it answered ${answer.status}`;
    return saysReady(text) ? undefined : 'another server answers there';
  } catch (error) {
    const { cause, message } = error as { cause?: { code?: string }; message: string };
    return cause?.code ?? message;
  }
}

/** Many a server has a page for whatever it is asked. */
function saysReady(text: string): boolean {
  try {
    return JSON.parse(text).data.status === 'ready';
  } catch {
    return false;
  }
}
