// Worlds with faults, for the tests of `PUT /_sandbox/faults`.
import { expect } from 'vitest';
import { type Answer, clientOf } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';

/** Called once, at the top of a test file. */
export function useFaultyWorlds() {
  const { sandbox } = useSandbox({ clock: 'manual' });
  let worlds = 0;

  /** A client of a new world, and its faults. */
  function newWorld(name?: string) {
    worlds += 1;
    const client = clientOf(sandbox.url, `svc_test_${name ?? `faulty_${worlds}`}`);
    const set = async (fault: object): Promise<Answer['body']> => {
      const answer = await client.put('/_sandbox/faults', fault);
      expect(answer.status, answer.text).toBe(201);
      return answer.body.data;
    };
    const faults = async (): Promise<Answer['body'][]> => (await client.get('/_sandbox/faults')).body.data;
    const statuses = async (count: number, path = '/v1/me'): Promise<number[]> => {
      const found: number[] = [];
      for (let number = 0; number < count; number++) found.push((await client.get(path)).status);
      return found;
    };
    const journaled = async (answer: Answer) =>
      (await client.get(`/_sandbox/requests/${answer.headers['x-sandbox-request-id']}`)).body.data;
    const calls = async (): Promise<number> => (await client.get('/v1/calls')).body.data.length;
    return { client, set, faults, statuses, journaled, calls };
  }

  return { sandbox, newWorld };
}
