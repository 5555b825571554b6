// What the tests of calls share: reading the list, and a sandbox with settings of its own.
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.ts';
import { type Answer, type Client, clientOf } from '../support/client.ts';

/** Runs `body` in a sandbox with these settings, and closes it. */
export async function withSandbox(
  options: SandboxOptions,
  body: (client: Client, own: Sandbox) => Promise<void>,
): Promise<void> {
  const own = await createSandbox({ clock: 'manual', ...options });
  try {
    await body(clientOf(own.url), own);
  } finally {
    await own.close();
  }
}

/** The list of calls, on one page. */
export const listed = async (client: Client): Promise<Answer['body']> =>
  (await client.get('/v1/calls?page_size=100')).body;

/** The ids of a page. */
export const idsOf = (page: Answer['body']): string[] => page.data.map(({ id }: { id: string }) => id);

/** The transcript of a call. */
export const transcriptOf = (client: Client, id: string): Promise<Answer> => client.get(`/v1/calls/${id}/transcript`);

/** Runs a world until it is idle; returns how many steps and deliveries were left. */
export async function restOf(by: Client): Promise<Answer['body']> {
  const { body } = await by.post('/_sandbox/clock/advance', { until: 'idle' });
  return body.data.totals;
}
