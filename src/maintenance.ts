// The background work of a running sandbox: loads modules before they are needed, deletes expired worlds and
// reloads edited scenario files.
import type { Settings } from './config.ts';
import type { SandboxContext } from './engine/sandbox-context.ts';
import { DEFAULT_FIXTURE } from './fixtures/library.ts';
import type { Validator } from './http/validate.ts';
import { preloadedModules } from './lazy-modules.ts';
import type { Log } from './log.ts';
import { messageOf } from './system-errors.ts';

const EXPIRE_MS = 30_000;
const MIN_EXPIRE_MS = 250;
const WATCH_MS = 1000;
/** Usually after the answer to a client that waits for the server to be ready, and before the requests that follow. */
const PREPARE_MS = 30;
const WARM_UP_MS = 2000;

type Parts = Pick<SandboxContext, 'worlds' | 'scenarios' | 'store' | 'log'>;

/** Starts maintenance; returns a function that stops it. */
export function startMaintenance(parts: Parts, validator: Validator, settings: Settings): () => void {
  // Often enough that no world outlives its TTL by much.
  const expireMs = Math.max(MIN_EXPIRE_MS, Math.min(EXPIRE_MS, settings.worldTtl / 2));
  const expiring = setInterval(() => expireWorlds(parts), expireMs).unref();
  const watching =
    settings.scenarios === null ? undefined : setInterval(scenarioWatcher(parts, settings.scenarios), WATCH_MS).unref();
  const stopWarming = warmUp(validator, parts);
  return () => {
    stopWarming();
    clearInterval(expiring);
    clearInterval(watching);
  };
}

/**
 * The warm-up begins late: a sandbox that a test opens and soon closes, or the server of one command, would work for what
 * it never needs. Validators are compiled by the first request that needs them: all of them held 17 MB, and a request waits
 * 3 ms for its own.
 */
function warmUp(validator: Validator, parts: Parts): () => void {
  const preparing = setTimeout(() => ahead(parts.log, () => validator.prepare()), PREPARE_MS).unref();
  const warming = setTimeout(() => warmModules(parts), WARM_UP_MS).unref();
  return () => {
    clearTimeout(preparing);
    clearTimeout(warming);
  };
}

/** Does now what is done later otherwise, and may fail for now, for lack of descriptors. */
async function ahead(log: Log, work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.error({ reason: messageOf(error) }, 'something could not be loaded ahead; it is when it is needed');
  }
}

/** Loads what most servers need some time. */
async function warmModules({ store, log }: Parts): Promise<void> {
  // A fixture is indexed when one of its worlds is first read.
  const readDefault = () =>
    store.transaction(DEFAULT_FIXTURE, (tx) => tx.get('organizations', tx.world.organization_id));
  for (const warmUp of [readDefault, ...preloadedModules]) await ahead(log, warmUp);
}

function expireWorlds({ worlds, log }: Parts): void {
  worlds.deleteExpired().catch((error) => log.error({ err: error }, 'expired worlds could not be deleted'));
}

/** Returns a function that reloads the scenario folder and logs each problem once. */
function scenarioWatcher({ scenarios, log }: Parts, folder: string): () => void {
  let failure: string | undefined;
  return () => {
    try {
      const { changed, problems } = scenarios.refresh();
      failure = undefined;
      if (!changed) return;
      for (const { message } of problems) log.error({ problem: message }, 'a scenario keeps its last valid version');
      log.info({ folder, problems: problems.length }, 'scenarios were reloaded');
    } catch (error) {
      const message = messageOf(error);
      if (failure !== message) log.error({ err: error, folder }, 'scenarios could not be reloaded');
      failure = message;
    }
  };
}
