// Every setting of a sandbox in one table: flag, environment, default, allowed values, meaning. `config.ts` reads
// them. `interface.md` section 1.
import { formatSize } from './budget/size.ts';
import { type ClockSetting, clockForm, parseClockSetting, parseTimestamp, timestampForm } from './clock/clock.ts';
import { durationForm, parseDuration } from './clock/duration.ts';
import { type AllowedHosts, allowedHostsForm, readAllowedHosts } from './http/allowed-hosts.ts';
import { readTrustedPeers, type TrustedPeers, trustedPeersForm, trustedPeersWords } from './http/own-address.ts';
import { type PublicUrl, publicUrlForm, readPublicUrl } from './public-url.ts';
import {
  integerForm,
  MAX_MEMORY,
  MIN_MEMORY,
  parseChoice,
  parseInteger,
  parseMemory,
  parseOnOff,
  parseStore,
  parseText,
  secretText,
} from './setting-forms.ts';
import { redisAddressForm } from './store/redis/address.ts';
import { keysOf } from './typed-keys.ts';
import { readTargets, targetWords, type WebhookHttp, type WebhookTargets } from './webhooks/egress.ts';
import type { WebhookConnections } from './webhooks/post.ts';

const logLevels = ['silent', 'error', 'info', 'debug'] as const;

export interface Settings {
  readonly port: number;
  readonly host: string;
  readonly seed: number;
  readonly clock: ClockSetting;
  /** Milliseconds. */
  readonly start: number;
  readonly scenarios: string | null;
  readonly fixtures: string | null;
  readonly state: string | null;
  /** `memory`, or the address of a store in Redis. */
  readonly store: string;
  /** How many replicas of Redis must have a commit before it is acknowledged. */
  readonly redisWait: number;
  readonly controlToken: string | null;
  readonly publicUrl: PublicUrl | null;
  readonly trustProxy: TrustedPeers;
  /** Null for those that follow from the address it listens on. */
  readonly allowedHosts: AllowedHosts | null;
  readonly secret: string | null;
  readonly webhookTargets: WebhookTargets;
  readonly webhookHttp: WebhookHttp;
  readonly webhookConnections: WebhookConnections;
  readonly rateLimit: boolean;
  /** Null for no cap. */
  readonly concurrentCalls: number | null;
  readonly autoWorlds: boolean;
  readonly maxWorlds: number;
  /** Milliseconds. */
  readonly worldTtl: number;
  readonly journalLimit: number;
  /** Bytes; null for what the process can use. */
  readonly memory: number | null;
  readonly maxCalls: number;
  readonly strict: boolean;
  readonly log: (typeof logLevels)[number];
}

export type SettingName = keyof Settings;

interface SettingRow<Value> {
  /** Environment variables that count after its own. */
  readonly otherVariables?: readonly string[];
  /** As text; null if there is no default. */
  readonly default: string | Extract<Value, null>;
  /** Completes "must be …". */
  readonly allowed: string;
  /** Words among its values, one of which a value that is not allowed may mean. */
  readonly words?: readonly string[];
  readonly meaning: string;
  /** Whether no message may repeat its value. */
  readonly isSecret?: boolean;
  /** Returns undefined for text that is not allowed. */
  readonly parse: (text: string) => Value | undefined;
}

const MAX_CALLS = 1_000_000;
const MAX_WORLDS = 1_000_000;
const MAX_ENTRIES = 10_000_000;

export const settings: { readonly [Name in SettingName]: SettingRow<Settings[Name]> } = {
  port: {
    otherVariables: ['PORT'],
    default: '4747',
    allowed: 'a port from 0 to 65535; 0 takes any free port',
    meaning: 'the port to listen on',
    parse: parseInteger(0, 65_535),
  },
  host: {
    default: '127.0.0.1',
    allowed: 'a host name or address',
    meaning: 'the address to listen on',
    parse: (text) => (/^[\w.:%-]+$/.test(text) ? text : undefined),
  },
  seed: {
    default: '1',
    allowed: integerForm(0, Number.MAX_SAFE_INTEGER),
    meaning: 'determines every generated id, name and timing',
    parse: parseInteger(0, Number.MAX_SAFE_INTEGER),
  },
  clock: {
    default: 'real',
    allowed: clockForm,
    words: ['real', 'manual', 'instant'],
    meaning: 'how time passes in a new world',
    parse: parseClockSetting,
  },
  start: {
    default: '2026-01-05T15:00:00.000Z',
    allowed: timestampForm,
    meaning: 'the time at which manual and instant clocks start',
    parse: parseTimestamp,
  },
  scenarios: {
    default: null,
    allowed: 'a folder of scenario files',
    meaning: 'scenarios added to the bundled ones or overriding them; watched while running',
    parse: parseText,
  },
  fixtures: {
    default: null,
    allowed: 'a fixture file or a folder of them',
    meaning: 'fixtures that replace the bundled ones of the same name; a single file replaces `default`',
    parse: parseText,
  },
  state: {
    default: null,
    allowed: 'the path of a file',
    meaning: 'a JSON file that keeps bundled and posted worlds across restarts',
    parse: parseText,
  },
  store: {
    default: 'memory',
    allowed: `memory, or an address: ${redisAddressForm}`,
    words: ['memory'],
    meaning:
      'where state is stored: in this process, or in Redis 7 or Valkey, where it outlives the process and any number of servers share it',
    parse: parseStore,
  },
  redisWait: {
    default: '0',
    allowed: integerForm(0, 9),
    meaning: 'how many replicas of Redis must have a commit before it is acknowledged (WAIT)',
    parse: parseInteger(0, 9),
  },
  controlToken: {
    meaning: 'the token that the control API requires instead of an API key',
    ...secretText,
  },
  secret: {
    meaning:
      'what keys made at run time, client tokens and recording addresses are derived from; by default the seed, or with a control token random',
    ...secretText,
  },
  publicUrl: {
    default: null,
    allowed: publicUrlForm,
    meaning:
      'the address by which callers reach the server, with the path that a proxy serves it under; the URLs in answers begin with it',
    parse: readPublicUrl,
  },
  trustProxy: {
    default: 'loopback',
    allowed: trustedPeersForm,
    words: trustedPeersWords,
    meaning:
      'the peers whose X-Forwarded-Proto, -Host, -Port, -Prefix and Forwarded headers are believed where there is no public URL',
    parse: readTrustedPeers,
  },
  allowedHosts: {
    default: null,
    allowed: allowedHostsForm,
    meaning:
      'the `Host` names that are answered, besides loopback, single-label, `.internal` and `.local` ones; others get 421; without it, a server that listens on loopback answers those alone, and any other all',
    parse: readAllowedHosts,
  },
  webhookTargets: {
    default: 'private',
    allowed: 'private, public, or hosts and CIDRs separated by commas',
    words: targetWords,
    meaning: 'the addresses that webhooks may reach; private: all except link-local and cloud metadata',
    parse: readTargets,
  },
  webhookHttp: {
    default: 'private',
    allowed: 'private, never or any',
    words: ['private', 'never', 'any'],
    meaning: 'where plain http: webhook URLs may point; private: this machine and private networks',
    parse: parseChoice('private', 'never', 'any'),
  },
  webhookConnections: {
    default: 'fresh',
    allowed: 'fresh or reuse',
    words: ['fresh', 'reuse'],
    meaning:
      'fresh: a new connection for each delivery; reuse: kept open, faster, but one the receiver closes can lose a delivery',
    parse: parseChoice('fresh', 'reuse'),
  },
  rateLimit: {
    default: 'on',
    allowed: 'on or off',
    meaning: 'off: no request is limited, and the headers show a full quota',
    parse: parseOnOff,
  },
  concurrentCalls: {
    default: '100',
    allowed: `${integerForm(1, MAX_CALLS)}, or off`,
    meaning: 'the maximum number of calls in progress per world',
    parse: (text) => (text === 'off' ? null : parseInteger(1, MAX_CALLS)(text)),
  },
  autoWorlds: {
    default: 'on',
    allowed: 'on or off',
    meaning: 'whether a svc_test_ key creates its world on first use',
    parse: parseOnOff,
  },
  maxWorlds: {
    default: '10000',
    allowed: integerForm(1, MAX_WORLDS),
    meaning: 'the maximum number of worlds; past it, the longest idle one created by a svc_test_ key is deleted',
    parse: parseInteger(1, MAX_WORLDS),
  },
  worldTtl: {
    default: '1h',
    allowed: durationForm,
    meaning: 'how long a world created by a svc_test_ key may be idle before it is deleted',
    parse: parseDuration,
  },
  journalLimit: {
    default: '1000',
    allowed: integerForm(1, MAX_ENTRIES),
    meaning: 'the number of entries kept per world and journal',
    parse: parseInteger(1, MAX_ENTRIES),
  },
  memory: {
    default: 'auto',
    allowed: `auto, or a size from ${formatSize(MIN_MEMORY)} to ${formatSize(MAX_MEMORY)} such as 512mb, 1gb or a number of bytes`,
    meaning: "the memory that the server may use; auto: that of the container, or half of the machine's",
    parse: parseMemory,
  },
  maxCalls: {
    default: '100000',
    allowed: integerForm(1, MAX_ENTRIES),
    meaning: 'the number of finished calls kept per world; past it, the oldest are deleted',
    parse: parseInteger(1, MAX_ENTRIES),
  },
  strict: {
    default: 'off',
    allowed: 'on or off',
    meaning: 'on: platform responses have no sandbox headers, and control headers are ignored',
    parse: parseOnOff,
  },
  log: {
    default: 'info',
    allowed: `one of ${logLevels.join(', ')}`,
    words: logLevels,
    meaning: 'what is logged; as JSON lines if stdout is not a terminal',
    parse: parseChoice(...logLevels),
  },
};

export const settingNames: readonly SettingName[] = keysOf(settings);

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(settings, name);

const words = (name: SettingName): string[] => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());

/** The flag of a setting, such as `--max-worlds`. */
export const flagOf = (name: SettingName): string => `--${words(name).join('-')}`;

/** The environment variables of a setting, such as `RINGBACK_MAX_WORLDS`, in order of precedence. */
export function variablesOf(name: SettingName): readonly string[] {
  return [`RINGBACK_${words(name).join('_').toUpperCase()}`, ...(settings[name].otherVariables ?? [])];
}
