// Reads the settings from flags, environment and defaults, in this order, and from the library's options.
// `interface.md` section 1.
import { type Environment, environment, isInjectedPort } from './environment.ts';
import { didYouMean } from './errors/did-you-mean.ts';
import {
  flagOf,
  isSettingName,
  type SettingName,
  type Settings,
  settingNames,
  settings,
  variablesOf,
} from './settings-table.ts';
import { notValid, redactedValue, WrongUse } from './wrong-use.ts';

export { flagOf, type SettingName, type Settings, settingNames, settings, variablesOf } from './settings-table.ts';

/** A one-line message about a setting that is unknown or malformed. */
export class SettingProblem extends WrongUse {}

interface SettingText {
  readonly text: string;
  /** The flag, variable or option that set it. */
  readonly from: string;
}

type SettingTexts = Partial<Record<SettingName, SettingText>>;

/** Variables that clients read, and those that container platforms inject for a service named ringback. */
const ignoredVariables = [/^RINGBACK_URL$/, /^RINGBACK_KEY$/, /^RINGBACK_SERVICE_/, /^RINGBACK_PORT_/];

/** Reads flags over environment over defaults. `readsPort` also reads `PORT`, as `serve` does. Throws SettingProblem. */
export function readSettings(flags: Readonly<Partial<Record<SettingName, string>>>, readsPort = false): Settings {
  refuseUnknownVariables(environment);
  const texts: SettingTexts = {};
  for (const name of settingNames) {
    const flagged = flags[name];
    const found =
      flagged === undefined ? variableOf(name, environment, readsPort) : { text: flagged, from: flagOf(name) };
    if (found) texts[name] = found;
  }
  return parseSettings(texts);
}

/** The first environment variable of a setting that has a value; an empty one counts as absent. */
function variableOf(name: SettingName, environment: Environment, readsPort: boolean): SettingText | undefined {
  for (const from of variablesOf(name)) {
    const text = environment[from];
    if (text === undefined || text === '' || (from === 'PORT' && !readsPort)) continue;
    if (from === 'RINGBACK_PORT' && isInjectedPort(text)) continue;
    return { text, from };
  }
  return undefined;
}

/** The options of `createSandbox`: every setting by name, as text or as a value. */
export type SandboxOptions = { readonly [Name in SettingName]?: string | number | boolean | undefined };

/** Settings of a sandbox in this process: options over defaults, on a free port, with no log. Throws SettingProblem. */
export function readOptions(options: SandboxOptions): Settings {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new SettingProblem("the options must be an object, such as { clock: 'manual' }");
  }
  const texts: SettingTexts = { port: { text: '0', from: 'port' }, log: { text: 'silent', from: 'log' } };
  for (const [name, value] of Object.entries(options)) {
    if (!isSettingName(name)) throw unknownName(`"${name}" is not a known option`, name, settingNames);
    if (value === undefined) continue;
    const text = value === true ? 'on' : value === false ? 'off' : String(value);
    texts[name] = { text, from: name };
  }
  return parseSettings(texts);
}

function parseSettings(texts: SettingTexts): Settings {
  const values: { -readonly [Name in SettingName]?: Settings[Name] } = {};
  const parseInto = <Name extends SettingName>(name: Name): void => {
    values[name] = parseSetting(name, texts[name]);
  };
  settingNames.forEach(parseInto);
  if (typeof values.state === 'string' && values.store !== 'memory') {
    const [state = 'state', store = 'store'] = [texts.state?.from, texts.store?.from];
    throw new SettingProblem(`${state} and ${store} exclude one another: what is in Redis is kept there`);
  }
  if (values.redisWait !== 0 && values.store === 'memory') {
    const { from = 'redisWait' } = texts.redisWait ?? {};
    throw new SettingProblem(`${from} is about a store in Redis, and ${texts.store?.from ?? 'store'} is memory`);
  }
  // Complete: every name of the table has been parsed.
  return values as Settings;
}

function parseSetting<Name extends SettingName>(name: Name, found: SettingText | undefined): Settings[Name] {
  const { default: defaultText } = settings[name];
  if (found) return parseText(name, found);
  return typeof defaultText === 'string' ? parseText(name, { text: defaultText, from: name }) : defaultText;
}

function parseText<Name extends SettingName>(name: Name, { text, from }: SettingText): Settings[Name] {
  const { allowed, words = [], isSecret = false, parse } = settings[name];
  const value = parse(text);
  if (value === undefined) {
    throw malformed(from, isSecret ? 'the value' : redactedValue(text), `${allowed}${didYouMean(text, words)}`);
  }
  return value;
}

function malformed(from: string, value: string, allowed: string): SettingProblem {
  return new SettingProblem(notValid(from, value, allowed));
}

function unknownName(problem: string, name: string, known: readonly string[], prefix = ''): SettingProblem {
  return new SettingProblem(`${problem}; must be one of ${known.join(', ')}${didYouMean(name, known, prefix)}`);
}

function refuseUnknownVariables(environment: Environment): void {
  const known = settingNames.flatMap(variablesOf);
  for (const variable of Object.keys(environment)) {
    if (!variable.startsWith('RINGBACK_') || known.includes(variable)) continue;
    if (ignoredVariables.some((form) => form.test(variable))) continue;
    // Its value is not printed: it could be the secret of a misspelt setting.
    throw unknownName(`${variable} is not a known setting`, variable, known, 'RINGBACK_');
  }
}
