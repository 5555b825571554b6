// What watching costs: dials a second with the journal as usual, a client that reads the stream and one that reads the
// metrics, against those of a sandbox with the smallest journal and neither; and what a dial costs the server of its core.
import { setTimeout as sleep } from 'node:timers/promises';
import { figure, median } from './figures.mjs';
import { background, loaded, ringback } from './processes.mjs';
import { canTell, processorTimeOf } from './resident.mjs';

/** Two processes that do the same may differ by a tenth for as long as they run. */
const PAIRS = 3;
/** Many short ones, in turns: the machine itself is now and then slower for some seconds. */
const ROUNDS = 6;
const SECONDS = 1.5;
/** Until a server has compiled itself. */
const WARM_UP_ROUNDS = 2;
const WORLD = 'bench';
const headers = { Authorization: `Bearer svc_test_${WORLD}` };
const flags = ['--clock', 'manual', '--rate-limit', 'off', '--concurrent-calls', 'off'];

export async function stream() {
  const pairs = [];
  for (let pair = 0; pair < PAIRS; pair++) pairs.push(await pairOfServers());
  const name = 'dial with journal, one stream and metrics, of one with none';
  const of = (key) => {
    const values = pairs.map((pair) => pair[key]).sort((a, b) => a - b);
    return { value: median(values), range: `${values[0].toFixed(2)} to ${values.at(-1).toFixed(2)}` };
  };
  const typical = (key) => Math.round(median(pairs.map((pair) => pair[key])));
  const [byRate, byCost] = [of('byRate'), of('byCost')];
  const rates = `${typical('watchedRate')} of ${typical('bareRate')} dials a second`;
  const costs = `${typical('watchedCost')} instead of ${typical('bareCost')} µs a dial`;
  const across = ({ range }) => `${range} in ${PAIRS} pairs of servers`;
  return [
    figure(name, byRate.value, '', { least: 0.85 }, `${rates}; ${across(byRate)}`),
    ...(canTell ? [figure(`${name}, by CPU`, byCost.value, '', { least: 0.85 }, `${costs}; ${across(byCost)}`)] : []),
  ];
}

/** The medians of the rounds of one server with a reader and one without. */
async function pairOfServers() {
  const bare = await ringback([...flags, '--journal-limit', '1']);
  const watched = await ringback(flags);
  // On a core of its own: beside the load, it would take time from the requests.
  const reader = background('stream-reader.mjs', { url: watched.url, headers }, 2);
  const rounds = [];
  try {
    await settled(reader);
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
      const base = await costOf(bare);
      const before = (await reader.ask({})).count;
      const own = await costOf(watched, () => settled(reader));
      const told = (await reader.ask({})).count - before;
      // A request, a step and an event for each dial.
      if (told < 3 * own.total * 0.9) throw new Error(`the reader was told ${told} messages of ${own.total} dials`);
      await reset(watched);
      await reset(bare);
      if (round >= 0) rounds.push({ base, own });
    }
  } finally {
    await reader.stop();
    await watched.stop();
    await bare.stop();
  }
  const middle = (of) => median(rounds.map(of));
  return {
    byRate: middle(({ base, own }) => own.perSecond / base.perSecond),
    byCost: middle(({ base, own }) => base.micros / own.micros),
    watchedRate: middle(({ own }) => own.perSecond),
    bareRate: middle(({ base }) => base.perSecond),
    watchedCost: middle(({ own }) => own.micros),
    bareCost: middle(({ base }) => base.micros),
  };
}

/** Dials a second, and the microseconds of the server's core that one takes until what it causes is `done`. */
async function costOf({ url, child }, done = () => undefined) {
  const before = processorTimeOf(child.pid);
  const load = { urls: [url], worlds: [WORLD], isSticky: true };
  const result = await loaded(url, load, SECONDS, 'replica-load.mjs');
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
