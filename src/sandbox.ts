// The composition root: assembles one sandbox. Any number of sandboxes can run in one process.
import { statSync } from 'node:fs';
import { marksOf } from './alike.ts';
import { createBackground } from './background.ts';
import { createBudget, type MemoryBudget } from './budget/budget.ts';
import { logCommits } from './commit-log.ts';
import type { Settings } from './config.ts';
import { ignoredIn } from './data-folder.ts';
import { taskHandlers } from './domain/task-handlers.ts';
import { logFailedTasks } from './engine/failed-tasks.ts';
import { createTaskRunner } from './engine/run-task.ts';
import type { SandboxContext } from './engine/sandbox-context.ts';
import type { SandboxSettings } from './engine/settings.ts';
import { Worlds, type WorldsOptions } from './engine/worlds.ts';
import type { Fixture } from './fixtures/fixture.ts';
import { DEFAULT_FIXTURE, loadBundledFixtures, loadFixtures } from './fixtures/library.ts';
import { Callers } from './http/callers.ts';
import { createHeaderCheck } from './http/check-headers.ts';
import { limitConnections } from './http/connections.ts';
import { createOwnAddresses } from './http/own-address.ts';
import { createValidator, type Validator } from './http/validate.ts';
import { newSecret, Secrets } from './identity/secrets.ts';
import { testKeyOf } from './identity/test-keys.ts';
import { listen } from './listen.ts';
import type { Log } from './log.ts';
import { startMaintenance } from './maintenance.ts';
import { Metrics } from './metrics/metrics.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { type OpenStore, openStore, unusableStore } from './open-store.ts';
import { operationFor } from './operations/index.ts';
import { Rooms } from './rooms/rooms.ts';
import { ScenarioLibrary } from './scenarios/library.ts';
import { Rounds } from './scheduler/rounds.ts';
import { Turns } from './scheduler/turns.ts';
import { createApp, createHttpServer } from './server.ts';
import { StateKeeper } from './state/keeper.ts';
import { stopSandbox } from './stop-sandbox.ts';
import { StoreAway } from './store/store-away.ts';
import { Streams } from './stream/streams.ts';
import { refuseHandshake, serveUpgrades } from './upgrade.ts';
import { version } from './version.ts';
import { Egress } from './webhooks/egress.ts';
import { Names } from './webhooks/names.ts';
import { createPoster, type Poster } from './webhooks/post.ts';
import type { OnMalformed } from './websocket-server.ts';

/** A running sandbox; the library wraps it in a handle. */
export interface OpenSandbox {
  readonly context: SandboxContext;
  readonly url: string;
  /** Stops: `ready` is 503, and work in progress has that long to finish before it is aborted. Later calls do nothing. */
  close(graceMs: number, withinMs?: number): Promise<void>;
}

let sharedValidator: Validator | undefined;

/** Validators depend only on the contract, so all sandboxes of the process share them. */
function validatorOfProcess(): Validator {
  sharedValidator ??= createValidator((id) => operationFor(id).precheck?.fields ?? []);
  return sharedValidator;
}

/** Makes what all sandboxes of the process share; the first of them does otherwise. */
export function prepareProcess(): void {
  loadFiles({ scenarios: null, fixtures: null, seed: 0 });
  validatorOfProcess().prepare();
}

/** Starts a sandbox. Throws FileProblem about a broken file, and the system's error if the port is taken. */
export async function openSandbox(settings: Settings, log: Log): Promise<OpenSandbox> {
  const files = loadFiles(settings);
  reportIgnored(settings, log);
  const rounds = new Rounds();
  const turns = new Turns(rounds);
  const state = settings.state === null ? null : await StateKeeper.open(settings.state, log, turns);
  try {
    return await start({ settings, files, rounds, turns, state, log });
  } catch (error) {
    await state?.close();
    throw error;
  }
}

async function start(given: Omit<Given, 'budget'>): Promise<OpenSandbox> {
  const { settings, files, turns, log } = given;
  const budget = createBudget(settings.memory);
  const opened = await openStore(settings, files.fixtures, budget, turns, log);
  try {
    return await startOn(opened, { ...given, budget });
  } catch (error) {
    opened.close();
    throw error instanceof StoreAway ? unusableStore(settings, error.reason) : error;
  }
}

/** What a sandbox is made of, beside its store. */
interface Given {
  readonly settings: Settings;
  readonly files: Files;
  readonly rounds: Rounds;
  readonly turns: Turns;
  readonly state: StateKeeper | null;
  readonly budget: MemoryBudget;
  readonly log: Log;
}

async function startOn(opened: OpenStore, given: Given): Promise<OpenSandbox> {
  const { settings, state, rounds, log } = given;
  const { context, rooms, streams, egress } = createParts(opened, given);
  const { store, memory } = opened;
  await reportDiffering(opened, given, context);
  logCommits(store, log);
  const { worlds, scheduler, deliverer } = context;
  if (memory) await state?.restore(memory);
  await worlds.createBundled();
  opened.onReturn(() => worlds.createBundled());
  context.metrics.listen(store);
  if (memory) await state?.begin(memory, () => worlds.goneAfterRestart());
  const validator = validatorOfProcess();
  const addresses = createOwnAddresses(settings.publicUrl, settings.trustProxy);
  const checkHeaders = createHeaderCheck(settings.host, settings.allowedHosts, settings.publicUrl);
  const entrance = { addresses, checkHeaders };
  const callers = new Callers(context.turns, rounds);
  const server = createHttpServer(createApp(context, validator, callers), log, entrance);
  const connections = limitConnections(server, context.budget.shares.connections, addresses, rounds);
  context.openConnections = connections.count;
  const closeUpgraded = serveUpgrades(server, context, { rooms, streams, callers }, entrance);
  const port = await listen(server, settings, log).catch(async (error) => {
    scheduler.stop();
    await deliverer.stop();
    throw error;
  });
  egress.ownPort = port;
  context.ready = true;
  const stopMaintenance = startMaintenance(context, validator, settings);
  const running = { context, server, rooms, streams, state, opened, connections, closeUpgraded, stopMaintenance };
  let stopped: Promise<void> | undefined;
  return {
    context,
    url: urlOf(settings.host, port),
    close(graceMs, withinMs = Number.POSITIVE_INFINITY) {
      stopped ??= stopSandbox(running, graceMs, withinMs);
      return stopped;
    },
  };
}

/** Says which settings another replica does not have alike: that is so while they change in a rolling restart. */
async function reportDiffering(opened: OpenStore, { settings, log }: Given, context: SandboxContext): Promise<void> {
  if (opened.secret === null) return;
  const differing = await opened.differing(marksOf(opened.secret, settings, context.secrets, context.fixtures));
  if (differing.length > 0) log.error({ settings: differing }, 'another replica has other values of these settings');
}

interface Files {
  readonly scenarios: ScenarioLibrary;
  readonly fixtures: ReadonlyMap<string, Fixture>;
}

function loadFiles(settings: Pick<Settings, 'scenarios' | 'fixtures' | 'seed'>): Files {
  const scenarios = new ScenarioLibrary(settings.scenarios ?? undefined);
  const all = scenarios.forWorld([]).all();
  const callScenarios = all.filter(({ kind }) => kind === 'call').map(({ name }) => name);
  const isBundled = settings.scenarios === null && settings.fixtures === null;
  const fixtures = isBundled
    ? loadBundledFixtures(settings.seed, callScenarios)
    : loadFixtures(settings.fixtures ?? undefined, settings.seed, callScenarios);
  return { scenarios, fixtures };
}

/** Says what in the given folders is not read, such as a subfolder, which would otherwise go unnoticed. */
function reportIgnored({ scenarios, fixtures }: Settings, log: Log): void {
  for (const folder of [scenarios, fixtures]) {
    if (folder === null || !statSync(folder).isDirectory()) continue;
    const ignored = ignoredIn(folder);
    if (ignored.length === 0) continue;
    log.info({ folder, ignored }, 'ignored: only .yaml, .yml and .json files directly in the folder are read');
  }
}

interface Parts {
  readonly context: SandboxContext;
  readonly rooms: Rooms;
  readonly streams: Streams;
  readonly egress: Egress;
}

function createParts(opened: OpenStore, { settings, files, turns, state, budget, log }: Given): Parts {
  const { scenarios, fixtures } = files;
  const { store, work, problem, warning, replica, shared } = opened;
  const sandboxSettings: SandboxSettings = { ...settings, worldTtlMs: settings.worldTtl };
  const secrets = secretsOf(settings, state?.secret() ?? opened.secret);
  const egress = new Egress(settings.webhookTargets, settings.publicUrl);
  const [metrics, reads] = [new Metrics(), new OneAtATime()];
  const runTask = createTaskRunner(scenarios, sandboxSettings, taskHandlers, logFailedTasks(store, log));
  const sent = { poster: createSender(egress, settings, state), store, work, turns, metrics, log };
  const background = createBackground(sent, runTask);
  const onMalformed = refuseHandshake.bind(null, log);
  const rooms = createRooms(opened, { store, secrets, runTask, turns, log }, onMalformed);
  const streams = createStreams(opened, { turns, budget, log }, reads, onMalformed);
  const worlds = new Worlds({
    store,
    turns,
    settings: sandboxSettings,
    fixtures,
    isDelivering: (world) => background.openWork.isBusy(world),
    onEmptied: (world) => rooms.onEmptied(world),
    shared,
    ...(state && worldsOptionsOf(state)),
  });
  const context: SandboxContext = {
    version,
    settings: sandboxSettings,
    budget,
    secrets,
    store,
    work,
    replica,
    storeProblem: problem,
    storeWarning: warning,
    scenarios,
    fixtures,
    worlds,
    ...background,
    runTask,
    turns,
    planChanges: new OneAtATime(),
    reads,
    metrics,
    log,
    waits: new Set(),
    openConnections: () => 0,
    ready: false,
    startedAt: performance.now(),
  };
  return { context, rooms, streams, egress };
}

function createRooms(
  { replica, work }: OpenStore,
  parts: Pick<SandboxContext, 'store' | 'secrets' | 'runTask' | 'turns' | 'log'>,
  onMalformed: OnMalformed,
): Rooms {
  return new Rooms({ ...parts, processes: { own: replica ?? newSecret(), lives: work.lives } }, onMalformed);
}

function createStreams(
  { store, shared }: OpenStore,
  { turns, budget, log }: Pick<Given, 'turns' | 'budget' | 'log'>,
  reads: OneAtATime,
  onMalformed: OnMalformed,
): Streams {
  const share = budget.shares.connections;
  return new Streams({ store, isShared: shared !== null, share, turns, reads, log }, onMalformed);
}

/** With a control token, who knows the seed must not know the keys. What is kept goes on working after a restart. */
function secretsOf({ secret, controlToken, seed }: Settings, kept: string | null | undefined): Secrets {
  if (secret !== null) return Secrets.from(secret);
  if (controlToken === null) return Secrets.fromSeed(seed);
  return Secrets.from(kept ?? newSecret());
}

/** What the worlds learn from a state file, and what it learns from them. */
function worldsOptionsOf(state: StateKeeper): Pick<WorldsOptions, 'lost' | 'onLosable' | 'firstOrdinals'> {
  const { gone, firstOrdinals } = state;
  return { lost: gone, firstOrdinals, onLosable: (world, epoch) => state.remember(world, epoch) };
}

function createSender(egress: Egress, { webhookConnections }: Settings, state: StateKeeper | null): Poster {
  const poster = createPoster(egress, new Names(), webhookConnections);
  return state ? savedFirst(poster, state) : poster;
}

/** Sends a delivery only when its attempt, and what it reports, are saved: so that no crash makes it be sent again. */
function savedFirst(poster: Poster, state: StateKeeper): Poster {
  return {
    ...poster,
    async post(...delivery) {
      await state.save();
      return poster.post(...delivery);
    },
  };
}

/** An address that this machine can open; a server that listens on all addresses is reached on the loopback one. */
function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/** A key that works in the default world, whatever its fixture. */
export function keyOfDefault({ fixtures }: Pick<SandboxContext, 'fixtures'>): string {
  return fixtures.get(DEFAULT_FIXTURE)?.usableKey ?? testKeyOf(DEFAULT_FIXTURE);
}
