// Metrics of the server over all its worlds: its counters, and what is read from the worlds on request.
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Readings } from '../metrics/exposition.ts';
import { ifGone } from '../store/if-gone.ts';
import type { Tx } from '../store/store.ts';
import type { Requester } from './worlds.ts';

/** As which world it takes turns with the work of all worlds; none has this name. */
const LANE = '--metrics';

/** In the text format of Prometheus. `forbidden` with a control key, which is about one world. */
export async function readMetrics(
  parts: Pick<
    SandboxContext,
    'store' | 'work' | 'replica' | 'turns' | 'openWork' | 'metrics' | 'openConnections' | 'budget' | 'log' | 'version'
  >,
  { authority }: Pick<Requester, 'authority'>,
): Promise<string> {
  if (authority === 'control_key') {
    throw new ApiError('forbidden', {
      message: 'The metrics are about all worlds of the server, and a control key controls one.',
      hint: 'Send the control token.',
    });
  }
  const { metrics, work, replica, openWork, openConnections, budget, log, version } = parts;
  return metrics.text({
    ...(await readWorlds(parts)),
    version,
    replica,
    worldsRun: work.shared?.worldsRun() ?? null,
    openDeliveries: openWork.total,
    connections: openConnections(),
    budget,
    logLinesDropped: log.dropped,
  });
}

/** Of worlds that another process runs, that one tells: each would have to be loaded here. */
async function readWorlds({
  store,
  work,
  turns,
}: Pick<SandboxContext, 'store' | 'work' | 'turns'>): Promise<Pick<Readings, 'worlds' | 'keys' | 'tasks'>> {
  const read = { worlds: { bundled: 0, posted: 0, auto: 0 }, keys: 0, tasks: 0 };
  for (const { name, origin } of await store.worlds()) {
    if (work.shared && !work.runs(name)) {
      read.worlds[origin] += 1;
      continue;
    }
    if (turns.isOver) await turns.next(LANE);
    const found = await turns.work(() => store.transaction(name, readWorld)).catch(ifGone(undefined));
    if (!found) continue;
    read.worlds[origin] += 1;
    read.keys += found.keys;
    read.tasks += found.tasks;
  }
  return read;
}

const readWorld = (tx: Tx): { keys: number; tasks: number } => ({
  keys: tx.count('keys', 'all', 'all'),
  tasks: tx.taskCount(),
});
