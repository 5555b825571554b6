// 100,000 random sequences: the property of the tests, run for longer and on every core. A failure prints the seed and path
// that run it again.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { figure } from './figures.mjs';
import { root } from './processes.mjs';

const args = ['node_modules/vitest/vitest.mjs', 'run', 'test/properties', '-t', 'a random sequence'];

export async function properties(sequences) {
  const processes = Math.min(availableParallelism(), sequences);
  const seed = Number(process.env.PROPERTY_SEED ?? randomInt(2 ** 31));
  console.error(`the sequences of the seeds ${seed} to ${seed + processes - 1}`);
  const share = Math.ceil(sequences / processes);
  const statuses = await Promise.all(Array.from({ length: processes }, (_, nth) => tried(share, seed + nth)));
  const failed = statuses.filter((status) => status !== 0).length;
  const detail = `${share * processes} random sequences of requests, clock moves, faults, plans, resets and snapshots from the seed ${seed}`;
  return [figure('failures of the properties', failed, '', { most: 0 }, detail)];
}

/** Resolves to the exit code of a process that tries that many sequences; shows its output if it fails. */
function tried(sequences, seed) {
  const env = { ...process.env, PROPERTY_SEQUENCES: String(sequences), PROPERTY_SEED: String(seed) };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  return new Promise((resolve) => {
    child.once('close', (status) => {
      if (status !== 0) process.stderr.write(Buffer.concat(output));
      resolve(status ?? 1);
    });
  });
}
