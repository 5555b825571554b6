// The settings that a sandbox goes by once it runs; `config.ts` reads them.
import type { ClockSetting } from '../clock/clock.ts';
import type { WebhookHttp } from '../webhooks/egress.ts';

/** Settings that operations go by. */
export interface PlatformSettings {
  /** Calls in progress a world; null for no cap. */
  readonly concurrentCalls: number | null;
  readonly webhookHttp: WebhookHttp;
}

/** Those, and what the sandbox around them goes by. */
export interface SandboxSettings extends PlatformSettings {
  readonly seed: number;
  readonly clock: ClockSetting;
  /** Where standing clocks begin, in milliseconds. */
  readonly start: number;
  readonly autoWorlds: boolean;
  readonly maxWorlds: number;
  readonly worldTtlMs: number;
  readonly rateLimit: boolean;
  readonly strict: boolean;
  /** The control token, or null where the control API takes keys. */
  readonly controlToken: string | null;
}
