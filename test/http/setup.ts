// What the tests of the request pipeline share: a sandbox on a manual clock, reset before each test, and its dials.
import { beforeEach, expect } from 'vitest';
import type { SandboxOptions } from '../../src/index.ts';
import { type Answer, type Client, FROM } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { JSON_TYPE, type Outgoing } from '../support/wire.ts';

export const TO = '+12125550100';
/** An id that names no record. */
export const NOWHERE = '00000000-0000-4000-8000-000000000000';

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
  const { sandbox, client, wire } = useSandbox({ clock: 'manual', ...options });
  beforeEach(() => sandbox.reset());

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
