// 100,000 random sequences: the property of the tests, run for longer. A failure prints the seed that runs it again.
import { spawnSync } from 'node:child_process';
import { figure } from './figures.mjs';
import { root } from './processes.mjs';

export async function properties(sequences) {
  const args = ['node_modules/vitest/vitest.mjs', 'run', 'test/properties', '-t', 'a random sequence'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, PROPERTY_SEQUENCES: String(sequences) },
  });
  if (status !== 0) process.stderr.write(`${stdout}\n${stderr}\n`);
  const detail = `${sequences} random sequences of requests, clock moves, faults, plans, resets and snapshots`;
  return [figure('failures of the properties', status === 0 ? 0 : 1, '', { most: 0 }, detail)];
}
