// The settings of a running sandbox; `config.ts` reads them.
import type { ClockSetting } from '../clock/clock.ts';
import type { WebhookHttp } from '../webhooks/egress.ts';

/** Settings that operations depend on. */
export interface PlatformSettings {
  /** Calls in progress per world; null for no cap. */
  readonly concurrentCalls: number | null;
  readonly webhookHttp: WebhookHttp;
}

export interface SandboxSettings extends PlatformSettings {
  readonly seed: number;
  readonly clock: ClockSetting;
  /** Where stopped clocks begin, in milliseconds. */
  readonly start: number;
  /** Whether `svc_test_` keys create their worlds. */
  readonly autoWorlds: boolean;
  readonly maxWorlds: number;
  readonly worldTtlMs: number;
  readonly rateLimit: boolean;
  readonly strict: boolean;
  /** The control token, or null if the control API accepts API keys. */
  readonly controlToken: string | null;
}
