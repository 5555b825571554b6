// Whether the process is alive and serves requests, and how much of its memory budget is used.
import type { MemoryBudget, Share, ShareName } from '../budget/budget.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';

export interface ReadinessView {
  readonly status: 'ok' | 'ready' | 'not_ready';
  readonly version: string;
  /** Since the sandbox was started. */
  readonly uptime_seconds: number;
}

export interface StoreView {
  readonly kind: 'memory' | 'redis';
  /** The name of this process among those that share the store; null where none does. */
  readonly replica: string | null;
  /** How many worlds this process runs: it does their timed tasks and deliveries; null where no other could. */
  readonly runs: number | null;
  /** Why the store cannot be used now; null if it can. */
  readonly problem: string | null;
  /** What endangers what it has; absent if nothing does. */
  readonly warning?: string;
}

export interface ShareView {
  readonly limit_bytes: number;
  readonly used_bytes: number;
  /** How many things went before their time to make room. */
  readonly dropped: number;
  /** How many requests, connections and deliveries were refused for lack of room. */
  readonly refused: number;
}

export interface HealthView extends ReadinessView {
  readonly store: StoreView;
  /** Lines that the log could not write: its output was full, closed, or not read in time. */
  readonly log_lines_dropped: number;
  readonly memory: { readonly limit_bytes: number; readonly shares: { readonly [Name in ShareName]: ShareView } };
}

type Parts = Pick<SandboxContext, 'version' | 'startedAt' | 'replica' | 'storeProblem' | 'storeWarning' | 'work'>;

export function readHealth(parts: Parts & Pick<SandboxContext, 'budget' | 'log'>): HealthView {
  const { replica, storeProblem, storeWarning, work, log, budget } = parts;
  const warning = storeWarning();
  const runs = work.shared?.worldsRun() ?? null;
  return {
    ...withStatus(parts, 'ok'),
    store: {
      kind: replica === null ? 'memory' : 'redis',
      replica,
      runs,
      problem: storeProblem(),
      ...(warning === null ? {} : { warning }),
    },
    log_lines_dropped: log.dropped,
    memory: memoryOf(budget),
  };
}

/** `ready` once all is loaded and checked; `not_ready` before, while stopping, and while the store cannot be used. */
export function readReadiness(parts: Parts & Pick<SandboxContext, 'ready'>): ReadinessView {
  return withStatus(parts, parts.ready && parts.storeProblem() === null ? 'ready' : 'not_ready');
}

function memoryOf({ limit, shares }: MemoryBudget): HealthView['memory'] {
  return {
    limit_bytes: limit,
    shares: {
      journals: viewOf(shares.journals),
      records: viewOf(shares.records),
      deliveries: viewOf(shares.deliveries),
      documents: viewOf(shares.documents),
      connections: viewOf(shares.connections),
    },
  };
}

function viewOf({ limit, used, dropped, refused }: Share): ShareView {
  return { limit_bytes: limit, used_bytes: used, dropped, refused };
}

function withStatus({ version, startedAt }: Parts, status: ReadinessView['status']): ReadinessView {
  return { status, version, uptime_seconds: Math.floor((performance.now() - startedAt) / 1000) };
}
