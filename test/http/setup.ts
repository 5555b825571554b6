// What the tests of the request pipeline share: a sandbox on a manual clock, reset before each test, its dials and
// checks.
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../src/index.ts';
import { type Answer, type Client, expectError, FROM } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { worldSnapshot } from '../support/valid-request.ts';
import { JSON_TYPE, type Outgoing } from '../support/wire.ts';

export const TO = '+12125550100';

/** The limit of a body, in bytes. */
export const BODY_LIMIT = 256 * 1024;

export const RATE_HEADERS = [
  'ratelimit',
  'ratelimit-policy',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
];

/** The `RateLimit` header of a window that has just started. */
export const windowWith = (remaining: number) =>
  expect.stringMatching(new RegExp(`^"default";r=${remaining};t=(60|5\\d)$`));

export interface KeyOptions {
  readonly scopes?: readonly string[];
  readonly requests_per_minute?: number;
}

export const dialBody = (fields: object = {}): string =>
  JSON.stringify({ from_number: FROM, to_number: TO, ...fields });

/** A sandbox that is reset before each test, and requests that many tests send to it. */
export function usePlatform(options: SandboxOptions = {}) {
  const platform = useSharedPlatform(options);
  beforeEach(() => platform.sandbox.reset());
  return platform;
}

/** The same for tests that change nothing, which is checked after them. */
export function useUnchangedPlatform(options: SandboxOptions = {}) {
  const platform = useSharedPlatform(options);
  useUnchangedWorld(platform);
  return platform;
}

function useSharedPlatform(options: SandboxOptions) {
  const { sandbox, client, wire } = useSandbox({ clock: 'manual', ...options });

  /** Dials; `fields` changes the body, `rest` any part of the request. */
  function dial(fields: object = {}, { headers, ...rest }: Partial<Outgoing> = {}): Promise<Answer> {
    const body = dialBody(fields);
    return wire.send({ method: 'POST', path: '/v1/calls/dial', body, headers: { ...JSON_TYPE, ...headers }, ...rest });
  }

  async function createKey(options: KeyOptions, by: Client = client): Promise<{ id: string; api_key: string }> {
    const answer = await by.post('/_sandbox/keys', options);
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data;
  }

  const countCalls = async (by: Client = client): Promise<number> =>
    (await by.get('/v1/calls')).body.meta.total_results;

  return { sandbox, client, wire, dial, createKey, countCalls };
}

/** Names that JavaScript objects inherit. */
export const RESERVED = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];

/** Checks an error, and that its text shows nothing internal of the server; `fields` are the names that it lists. */
export function expectRefusal(answer: Answer, status: number, code: string, ...fields: string[]): void {
  expectError(answer, status, code);
  expectNothingInternal(answer.text);
  if (fields.length > 0) expect(Object.keys(answer.body.error.fields), answer.text).toEqual(fields);
}

export function expectNothingInternal(text: string): void {
  expect(text).not.toMatch(/node_modules|file:\/\/|\.[cm]?[jt]s:\d|\n\s+at |\bat \w[\w.<>]* \(/);
  expect(text).not.toContain(process.cwd());
}

export function expectNoPollution(): void {
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
}

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 20)}… (${text.length})` : text);

/** Puts a name for the title of the test before each case; long values are shortened in it. */
export const named = (cases: readonly (string | readonly string[])[]): [string, ...string[]][] =>
  cases.map((values) => [[values].flat().map(shortened).join(': '), ...[values].flat()]);

/**
 * Called once, at the top of a test file or group whose tests change nothing: they share a world, which is reset before
 * them and must show the same after them.
 */
export function useUnchangedWorld({ sandbox, client }: { sandbox: Sandbox; client: Client }): void {
  let expected: unknown;
  beforeAll(async () => {
    await sandbox.reset();
    expected = await worldSnapshot(client);
  });
  afterAll(async () => {
    expect(await worldSnapshot(client)).toEqual(expected);
  });
}
