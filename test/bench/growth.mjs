// What the built program holds of the memory, as the operating system counts it: at rest, after many calls, at once and
// when the server has been idle for a while, and with many worlds.
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, dialTo, times } from './ask.mjs';
import { figure } from './figures.mjs';
import { ringback } from './processes.mjs';
import { canTell, residentOf } from './resident.mjs';

const DIALS = 100_000;
const WORLDS = 10_000;
/** Once a server has nothing to do, V8 gives back in some steps, of eight seconds each, what it does not need any more. */
const IDLE_MS = 90_000;
const open = ['--rate-limit', 'off', '--concurrent-calls', 'off'];

export async function growth() {
  if (!canTell) {
    console.error('growth: left out, since this system does not tell the resident memory of a process (/proc)');
    return [];
  }
  return [...(await calls()), await worlds()];
}

const mb = (megabytes, before) => `${Math.round(megabytes)} of ${Math.round(before)} MB`;

/** Each dial plays its whole call; a world keeps 100,000 of them. */
async function calls() {
  const { url, child, stop } = await ringback(['--clock', 'instant', ...open]);
  const dial = () => ask(url, 'POST', '/v1/calls/dial', { key: 'svc_test_many', ...dialTo('+12125550100') });
  const after = async (count) => {
    await times(count, dial);
    const now = residentOf(child.pid);
    await sleep(IDLE_MS);
    return { now, idle: residentOf(child.pid) };
  };
  const ofRest = (when, megabytes, rest) =>
    figure(`memory ${when} 100,000 dials, of that at rest`, megabytes / rest, '×', { most: 2.2 }, mb(megabytes, rest));
  try {
    const { idle: rest } = await after(0);
    const first = await after(DIALS);
    const later = await after(2 * DIALS);
    const detail = `${mb(later.idle, first.idle)}, with the newest 100,000 calls; ${mb(later.now, first.now)} at once`;
    return [
      ofRest('at once after', first.now, rest),
      ofRest('90 s after', first.idle, rest),
      figure('memory after 300,000 dials, of that after 100,000', later.idle / first.idle, '×', { most: 1.1 }, detail),
    ];
  } finally {
    await stop();
  }
}

async function worlds() {
  const { url, child, stop } = await ringback([...open, '--max-worlds', String(WORLDS + 100)]);
  try {
    await times(WORLDS, (n) => ask(url, 'GET', '/v1/calls', { key: `svc_test_w${n}` }));
    const now = residentOf(child.pid);
    await sleep(IDLE_MS);
    const detail = `each has listed its calls; ${Math.round(now)} MB at once`;
    return figure('memory with 10,000 touched worlds', residentOf(child.pid), 'MB', { most: 250 }, detail);
  } finally {
    await stop();
  }
}
