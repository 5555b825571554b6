// Reads timelines, and says what is in them.
import { expect } from 'vitest';
import type { Answer, Client } from '../support/client.ts';

type Json = Answer['body'];

export async function timelineOf(client: Client, id: string): Promise<Json> {
  const answer = await client.get(`/_sandbox/timeline?subject_id=${id}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}

/** Each entry in a few words. */
export const outlineOf = ({ entries }: Json): unknown[] =>
  entries.map(({ kind, offset_ms, request, step, event, delivery }: Json) => [
    kind,
    offset_ms,
    request?.status ?? (step ? `${step.from} ${step.to}` : (event?.event_type ?? delivery.status)),
  ]);
