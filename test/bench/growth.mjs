// What the built program holds of the memory: at rest, while calls come and go, and with many worlds. As the operating
// system counts it, garbage that is not collected yet included.
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, dialTo, times } from './ask.mjs';
import { figure } from './figures.mjs';
import { ringback } from './processes.mjs';
import { canTell, residentOf } from './resident.mjs';

const DIALS = 100_000;
const WORLDS = 10_000;
const REST_MS = 5000;
const open = ['--rate-limit', 'off', '--concurrent-calls', 'off'];

export async function growth() {
  if (!canTell) {
    console.error('growth: left out, since this system does not tell the resident memory of a process (/proc)');
    return [];
  }
  return [...(await calls()), await worlds()];
}

const mb = (megabytes) => `${Math.round(megabytes)} MB`;

/** Each dial plays its whole call; a world keeps 100,000 of them. */
async function calls() {
  const { url, child, stop } = await ringback(['--clock', 'instant', ...open]);
  const dial = () => ask(url, 'POST', '/v1/calls/dial', { key: 'svc_test_many', ...dialTo('+12125550100') });
  const after = async (count) => {
    await times(count, dial);
    await sleep(REST_MS);
    return residentOf(child.pid);
  };
  try {
    const rest = await after(0);
    const first = await after(DIALS);
    const later = await after(2 * DIALS);
    return [
      figure(
        'memory after 100,000 dials, of that at rest',
        first / rest,
        '×',
        { most: 2.2 },
        `${mb(first)} of ${mb(rest)}`,
      ),
      figure(
        'memory after 300,000 dials, of that after 100,000',
        later / first,
        '×',
        { most: 1.1 },
        `${mb(later)}; the world has kept 100,000 calls since`,
      ),
    ];
  } finally {
    await stop();
  }
}

async function worlds() {
  const { url, child, stop } = await ringback([...open, '--max-worlds', String(WORLDS + 100)]);
  try {
    await times(WORLDS, (n) => ask(url, 'GET', '/v1/calls', { key: `svc_test_w${n}` }));
    await sleep(REST_MS);
    const resident = residentOf(child.pid);
    return figure('memory with 10,000 touched worlds', resident, 'MB', { most: 250 }, 'each has listed its calls');
  } finally {
    await stop();
  }
}
