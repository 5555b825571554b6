// The settings that all replicas of a store should have alike: where they differ, one refuses or decides differently what
// another has answered. `interface.md` section 10.
import { createHmac } from 'node:crypto';
import { flagOf, type SettingName, type Settings } from './config.ts';
import type { Fixture } from './fixtures/fixture.ts';
import type { Secrets } from './identity/secrets.ts';

const compared = [
  'clock',
  'start',
  'controlToken',
  'webhookHttp',
  'rateLimit',
  'concurrentCalls',
  'autoWorlds',
  'maxWorlds',
  'worldTtl',
  'journalLimit',
  'maxCalls',
  'strict',
] as const satisfies readonly SettingName[];

/** By flag, what tells one value from another and reveals neither to whoever does not know the key. */
export function marksOf(
  key: string,
  settings: Settings,
  secrets: Secrets,
  fixtures: ReadonlyMap<string, Fixture>,
): ReadonlyMap<string, string> {
  const mark = (value: unknown): string =>
    createHmac('sha256', key).update(JSON.stringify(value)).digest('hex').slice(0, 16);
  const files = [...fixtures].map(([name, { file }]) => [name, file]);
  return new Map([
    ...compared.map((name): [string, string] => [flagOf(name), mark(settings[name])]),
    [flagOf('fixtures'), mark(files)],
    [flagOf('secret'), mark(secrets.token('api keys', 64))],
  ]);
}
