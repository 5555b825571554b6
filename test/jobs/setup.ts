// What the tests of jobs share: the calls and events that a job causes, and the time of its world.
import { expect } from 'vitest';
import type { Answer, Client } from '../support/client.ts';
import { instant, pagesOf } from '../support/world.ts';

export type Json = Answer['body'];

/** A count of zero for each outcome of a contact. */
export const OUTCOMES = { answered: 0, busy: 0, no_answer: 0, voicemail: 0, failed: 0, canceled: 0, refused: 0 };

/** Activates a scenario for every call. */
export const activate = (client: Client, use: string): Promise<Answer> =>
  client.put('/_sandbox/active-scenarios/call', { use });

/** The calls that a test caused, oldest first; those of the fixture are older than the start. */
export async function callsOf(client: Client): Promise<Json[]> {
  const pages = await pagesOf(client, '/v1/calls', 100);
  return pages
    .flatMap(({ data }) => data)
    .filter(({ started_at }: Json) => started_at >= instant(0))
    .reverse();
}

/** How many calls are in progress. */
export const inProgress = async (client: Client): Promise<number> =>
  (await callsOf(client)).filter(({ ended_at }) => ended_at === null).length;

/** The bodies of workflow_contact_completed, oldest first. */
export async function finished(client: Client): Promise<Json[]> {
  const { data } = (await client.get('/_sandbox/events?event_type=workflow_contact_completed&page_size=1000')).body;
  return data.map(({ payload }: Json) => payload).reverse();
}

export async function advanceTo(client: Client, to: string): Promise<void> {
  const answer = await client.post('/_sandbox/clock/advance', { to });
  expect(answer.status, answer.text).toBe(200);
}
