// Runs the built program as a user does: a process with arguments, an environment, two outputs and an exit code.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, rmdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { PATIENCE } from './until.ts';

export const root = fileURLToPath(new URL('../../', import.meta.url));
const main = join(root, 'dist', 'main.js');

export type Environment = Readonly<Record<string, string>>;

/** How a process ended. */
export interface ExitResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Program {
  /** The address that it printed. */
  readonly url: string;
  readonly pid: number | undefined;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The records of its log so far. */
  readonly log: () => { level: number; msg: string }[];
  readonly signal: (name: NodeJS.Signals) => void;
  /** What it writes to, which a test may leave unread, or close. */
  readonly output: Readable;
  /** Resolves when the process has ended. */
  readonly ended: Promise<ExitResult>;
  /** Sends SIGTERM and waits until the process has ended. */
  readonly stop: () => Promise<ExitResult>;
}

/** Builds `dist/` if it is out of date. Test files run in parallel: one of them builds, the others wait for it. */
export async function build(): Promise<void> {
  const lock = join(tmpdir(), `ringback-build-${Buffer.from(root).toString('hex').slice(-40)}`);
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch {
      const lockedAt = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
      if (lockedAt !== undefined && Date.now() - lockedAt > PATIENCE) rmdirSync(lock);
      else await sleep(100);
    }
  }
  try {
    execFileSync(process.execPath, ['build.js', '--if-needed'], { cwd: root, stdio: 'pipe' });
  } finally {
    rmdirSync(lock);
  }
}

/** The environment of this process without its settings, plus this one. */
export function cleanEnvironment(environment: Environment): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('RINGBACK_') && name !== 'PORT');
  return { ...Object.fromEntries(inherited), ...environment };
}

/**
 * Called once, at the top of a test file. The function it returns registers a command line that ends at once, and returns
 * a function that reads its result. All lines registered while the file is collected run in one process before its tests.
 */
export function commandLines(): (args: readonly string[], environment?: Environment) => () => ExitResult {
  const lines: { args: readonly string[]; environment: Environment }[] = [];
  let results: ExitResult[] = [];
  beforeAll(async () => {
    await build();
    const script = join(root, 'test', 'support', 'command-lines.mjs');
    const options = { env: cleanEnvironment({}), encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 } as const;
    results = JSON.parse(execFileSync(process.execPath, [script, main, JSON.stringify(lines)], options));
  });
  return (args, environment = {}) => {
    const index = lines.push({ args, environment }) - 1;
    return () => results[index] as ExitResult;
  };
}

/** The first line of a log of JSON lines. */
const ready = /^\{.*"url":"(http:[^"]+)".*"msg":"ready"\}$/m;

/** Called once, at the top of a test file: the processes that it starts are killed after the tests of the file. */
export function programs() {
  const running = new Set<ChildProcess>();
  afterAll(() => {
    for (const child of running) child.kill('SIGKILL');
  });

  function launch(command: string, args: readonly string[], environment: Environment, cwd = root) {
    const child = spawn(command, args, { cwd, env: cleanEnvironment(environment), stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(child);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    const ended = new Promise<ExitResult>((resolve) => {
      child.once('close', (code) => {
        running.delete(child);
        resolve({ code, stdout, stderr });
      });
    });
    return { child, ended, stdout: () => stdout, stderr: () => stderr };
  }

  /** Waits until a server has printed its address. */
  async function whenServing(
    { child, ended, stdout, stderr }: ReturnType<typeof launch>,
    printed: RegExp,
  ): Promise<Program> {
    let result: ExitResult | undefined;
    ended.then((exit) => {
      result = exit;
    });
    let url: string | undefined;
    while (url === undefined) {
      if (result) throw new Error(`serve ended with ${result.code}: ${result.stdout}${result.stderr}`);
      await sleep(10);
      url = printed.exec(stdout())?.[1];
    }
    // The program listens for signals right after it has printed its address, and before it responds to a request.
    await fetch(`${url}/_sandbox/ready`);
    return {
      url,
      pid: child.pid,
      stdout,
      stderr,
      log: () =>
        stdout()
          .split('\n')
          .filter((line) => line.startsWith('{'))
          .map((line) => JSON.parse(line)),
      signal: (name) => child.kill(name),
      output: child.stdout,
      ended,
      async stop() {
        child.kill('SIGTERM');
        return ended;
      },
    };
  }

  return {
    /** Starts `node <script>`. */
    node: (script: string, ...args: string[]) => launch(process.execPath, [script, ...args], {}),

    /** Runs the source of a module in this folder, where `ringback` is the built package. */
    inline: (program: string): Promise<ExitResult> =>
      launch(process.execPath, ['--input-type=module', '--eval', program], {}).ended,

    /** Runs a line in a shell. */
    bash: (line: string, environment: Environment = {}, cwd = root): Promise<ExitResult> =>
      launch('bash', ['-c', line], environment, cwd).ended,

    /** Runs the program to its end; kills it when that takes too long, in case it serves by mistake. */
    async run(args: readonly string[], environment: Environment = {}, cwd = root): Promise<ExitResult> {
      const { child, ended } = launch(process.execPath, [main, ...args], environment, cwd);
      const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
      const result = await ended;
      clearTimeout(timer);
      return result;
    },

    /** Starts `serve` as on a terminal, where it prints a welcome and readable lines. */
    async serveOnTerminal(...args: string[]): Promise<Program> {
      // Only what the program looks at; test/cli/terminal.test.ts uses a real terminal.
      const terminal = 'data:text/javascript,process.stdout.isTTY=true';
      const started = launch(process.execPath, ['--import', terminal, main, 'serve', '--port', '0', ...args], {});
      return whenServing(started, /^ *API +(http:\S+)$/m);
    },

    /** Starts `serve` as a process that may open so many files. */
    async serveWithFiles(files: number, args: readonly string[], environment: Environment): Promise<Program> {
      const line = ['-c', `ulimit -n ${files}; exec "$@"`, 'sh', process.execPath, main, 'serve', '--port', '0'];
      return whenServing(launch('sh', [...line, ...args], environment), ready);
    },

    /** Starts `serve`, on a free port unless one is given, and waits until it has printed its address. */
    async serve(args: readonly string[] = [], environment: Environment = {}): Promise<Program> {
      const hasPort = args.some((each) => each.startsWith('--port')) || 'RINGBACK_PORT' in environment;
      const port = hasPort || 'PORT' in environment ? [] : ['--port', '0'];
      const started = launch(process.execPath, [main, 'serve', ...port, ...args], environment);
      return whenServing(started, ready);
    },
  };
}

/** A port of this machine on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
