// Every setting of a sandbox, in one table: flag, environment, default, what is allowed, what it means. The only
// reader of the process's environment. `interface.md` section 1.
import { closest } from 'fastest-levenshtein';
import { type ClockSetting, clockForm, parseClockSetting, parseTimestamp, timestampForm } from './clock/clock.ts';
import { durationForm, parseDuration } from './clock/duration.ts';
import { readTargets, type WebhookHttp, type WebhookTargets } from './webhooks/egress.ts';

export const logLevels = ['silent', 'error', 'info', 'debug'] as const;

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
  readonly store: 'memory';
  readonly controlToken: string | null;
  readonly webhookTargets: WebhookTargets;
  readonly webhookHttp: WebhookHttp;
  readonly rateLimit: boolean;
  /** Null for no cap. */
  readonly concurrentCalls: number | null;
  readonly autoWorlds: boolean;
  readonly maxWorlds: number;
  /** Milliseconds. */
  readonly worldTtl: number;
  readonly journalLimit: number;
  readonly strict: boolean;
  readonly log: (typeof logLevels)[number];
}

export type SettingName = keyof Settings;

interface SettingRow<Value> {
  readonly flag: string;
  /** In order of precedence. */
  readonly environment: readonly string[];
  /** As text; null where there is none. */
  readonly default: string | null;
  readonly allowed: string;
  readonly meaning: string;
  /** Undefined where the text is not allowed; a sentence where it is allowed one day. */
  readonly read: (text: string) => Value | undefined | NotBuilt;
}

/** A value that a later release will take. */
class NotBuilt {
  readonly what: string;

  constructor(what: string) {
    this.what = what;
  }
}

const MOST_CALLS = 1_000_000;
const MOST_WORLDS = 1_000_000;
const MOST_ENTRIES = 10_000_000;

const whole =
  (least: number, most: number) =>
  (text: string): number | undefined =>
    /^\d{1,16}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined;
const oneOf =
  <Value extends string>(...values: readonly Value[]) =>
  (text: string): Value | undefined =>
    values.find((value) => value === text);
const onOff = (text: string): boolean | undefined => (text === 'on' ? true : text === 'off' ? false : undefined);
const anyText = (text: string): string | undefined => (text === '' ? undefined : text);

export const settings: { readonly [Name in SettingName]: SettingRow<Settings[Name]> } = {
  port: {
    flag: '--port',
    environment: ['RINGBACK_PORT', 'PORT'],
    default: '4747',
    allowed: 'a port from 0 to 65535; 0 takes a free one',
    meaning: 'where it listens',
    read: whole(0, 65_535),
  },
  host: {
    flag: '--host',
    environment: ['RINGBACK_HOST'],
    default: '127.0.0.1',
    allowed: 'a host name or address',
    meaning: 'the address it listens on',
    read: (text) => (/^[\w.:%-]+$/.test(text) ? text : undefined),
  },
  seed: {
    flag: '--seed',
    environment: ['RINGBACK_SEED'],
    default: '1',
    allowed: `a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`,
    meaning: 'everything generated follows from it',
    read: whole(0, Number.MAX_SAFE_INTEGER),
  },
  clock: {
    flag: '--clock',
    environment: ['RINGBACK_CLOCK'],
    default: 'real',
    allowed: clockForm,
    meaning: 'how time goes in a new world',
    read: parseClockSetting,
  },
  start: {
    flag: '--start',
    environment: ['RINGBACK_START'],
    default: '2026-01-05T15:00:00.000Z',
    allowed: timestampForm,
    meaning: 'where manual and instant clocks begin',
    read: parseTimestamp,
  },
  scenarios: {
    flag: '--scenarios',
    environment: ['RINGBACK_SCENARIOS'],
    default: null,
    allowed: 'a folder of scenario files',
    meaning: 'laid over the bundled scenarios, and watched while running',
    read: anyText,
  },
  fixtures: {
    flag: '--fixtures',
    environment: ['RINGBACK_FIXTURES'],
    default: null,
    allowed: 'a fixture file or a folder of them',
    meaning: 'in place of the bundled ones of their names; a single file is the world default',
    read: anyText,
  },
  state: {
    flag: '--state',
    environment: ['RINGBACK_STATE'],
    default: null,
    allowed: 'a file',
    meaning: 'carries bundled and posted worlds over a restart, as JSON',
    read: anyText,
  },
  store: {
    flag: '--store',
    environment: ['RINGBACK_STORE'],
    default: 'memory',
    allowed: 'memory',
    meaning: 'where state lives',
    read: (text) => (/^rediss?:\/\//.test(text) ? new NotBuilt('a Redis store') : oneOf('memory')(text)),
  },
  controlToken: {
    flag: '--control-token',
    environment: ['RINGBACK_CONTROL_TOKEN'],
    default: null,
    allowed: '1 to 512 visible characters without spaces',
    meaning: 'what the control API asks for, in place of API keys',
    read: (text) => (/^[\x21-\x7e]{1,512}$/.test(text) ? text : undefined),
  },
  webhookTargets: {
    flag: '--webhook-targets',
    environment: ['RINGBACK_WEBHOOK_TARGETS'],
    default: 'private',
    allowed: 'private, public, or hosts and CIDRs separated by commas',
    meaning: 'which addresses webhooks may reach; private: any but link-local and cloud metadata',
    read: readTargets,
  },
  webhookHttp: {
    flag: '--webhook-http',
    environment: ['RINGBACK_WEBHOOK_HTTP'],
    default: 'private',
    allowed: 'private, never or any',
    meaning: 'where plain http: webhook URLs may lead; private: this machine and private networks',
    read: oneOf('private', 'never', 'any'),
  },
  rateLimit: {
    flag: '--rate-limit',
    environment: ['RINGBACK_RATE_LIMIT'],
    default: 'on',
    allowed: 'on or off',
    meaning: 'off: nothing is refused, the headers show a full quota',
    read: onOff,
  },
  concurrentCalls: {
    flag: '--concurrent-calls',
    environment: ['RINGBACK_CONCURRENT_CALLS'],
    default: '100',
    allowed: `a whole number from 1 to ${MOST_CALLS}, or off`,
    meaning: 'calls in progress a world',
    read: (text) => (text === 'off' ? null : whole(1, MOST_CALLS)(text)),
  },
  autoWorlds: {
    flag: '--auto-worlds',
    environment: ['RINGBACK_AUTO_WORLDS'],
    default: 'on',
    allowed: 'on or off',
    meaning: 'whether a svc_test_ key makes its world on first use',
    read: onOff,
  },
  maxWorlds: {
    flag: '--max-worlds',
    environment: ['RINGBACK_MAX_WORLDS'],
    default: '10000',
    allowed: `a whole number from 1 to ${MOST_WORLDS}`,
    meaning: 'worlds at once; past it the longest idle one that a svc_test_ key made goes',
    read: whole(1, MOST_WORLDS),
  },
  worldTtl: {
    flag: '--world-ttl',
    environment: ['RINGBACK_WORLD_TTL'],
    default: '1h',
    allowed: durationForm,
    meaning: 'how long a world that a svc_test_ key made may be idle',
    read: parseDuration,
  },
  journalLimit: {
    flag: '--journal-limit',
    environment: ['RINGBACK_JOURNAL_LIMIT'],
    default: '1000',
    allowed: `a whole number from 1 to ${MOST_ENTRIES}`,
    meaning: 'entries kept per world and journal',
    read: whole(1, MOST_ENTRIES),
  },
  strict: {
    flag: '--strict',
    environment: ['RINGBACK_STRICT'],
    default: 'off',
    allowed: 'on or off',
    meaning: 'on: no sandbox headers on platform answers, and control headers are ignored',
    read: onOff,
  },
  log: {
    flag: '--log',
    environment: ['RINGBACK_LOG'],
    default: 'info',
    allowed: logLevels.join(', '),
    meaning: 'what is logged; JSON lines where stdout is no terminal',
    read: oneOf(...logLevels),
  },
};

export const settingNames = Object.keys(settings) as SettingName[];

/** A setting that is unknown or malformed, as one line. */
export class SettingProblem extends Error {}

/** What belongs to clients, or is injected by container platforms for a service of our name. */
const ignoredVariables = [/^RINGBACK_URL$/, /^RINGBACK_KEY$/, /^RINGBACK_SERVICE_/, /^RINGBACK_PORT_/];

const isInjectedPort = (value: string): boolean => value.startsWith('tcp://');

/**
 * Settings from flags over the environment over the defaults; throws SettingProblem. `readsPort` also takes `PORT`,
 * as `serve` does.
 */
export function readSettings(flags: Readonly<Partial<Record<SettingName, string>>>, readsPort = false): Settings {
  const environment = process.env;
  refuseUnknownVariables(environment);
  const given: Partial<Record<SettingName, { text: string; from: string }>> = {};
  for (const name of settingNames) {
    const { flag, environment: variables } = settings[name];
    const flagged = flags[name];
    if (flagged !== undefined) {
      given[name] = { text: flagged, from: flag };
      continue;
    }
    for (const variable of variables) {
      const text = environment[variable];
      if (text === undefined || text === '' || (variable === 'PORT' && !readsPort)) continue;
      if (variable === 'RINGBACK_PORT' && isInjectedPort(text)) continue;
      given[name] = { text, from: variable };
      break;
    }
  }
  return readAll(given);
}

/** The server that a client command speaks to: the flag, else RINGBACK_URL, else this machine at the port set. */
export function readServerUrl(url: string | undefined, port: string | undefined): string {
  const { port: number } = readSettings(port === undefined ? {} : { port });
  const given = url ?? process.env.RINGBACK_URL;
  if (given === undefined) return `http://127.0.0.1:${number}`;
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol)) {
    const from = url === undefined ? 'RINGBACK_URL' : '--url';
    throw new SettingProblem(`${from}: ${redactedValue(given)} is not allowed; allowed: an http: or https: address`);
  }
  return given.replace(/\/$/, '');
}

/** Settings of a sandbox within a process: its options over the defaults, a free port, no log. */
export function readOptions(options: SandboxOptions): Settings {
  const given: Partial<Record<SettingName, { text: string; from: string }>> = {
    port: { text: '0', from: 'port' },
    log: { text: 'silent', from: 'log' },
  };
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(settings, name)) {
      throw new SettingProblem(
        `there is no option "${name}"; one of ${settingNames.join(', ')}; did you mean ${closest(name, settingNames)}?`,
      );
    }
    if (value === undefined) continue;
    const text = value === true ? 'on' : value === false ? 'off' : String(value);
    given[name as SettingName] = { text, from: name };
  }
  return readAll(given);
}

/** Every setting under its name, as text or as the value it stands for. */
export type SandboxOptions = { readonly [Name in SettingName]?: string | number | boolean | undefined };

function readAll(given: Partial<Record<SettingName, { text: string; from: string }>>): Settings {
  const values: Record<string, unknown> = {};
  for (const name of settingNames) {
    const row: SettingRow<unknown> = settings[name];
    const { text, from } = given[name] ?? { text: row.default, from: name };
    const value = text === null ? null : row.read(text);
    if (value instanceof NotBuilt)
      throw new SettingProblem(`${from}: ${value.what} is not built yet; allowed: ${row.allowed}`);
    if (value === undefined) {
      const shownText = name === 'controlToken' ? 'the value given' : redactedValue(text as string);
      throw new SettingProblem(`${from}: ${shownText} is not allowed; allowed: ${row.allowed}`);
    }
    values[name] = value;
  }
  return values as unknown as Settings;
}

/** A value as a message may show it: what stands before an @, or in a query, is where addresses carry passwords. */
function redactedValue(text: string): string {
  const address = text.replace(/^([a-z][\w+.-]*:\/\/)?.*@/is, '$1…@').replace(/\?.*$/s, '?…');
  return JSON.stringify(address);
}

function refuseUnknownVariables(environment: Readonly<Record<string, string | undefined>>): void {
  const known = settingNames.flatMap((name) => settings[name].environment);
  for (const variable of Object.keys(environment)) {
    if (!variable.startsWith('RINGBACK_') || known.includes(variable)) continue;
    if (ignoredVariables.some((form) => form.test(variable))) continue;
    // Its value is not shown: it could be the secret of a setting that is misspelt.
    throw new SettingProblem(
      `${variable} is given, but there is no such setting; one of ${known.join(', ')}; did you mean ${closest(variable, known)}?`,
    );
  }
}
