// 100,000 random requests: the property of the tests, run for longer.
import { spawnSync } from 'node:child_process';
import { figure } from './figures.mjs';
import { root } from './processes.mjs';

const RUNS = 100_000;

export async function fuzz() {
  const args = ['node_modules/vitest/vitest.mjs', 'run', 'test/http/fuzz.test.ts'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, FUZZ_RUNS: String(RUNS) },
  });
  if (status !== 0) process.stderr.write(`${stdout}\n${stderr}\n`);
  const detail = `${RUNS} requests; a response without the error envelope, or an unexpected 5xx, is a failure`;
  return [figure('failures in the fuzz', status === 0 ? 0 : 1, '', { most: 0 }, detail)];
}
