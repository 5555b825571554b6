// The processes of a bench: the servers under test, the baselines, the load. Each has a process of its own; where the
// machine lets them be pinned, servers have the first core and the load the second, so that none steals from another.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
export const root = here('../../');
export const program = here('../../dist/main.js');

export const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', 'true']).status === 0;
export const pinning = canPin ? 'servers pinned to core 0, load to core 1' : 'not pinned to cores';

const canYield = spawnSync('nice', ['-n', '19', 'true']).status === 0;

/** On one core, or on any where `core` is null; `yields` to every other process that wants a core. */
function start(core, args, stdio, { env = process.env, yields = false } = {}) {
  const place = String(Math.min(core, availableParallelism() - 1));
  const pinned = canPin && core !== null ? ['taskset', '-c', place] : [];
  const yielding = canYield && yields ? ['nice', '-n', '19'] : [];
  const [command, ...rest] = [...yielding, ...pinned, process.execPath, ...args];
  return spawn(command, rest, { stdio, env });
}

/** Moves a process that runs to one core. */
export function pin(pid, core) {
  const place = String(Math.min(core, availableParallelism() - 1));
  const { status, stderr } = spawnSync('taskset', ['-a', '-p', '-c', place, String(pid)], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`a process cannot be moved to core ${place}: ${stderr}`);
}

async function ended(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Runs a script of this folder to its end and answers the JSON that it prints. */
export async function run(script, options, core = 1) {
  const child = start(core, ['--expose-gc', here(script), JSON.stringify(options)], ['ignore', 'pipe', 'inherit']);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${script} ended with ${code}`);
  return JSON.parse(printed);
}

/** Starts a script of this folder that prints `{"url": …}` when it serves. */
export async function serve(script, options = {}, core = 0) {
  const child = start(core, [here(script), JSON.stringify(options)], ['ignore', 'pipe', 'inherit']);
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { url: JSON.parse(line).url, pid: child.pid, stop: () => ended(child) };
}

/** Starts a sandbox whose heap can be asked for, in bytes after a collection. */
export async function weighed(options) {
  const args = ['--expose-gc', here('sandbox.mjs'), JSON.stringify(options)];
  const child = start(0, args, ['ignore', 'pipe', 'inherit', 'ipc']);
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const heap = async () => {
    child.send('heap');
    return (await once(child, 'message'))[0].heap;
  };
  return { url: JSON.parse(line).url, heap, stop: () => ended(child) };
}

/** Starts a script of this folder that goes on while the bench does something else, and talks to it. */
export function background(script, options, core, { yields = false } = {}) {
  const stdio = ['ignore', 'pipe', 'inherit', 'ipc'];
  const child = start(core, [here(script), JSON.stringify(options)], stdio, { yields });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  const exit = once(child, 'exit');
  const message = async () => {
    const first = await Promise.race([once(child, 'message'), exit]);
    if (child.exitCode !== null) throw new Error(`${script} ended with ${child.exitCode}`);
    return first[0];
  };
  return {
    message,
    ask(question) {
      const answer = message();
      child.send(question);
      return answer;
    },
    /** The JSON that it has printed when it ends. */
    async result() {
      const [code] = await exit;
      if (code !== 0) throw new Error(`${script} ended with ${code}`);
      return JSON.parse(printed);
    },
    stop: () => ended(child),
  };
}

/** Starts the built program as a user would, on a free port; `node` are options of Node, `env` more of its environment. */
export async function ringback(flags = [], { main = program, node = [], env = {}, core = 0 } = {}) {
  const args = [...node, main, 'serve', '--port', '0', '--log', 'error', ...flags];
  const child = start(core, args, ['ignore', 'pipe', 'inherit'], { env: { ...process.env, ...env } });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url) {
      child.stdout.resume();
      return { url, child, stop: () => ended(child) };
    }
  }
  throw new Error('the program ended before it served');
}

/** What came of a load, by a script of this folder; an answer outside of 2xx ends the bench. */
export async function loaded(url, request, seconds, script = 'load.mjs') {
  const result = await run(script, { url, seconds, ...request });
  if (result.failed > 0) throw new Error(`${result.failed} of ${result.total} answers of ${url} were not 2xx`);
  return result;
}

/** Requests a second. */
export const load = async (url, request, seconds) => (await loaded(url, request, seconds)).perSecond;

/** Milliseconds from the start of a program until an URL of it answers 2xx. */
export async function untilFirstAnswer(args, url) {
  const began = performance.now();
  const child = start(0, args, 'ignore');
  try {
    for (;;) {
      const answer = await fetch(url).catch(() => undefined);
      await answer?.arrayBuffer();
      if (answer?.ok) return performance.now() - began;
      if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with ${child.exitCode}`);
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
  } finally {
    await ended(child);
  }
}
