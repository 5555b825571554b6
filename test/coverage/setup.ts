// Worlds that show what they have met.
import { expect } from 'vitest';
import { type Answer, type Client, clientOf } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';

export async function coverageOf(client: Client, query = ''): Promise<Answer['body']> {
  const answer = await client.get(`/_sandbox/coverage${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}

/** Called once, at the top of a test file. */
export function useCoveredWorlds() {
  const { sandbox } = useSandbox({ clock: 'manual' });
  let worlds = 0;

  /** A client of a new world, and what it has met. */
  function newWorld(name?: string) {
    worlds += 1;
    const world = name ?? `covered-${worlds}`;
    const client = clientOf(sandbox.url, `svc_test_${world}`);
    const untilIdle = () => sandbox.world(world).clock.untilIdle();
    return { world, client, untilIdle, coverage: (query?: string) => coverageOf(client, query) };
  }

  return { sandbox, newWorld };
}
