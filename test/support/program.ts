// The built program as a user meets it: a process with arguments, an environment, two outputs and an exit code.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, rmdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';

export const root = fileURLToPath(new URL('../../', import.meta.url));
const main = join(root, 'dist', 'main.js');

export type Environment = Readonly<Record<string, string>>;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Program {
  /** The address that its banner names. */
  readonly url: string;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The records of its log. */
  readonly log: () => { level: number; msg: string }[];
  readonly signal: (name: NodeJS.Signals) => void;
  /** Resolves when the process has ended. */
  readonly ended: Promise<Ended>;
  /** Asks it to stop and waits until it has. */
  readonly stop: () => Promise<Ended>;
}

/** Builds `dist/` where it is out of date. Test files run side by side: one of them builds, the others wait for it. */
export async function build(): Promise<void> {
  const lock = join(tmpdir(), `ringback-build-${Buffer.from(root).toString('hex').slice(-40)}`);
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch {
      const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
      if (since !== undefined && Date.now() - since > 60_000) rmdirSync(lock);
      else await sleep(100);
    }
  }
  try {
    execFileSync(process.execPath, ['build.js', '--if-needed'], { cwd: root, stdio: 'pipe' });
  } finally {
    rmdirSync(lock);
  }
}

/** The environment of this process without what would be a setting. */
function clean(environment: Environment): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('RINGBACK_') && name !== 'PORT');
  return { ...Object.fromEntries(own), ...environment };
}

/**
 * To be called once, at the top of a test file. Notes a command line that ends at once, and answers how to ask how it
 * ended; all that are noted while the file is collected run in one process, before its tests.
 */
export function commandLines(): (args: readonly string[], environment?: Environment) => () => Ended {
  const lines: { args: readonly string[]; environment: Environment }[] = [];
  let ends: Ended[] = [];
  beforeAll(async () => {
    await build();
    const script = join(root, 'test', 'support', 'command-lines.mjs');
    const options = { env: clean({}), encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 } as const;
    ends = JSON.parse(execFileSync(process.execPath, [script, main, JSON.stringify(lines)], options));
  });
  return (args, environment = {}) => {
    const at = lines.push({ args, environment }) - 1;
    return () => ends[at] as Ended;
  };
}

/** To be called once, at the top of a test file: what it starts is ended with the file. */
export function programs() {
  const running = new Set<ChildProcess>();
  afterAll(() => {
    for (const child of running) child.kill('SIGKILL');
  });

  function launch(command: string, args: readonly string[], environment: Environment, cwd = root) {
    const child = spawn(command, args, { cwd, env: clean(environment), stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(child);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    const ended = new Promise<Ended>((resolve) => {
      child.once('close', (code) => {
        running.delete(child);
        resolve({ code, stdout, stderr });
      });
    });
    return { child, ended, stdout: () => stdout, stderr: () => stderr };
  }

  return {
    /** Starts `node <script>`; for processes of a test's own. */
    node: (script: string, ...args: string[]) => launch(process.execPath, [script, ...args], {}),

    /** Runs the text of a program in this folder, where `ringback` is the built package. */
    inline: (program: string): Promise<Ended> =>
      launch(process.execPath, ['--input-type=module', '--eval', program], {}).ended,

    /** What a line does that is typed into a shell. */
    bash: (line: string, environment: Environment = {}, cwd = root): Promise<Ended> =>
      launch('bash', ['-c', line], environment, cwd).ended,

    /** Runs the program to its end; one that serves by mistake is ended after a while. */
    async run(args: readonly string[], environment: Environment = {}, cwd = root): Promise<Ended> {
      const { child, ended } = launch(process.execPath, [main, ...args], environment, cwd);
      const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
      const end = await ended;
      clearTimeout(timer);
      return end;
    },

    /** Starts `serve`, on a free port unless it is told another, and waits for the address in its banner. */
    async serve(args: readonly string[] = [], environment: Environment = {}): Promise<Program> {
      const takesPort = args.some((each) => each.startsWith('--port')) || 'RINGBACK_PORT' in environment;
      const port = takesPort || 'PORT' in environment ? [] : ['--port', '0'];
      const { child, ended, stdout, stderr } = launch(process.execPath, [main, 'serve', ...port, ...args], environment);
      let gone: Ended | undefined;
      ended.then((end) => {
        gone = end;
      });
      let url: string | undefined;
      while (url === undefined || !/^curl /m.test(stdout())) {
        if (gone) throw new Error(`serve ended with ${gone.code}: ${gone.stdout}${gone.stderr}`);
        await sleep(10);
        url = /^ *API +(http:\S+)$/m.exec(stdout())?.[1];
      }
      // Signals are listened for from the turn on in which the banner is written; an answer comes in a later one.
      await fetch(`${url}/_sandbox/ready`);
      return {
        url,
        stdout,
        stderr,
        log: () =>
          stdout()
            .split('\n')
            .filter((line) => line.startsWith('{'))
            .map((line) => JSON.parse(line)),
        signal: (name) => child.kill(name),
        ended,
        async stop() {
          child.kill('SIGTERM');
          return ended;
        },
      };
    },
  };
}

/** A port of this machine that nothing listens at. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
