// One sandbox put together: the composition root, and the handle that the library hands out. Any number of them run in
// one process.
import type { AddressInfo, Socket } from 'node:net';
import type { Settings } from './config.ts';
import { loadContract, type Operation } from './contract/document.ts';
import { taskHandlers } from './domain/task-handlers.ts';
import { createTaskRunner } from './engine/run-task.ts';
import type { Log, SandboxContext } from './engine/sandbox-context.ts';
import type { SandboxSettings } from './engine/settings.ts';
import { Worlds } from './engine/worlds.ts';
import { DEFAULT_FIXTURE, loadFixtures } from './fixtures/library.ts';
import { createValidator, type Validator } from './http/validate.ts';
import { testKeyOf } from './identity/api-keys.ts';
import { preloadedModules } from './lazy-modules.ts';
import { operationFor } from './operations/index.ts';
import { Rooms } from './rooms/rooms.ts';
import { ScenarioLibrary } from './scenarios/library.ts';
import { Scheduler } from './scheduler/scheduler.ts';
import { createApp, createHttpServer } from './server.ts';
import { keepState } from './state.ts';
import { MemoryStore } from './store/memory/store.ts';
import { refuseHandshake, serveUpgrades } from './upgrade.ts';
import { version } from './version.ts';
import { Deliverer } from './webhooks/deliver.ts';
import { Egress } from './webhooks/egress.ts';
import { createPoster } from './webhooks/post.ts';

const JOURNAL_BYTES = 256 * 1024 * 1024;
const SWEEP_MS = 30_000;
const SHORTEST_SWEEP_MS = 250;
const WATCH_MS = 1000;
const WARM_MS = 500;
/** How long a stop waits for what is under way. */
export const GRACE_MS = 6000;

/** A running sandbox, below the handle that users see. */
export interface OpenSandbox {
  readonly context: SandboxContext;
  readonly url: string;
  /** Stops: ready is 503, what is under way may finish for that long, what is left then is broken off. Once only. */
  close(graceMs: number): Promise<void>;
}

let sharedValidator: Validator | undefined;

/** Validators follow from the contract alone; all sandboxes of the process use one. */
function validator(): Validator {
  sharedValidator ??= createValidator((id) => operationFor(id as never).precheck?.fields ?? []);
  return sharedValidator;
}

/** Starts a sandbox. Throws FileProblem about a broken file, and the system's error where the port is taken. */
export async function openSandbox(settings: Settings, log: Log): Promise<OpenSandbox> {
  const contract = loadContract();
  const scenarios = new ScenarioLibrary(settings.scenarios ?? undefined);
  const callScenarios = scenarios
    .forWorld([])
    .all()
    .filter(({ kind }) => kind === 'call');
  const fixtures = loadFixtures(
    settings.fixtures ?? undefined,
    settings.seed,
    callScenarios.map(({ name }) => name),
  );
  const sandboxSettings: SandboxSettings = { ...settings, worldTtlMs: settings.worldTtl };
  const store = new MemoryStore({
    journalLimit: settings.journalLimit,
    journalBytes: JOURNAL_BYTES,
    fixtureView(world, startsAt) {
      const fixture = fixtures.get(world.fixture);
      if (!fixture) throw new Error(`the world ${world.name} needs the fixture ${world.fixture}, which is not there`);
      // The ids of fixture records follow from the seed: under another one they would be there twice.
      if (world.seed !== settings.seed)
        throw new Error(`the world ${world.name} was made with the seed ${world.seed}; --seed is ${settings.seed}`);
      return fixture.under(world.organization_id, startsAt);
    },
  });
  const egress = new Egress(settings.webhookTargets);
  const deliverer = new Deliverer(store, createPoster(egress), log);
  const runTask = createTaskRunner(scenarios, sandboxSettings, taskHandlers);
  const scheduler = new Scheduler({
    store,
    runTask,
    deliveriesIdle: (world, epoch) => deliverer.whenIdle(world, epoch),
    onError: (error, world) => log.error({ err: error, world }, 'a step failed'),
  });
  const isDelivering = (world: string): boolean => deliverer.isBusy(world);
  const rooms = new Rooms({ store, log }, (error, socket, req) => refuseHandshake(error, socket as Socket, req));
  const onEmptied = (world: string): void => rooms.closeOf(world);
  const worlds = new Worlds({ store, settings: sandboxSettings, fixtures, isDelivering, onEmptied });
  const sandbox: SandboxContext = {
    version,
    settings: sandboxSettings,
    store,
    scenarios,
    fixtures,
    worlds,
    scheduler,
    runTask,
    deliverer,
    log,
    ready: false,
    startedAt: performance.now(),
  };
  const state = settings.state === null ? null : await keepState(settings.state, store, log);
  await worlds.createBundled();

  const check = validator();
  const server = createHttpServer(createApp(sandbox, check));
  const breakOffUpgrades = serveUpgrades(server, sandbox, rooms);
  const answering = watchRequests(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, settings.host, () => resolve());
  });
  const { port } = server.address() as AddressInfo;
  egress.ownPort = port;
  sandbox.ready = true;
  warmUp(check, [...contract.operations.values()]);
  const stopChores = startChores(sandbox, settings);

  async function stop(graceMs: number): Promise<void> {
    sandbox.ready = false;
    stopChores();
    scheduler.stop();
    const until = performance.now() + graceMs;
    const roomsClosed = rooms.close(graceMs);
    while (performance.now() < until && (answering() || deliverer.anyOpen)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await deliverer.stop();
    await roomsClosed;
    breakOffUpgrades();
    server.closeAllConnections();
    await closed;
    await state?.close();
  }

  let stopped: Promise<void> | undefined;
  const close = (graceMs: number): Promise<void> => {
    stopped ??= stop(graceMs);
    return stopped;
  };
  const shownHost = settings.host === '0.0.0.0' || settings.host === '::' ? '127.0.0.1' : settings.host;
  const url = `http://${shownHost.includes(':') ? `[${shownHost}]` : shownHost}:${port}`;
  return { context: sandbox, url, close };
}

/** Compiles the validators after ready, one a turn: whoever asks first waits for its own at most. */
function warmUp(check: Validator, operations: Operation[]): void {
  const next = operations.shift();
  if (!next) return;
  check.warm(next);
  setImmediate(() => warmUp(check, operations)).unref();
}

/** Loads what is seldom used; a sandbox that a test opens and closes has gone by then. */
async function warmTheRest(sandbox: SandboxContext): Promise<void> {
  for (const load of preloadedModules) await load();
  for (const { id } of loadContract().operations.values()) {
    await operationFor(id)
      .warm?.()
      .catch((error) => sandbox.log.error({ err: error, operation: id }, 'an operation could not be warmed up'));
  }
}

/** A key that works in the default world, whichever fixture it begins with. */
export function keyOfDefault({ fixtures }: SandboxContext): string {
  return fixtures.get(DEFAULT_FIXTURE)?.usableKey ?? testKeyOf(DEFAULT_FIXTURE);
}

/** Tells whether requests have come whose answers have not left yet. */
function watchRequests(server: ReturnType<typeof createHttpServer>): () => boolean {
  const open = new Map<Socket, number>();
  const known = new WeakSet<Socket>();
  server.on('connection', (socket) => {
    // It comes more than once where it is served without the upgrade that it offers.
    if (known.has(socket)) return;
    known.add(socket);
    // Where a client leaves, answers that wait for one before them on its connection are never heard of again.
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket }, res) => {
    open.set(socket, (open.get(socket) ?? 0) + 1);
    res.once('close', () => {
      const left = (open.get(socket) ?? 1) - 1;
      if (left > 0) open.set(socket, left);
      else open.delete(socket);
    });
  });
  return () => open.size > 0;
}

/** What happens by itself from time to time: idle worlds go, edited scenario files are read. */
function startChores(sandbox: SandboxContext, settings: Settings): () => void {
  // Often enough that no world lies about for much longer than it may.
  const sweepMs = Math.max(SHORTEST_SWEEP_MS, Math.min(SWEEP_MS, settings.worldTtl / 2));
  const sweep = setInterval(() => {
    sandbox.worlds
      .deleteExpired()
      .catch((error) => sandbox.log.error({ err: error }, 'idle worlds could not be let go'));
  }, sweepMs).unref();
  const watch =
    settings.scenarios === null
      ? undefined
      : setInterval(watchScenarios(sandbox, settings.scenarios), WATCH_MS).unref();
  const warming = setTimeout(() => warmTheRest(sandbox), WARM_MS).unref();
  return () => {
    clearTimeout(warming);
    clearInterval(sweep);
    clearInterval(watch);
  };
}

/** One look at the folder of scenarios; what is wrong is logged once, and nothing that is in it ends the server. */
function watchScenarios({ scenarios, log }: SandboxContext, folder: string): () => void {
  let failed: string | undefined;
  return () => {
    try {
      const { changed, problems } = scenarios.refresh();
      failed = undefined;
      if (!changed) return;
      for (const { message } of problems) log.error({ problem: message }, 'a scenario keeps its last good form');
      log.info({ folder, problems: problems.length }, 'scenarios were read again');
    } catch (error) {
      if (failed !== (error as Error).message) log.error({ err: error, folder }, 'scenarios could not be read again');
      failed = (error as Error).message;
    }
  };
}
