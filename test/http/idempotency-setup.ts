// What the tests of idempotency keys share: dials under a key, and checks of their responses and effects.
import { expect } from 'vitest';
import type { Answer } from '../support/client.ts';
import type { Outgoing } from '../support/wire.ts';
import { usePlatform } from './setup.ts';

export const isReplay = ({ headers }: Answer): boolean => headers['idempotency-replayed'] === 'true';

/** Checks that a response repeats the first one. */
export function expectReplay(answer: Answer, first: Answer): void {
  expect(isReplay(answer), answer.text).toBe(true);
  expect([answer.status, answer.text]).toEqual([first.status, first.text]);
  expect(answer.headers['content-type']).toBe(first.headers['content-type']);
}

/** Checks that a response has that status and repeats none. */
export function expectFirst(answer: Answer, status: number): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers).not.toHaveProperty('idempotency-replayed');
}

export function useIdempotency() {
  const platform = usePlatform();
  const { sandbox, client } = platform;
  return {
    ...platform,

    /** Dials under an idempotency key; `fields` changes the body, `rest` any part of the request. */
    dial(key: string, fields: object = {}, { headers, ...rest }: Partial<Outgoing> = {}): Promise<Answer> {
      return platform.dial(fields, { headers: { 'Idempotency-Key': key, ...headers }, ...rest });
    },

    eventTypes: async (): Promise<string[]> => (await sandbox.events()).map(({ event_type }) => event_type),

    /** Checks that one call was placed since there were `before` calls, and that it has this id. */
    async expectOneCall(id: string, before: number): Promise<void> {
      const { data, meta } = (await client.get('/v1/calls')).body;
      expect(meta.total_results).toBe(before + 1);
      expect(data[0].id).toBe(id);
    },
  };
}
