// Whether the process is alive, and whether it serves requests.
import type { SandboxContext } from '../engine/sandbox-context.ts';

export interface HealthView {
  readonly status: 'ok' | 'ready' | 'not_ready';
  readonly version: string;
  /** Since the sandbox was started. */
  readonly uptime_seconds: number;
}

type Parts = Pick<SandboxContext, 'version' | 'startedAt'>;

export function readHealth(parts: Parts): HealthView {
  return withStatus(parts, 'ok');
}

/** `ready` once fixtures and scenarios are loaded and the contract is checked; `not_ready` before, and while stopping. */
export function readReadiness(parts: Parts & Pick<SandboxContext, 'ready'>): HealthView {
  return withStatus(parts, parts.ready ? 'ready' : 'not_ready');
}

function withStatus({ version, startedAt }: Parts, status: HealthView['status']): HealthView {
  return { status, version, uptime_seconds: Math.floor((performance.now() - startedAt) / 1000) };
}
