// What watching costs: dials a second with the journal as usual, a client that reads the stream and one that reads the
// metrics, against those of a sandbox with the smallest journal and neither; and what a dial costs the server of its core.
import { setTimeout as sleep } from 'node:timers/promises';
import { figure, median } from './figures.mjs';
import { background, loaded, ringback } from './processes.mjs';
import { canTell, processorTimeOf } from './resident.mjs';

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
  const rounds = [];
  try {
    await settled(reader);
    for (let round = -1; round < ROUNDS; round++) {
      const base = await costOf(bare);
      const before = (await reader.ask({})).count;
      const own = await costOf(watched, () => settled(reader));
      const told = (await reader.ask({})).count - before;
      // A request, a step and an event for each dial.
      if (told < 3 * own.total * 0.9) throw new Error(`the reader was told ${told} messages of ${own.total} dials`);
      await reset(watched);
      await reset(bare);
      // The first round warms both up.
      if (round >= 0) rounds.push({ base, own });
    }
  } finally {
    await reader.stop();
    await watched.stop();
    await bare.stop();
  }
  const name = 'dial with journal, one stream and metrics, of one with none';
  const medians = (key) => ['own', 'base'].map((each) => Math.round(median(rounds.map((round) => round[each][key]))));
  const ratio = (of) => median(rounds.map(of));
  const [watchedRate, bareRate] = medians('perSecond');
  const [watchedCost, bareCost] = medians('micros');
  const byRate = ratio(({ base, own }) => own.perSecond / base.perSecond);
  const byCost = ratio(({ base, own }) => base.micros / own.micros);
  return [
    figure(name, byRate, '', { least: 0.85 }, `${watchedRate} of ${bareRate} dials a second`),
    ...(canTell
      ? [figure(`${name}, by CPU`, byCost, '', { least: 0.85 }, `${watchedCost} instead of ${bareCost} µs a dial`)]
      : []),
  ];
}

/** Dials a second, and the microseconds of the server's core that one takes until what it causes is `done`. */
async function costOf({ url, child }, done = () => undefined) {
  const before = processorTimeOf(child.pid);
  const result = await loaded(`${url}/v1/calls/dial`, dial, SECONDS);
  await done();
  return { ...result, micros: ((processorTimeOf(child.pid) - before) * 1000) / result.total };
}

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
