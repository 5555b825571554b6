// The settings of `interface.md` section 1 as a table, and helpers of the tests of the program.
import { expect } from 'vitest';
import { createSandbox, type SandboxOptions } from '../../src/index.ts';
import type { Client } from '../support/client.ts';
import type { ExitResult } from '../support/program.ts';
import { eventually } from '../support/until.ts';

export interface SettingRow {
  readonly flag: string;
  readonly variable: string;
  readonly option: keyof SandboxOptions;
  readonly default: string | null;
  /** Invalid values. */
  readonly invalid: readonly [string, string, ...string[]];
  /** Words of the message that say which values are allowed. */
  readonly allowed: readonly string[];
}

const row = (
  name: string,
  defaultValue: string | null,
  invalid: SettingRow['invalid'],
  ...allowed: string[]
): SettingRow => ({
  flag: `--${name}`,
  variable: `RINGBACK_${name.toUpperCase().replaceAll('-', '_')}`,
  option: name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase()) as keyof SandboxOptions,
  default: defaultValue,
  invalid,
  allowed,
});

/** The table of `interface.md` section 1, without the settings whose value is a path. */
export const settingRows: readonly SettingRow[] = [
  row('port', '4747', ['65536', '-1', '1.5', 'http', '0x50'], '0', '65535'),
  row('host', '127.0.0.1', ['a b', 'http://127.0.0.1'], 'host', 'address'),
  row('seed', '1', ['9007199254740992', '-1', '1.5', 'one', '1e3'], 'integer', '0', '9007199254740991'),
  row('clock', 'real', ['fast', '0x', '-2x', 'x', '20', 'Manual'], 'real', 'manual', 'instant', '20x'),
  row('start', '2026-01-05T15:00:00.000Z', ['now', '2026-01-05', '2026-13-01T00:00:00Z'], 'ISO 8601'),
  row('store', 'memory', ['disk', 'Memory', 'http://127.0.0.1'], 'memory'),
  row('control-token', null, ['two words', 'x'.repeat(513), 'caf\u00e9'], '512', 'spaces'),
  row('secret', null, ['two words', 'x'.repeat(513), 'caf\u00e9'], '512', 'spaces'),
  row(
    'public-url',
    null,
    ['sandbox.example.com', 'https://x/?a', 'https://u:p@x/', 'https://x/v1', 'ftp://x'],
    'http',
    'path',
  ),
  row(
    'trust-proxy',
    'loopback',
    ['on', '1', 'off,loopback', '10.0.0.0/33', 'proxy.internal'],
    'off',
    'loopback',
    'CIDR',
  ),
  row('webhook-targets', 'private', ['10.0.0.0/33', '300.1.1.1/8', 'http://x', ','], 'private', 'public', 'CIDR'),
  row('webhook-http', 'private', ['on', 'always'], 'private', 'never', 'any'),
  row('webhook-connections', 'fresh', ['keep-alive', 'Fresh', 'on'], 'fresh', 'reuse'),
  row('rate-limit', 'on', ['600', 'yes', 'On'], 'on', 'off'),
  row('concurrent-calls', '100', ['1000001', '0', '-1', 'none', '1.5'], 'integer', '1 to 1000000', 'off'),
  row('auto-worlds', 'on', ['1', 'no'], 'on', 'off'),
  row('max-worlds', '10000', ['1000001', '0', 'many', 'off'], 'integer', '1 to 1000000'),
  row('world-ttl', '1h', ['60', 'soon', '1w', '-1h'], '250ms', '3d'),
  row('journal-limit', '1000', ['10000001', '0', 'off', '1.5'], 'integer', '1 to 10000000'),
  row('memory', 'auto', ['15mb', '512', '0', '-1gb', '1 tbb', '2tb', 'half', '1e9'], '16 MB', '1 TB', '512mb'),
  row('max-calls', '100000', ['10000001', '0', 'off', '1.5'], 'integer', '1 to 10000000'),
  row('strict', 'off', ['true', 'yes'], 'on', 'off'),
  row('log', 'info', ['verbose', 'warn', 'INFO'], 'silent', 'error', 'info', 'debug'),
];

/** Settings whose value is a path: their errors are found in the file or folder that the path names. */
export const pathSettings = ['scenarios', 'fixtures', 'state'] as const;

/** Expects that a start was refused with exit code 2, one line on stderr and nothing on stdout; returns the line. */
export function refusalLine({ code, stdout, stderr }: ExitResult): string {
  expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }, stderr).toEqual({
    code: 2,
    stdout: '',
    lines: 1,
  });
  return stderr;
}

/** The message with which createSandbox refuses these options. */
export async function refusalOf(options: SandboxOptions): Promise<string> {
  try {
    const sandbox = await createSandbox(options);
    await sandbox.close().catch(() => {});
    return `createSandbox started with ${JSON.stringify(options)}`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Waits until the journal has the request: it does once the request has taken effect, before a delayed response. */
export const journalShows = (client: Client, path: string): Promise<unknown> =>
  eventually(async () => {
    expect((await client.get(`/_sandbox/requests?path=${path}`)).body.meta.total_results).toBe(1);
  });
