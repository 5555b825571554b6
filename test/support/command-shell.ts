// Runs command lines of the built program one after another in one process, for tests that make them of what a server said.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll } from 'vitest';
import { build, cleanEnvironment, type Environment, type ExitResult, root } from './program.ts';

/** Called once, at the top of a test file. The command lines must end by themselves. */
export function commandShell(): (args: readonly string[], environment?: Environment) => Promise<ExitResult> {
  let child: ChildProcess | undefined;
  let answers: AsyncIterator<string> | undefined;
  beforeAll(async () => {
    await build();
    const script = join(root, 'test', 'support', 'command-lines.mjs');
    const started = spawn(process.execPath, [script, join(root, 'dist', 'main.js')], {
      env: cleanEnvironment({}),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    answers = createInterface({ input: started.stdout })[Symbol.asyncIterator]();
    child = started;
  });
  afterAll(() => {
    child?.kill('SIGKILL');
  });
  return async (args, environment = {}) => {
    child?.stdin?.write(`${JSON.stringify({ args, environment })}\n`);
    const answer = await answers?.next();
    if (!answer || answer.done) throw new Error('the process that runs the command lines has ended');
    return JSON.parse(answer.value);
  };
}
