// What watching costs: dials a second with the journal as usual, a client that reads the stream and one that reads the
// metrics, against those of a sandbox with the smallest journal and neither.
import { setTimeout as sleep } from 'node:timers/promises';
import { figure, median } from './figures.mjs';
import { background, load, ringback } from './processes.mjs';

const ROUNDS = 5;
const SECONDS = 3;
const headers = { Authorization: 'Bearer svc_sandbox_default', 'Content-Type': 'application/json' };
const dial = {
  method: 'POST',
  headers,
  body: JSON.stringify({ from_number: '+14155550190', to_number: '+12125550100' }),
};
const flags = ['--clock', 'manual', '--rate-limit', 'off', '--concurrent-calls', 'off'];

export async function stream() {
  const bare = await ringback([...flags, '--journal-limit', '1']);
  const watched = await ringback(flags);
  // On a core of its own: beside the load, it would take time from the requests.
  const reader = background('stream-reader.mjs', { url: watched.url, headers }, 2);
  const rates = { bare: [], watched: [] };
  try {
    await settled(reader);
    for (let round = -1; round < ROUNDS; round++) {
      const base = await rateOf(bare);
      const before = (await reader.ask({})).count;
      const own = await rateOf(watched);
      const told = (await settled(reader)) - before;
      // A request, a step and an event for each dial.
      if (told < 3 * own * SECONDS * 0.9) throw new Error(`the reader was told ${told} of ${own * SECONDS} dials`);
      await reset(watched);
      await reset(bare);
      // The first round warms both up.
      if (round < 0) continue;
      rates.bare.push(base);
      rates.watched.push(own);
    }
  } finally {
    await reader.stop();
    await watched.stop();
    await bare.stop();
  }
  const ratio = median(rates.watched.map((own, round) => own / rates.bare[round]));
  const detail = `${Math.round(median(rates.watched))} of ${Math.round(median(rates.bare))} dials a second`;
  return [figure('dial with journal, one stream and metrics, of one with none', ratio, '', { least: 0.85 }, detail)];
}

const rateOf = ({ url }) => load(`${url}/v1/calls/dial`, dial, SECONDS);
const reset = ({ url }) => fetch(`${url}/_sandbox/reset`, { method: 'POST', headers });

/** How many messages the reader has had once no more come. */
async function settled(reader) {
  for (let count = -1; ; ) {
    const now = (await reader.ask({})).count;
    if (now > 0 && now === count) return now;
    count = now;
    await sleep(50);
  }
}
