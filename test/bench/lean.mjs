// What Ringback costs before it has done anything: sandboxes that a test opens, commands that a script runs, the memory of
// a server that has been ready for a while, and what an installation brings.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { figure, median } from './figures.mjs';
import { program, ringback, root } from './processes.mjs';
import { canTell, residentOf } from './resident.mjs';

const ROUNDS = 9;
/** After the warm-up, which begins two seconds after the start. */
const RESTED_MS = 5000;
const MB = 1024 * 1024;

export const lean = async () => [...sandboxes(), ...(await commands()), ...(await rest()), ...installed(), ...image()];

/** Of several processes, what the first, the second and a later sandbox of each took. */
function sandboxes() {
  const script = fileURLToPath(new URL('open-close.mjs', import.meta.url));
  const processes = Array.from({ length: ROUNDS }, () => JSON.parse(execFileSync(process.execPath, [script])));
  const took = (at, what) => processes.map((opened) => opened[at][what]);
  const least = (at, what) => `${Math.min(...took(at, what)).toFixed(1)} ms at least`;
  const opened = (name, at, most) =>
    figure(
      `createSandbox(), the ${name} of a process`,
      median(took(at, 'openMs')),
      'ms',
      { most },
      least(at, 'openMs'),
    );
  const whole = (name, at) => {
    const cpu = `${least(at, 'ms')}; ${median(took(at, 'cpuMs')).toFixed(1)} ms of CPU`;
    const what = `the ${name} sandbox of a process, from opening over a dial to closing`;
    return figure(what, median(took(at, 'ms')), 'ms', { most: 60 }, cpu);
  };
  return [opened('first', 0, 25), opened('second', 1, 10), whole('first', 0), whole('second', 1), whole('later', 3)];
}

/** In pairs, each with the least that Node does. */
async function commands() {
  const { url, stop } = await ringback();
  try {
    return [
      ['readyz', ['readyz', '--url', url]],
      ['--help', ['--help']],
    ].map(([name, args]) => {
      const own = [];
      const bare = [];
      // Twice as often: these are short, and other work of the machine is not.
      for (let round = -1; round < 2 * ROUNDS; round++) {
        const took = [timeOf(['-e', '0']), timeOf([program, ...args])];
        if (round < 0) continue;
        bare.push(took[0]);
        own.push(took[1]);
      }
      const ratio = median(own.map((ms, round) => ms / bare[round]));
      const detail = `${Math.round(median(own))} ms of ${Math.round(median(bare))} ms`;
      return figure(`ringback ${name}, of node -e 0`, ratio, '×', { most: 1.3 }, detail);
    });
  } finally {
    await stop();
  }
}

function timeOf(args) {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - began;
}

async function rest() {
  if (!canTell) return [];
  const measured = [];
  for (let round = 0; round < 3; round++) {
    const { child, stop } = await ringback();
    const ready = residentOf(child.pid);
    await sleep(RESTED_MS);
    measured.push({ ready, rested: residentOf(child.pid) });
    await stop();
  }
  const of = (name) => median(measured.map((each) => each[name]));
  const detail = `${RESTED_MS / 1000} s after it was ready; ${Math.round(of('ready'))} MB when it was`;
  return [figure('memory of a server at rest', of('rested'), 'MB', { most: 85 }, detail)];
}

/** The package as it would be packed, and what it depends on. */
function installed() {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * MB };
  const [packed] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], options));
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const needed = Object.keys(packages).filter(
    (name) => name !== '' && !packages[name].dev && !packages[name].devOptional,
  );
  const sizes = needed.map((name) => sizeOf(join(root, name)));
  const total = sizes.reduce((sum, size) => sum + size, packed.unpackedSize) / MB;
  const names = needed.map((name) => name.replace('node_modules/', '')).join(', ');
  return [
    figure('size of an installation', total, 'MB', { most: 25 }, `${(packed.size / MB).toFixed(1)} MB as a tarball`),
    figure('packages of an installation', needed.length + 1, '', { most: 60 }, `ringback and ${names}`),
  ];
}

function sizeOf(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

/** With IMAGE_BUILDER, a program that builds the image of a folder and says by how many MiB it is larger than its base. */
function image() {
  const builder = process.env.IMAGE_BUILDER;
  if (!builder || !existsSync(builder)) {
    process.stderr.write('the size of the image was left out: IMAGE_BUILDER names no program that builds it\n');
    return [];
  }
  const printed = execFileSync(builder, [root, '--', 'true'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const mib = /^image: (\d+) MiB/m.exec(printed)?.[1];
  if (mib === undefined) throw new Error(`${builder} did not say how large the image is`);
  return [figure('image, above its base', (Number(mib) * MB) / 1e6, 'MB', { most: 45 }, `${mib} MiB`)];
}
