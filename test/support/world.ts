// What several files do in a world by way of its control API.
import { expect } from 'vitest';
import { type Answer, type Client, clientOf } from './client.ts';

/** Where manual clocks begin, and the instant so many milliseconds later, as answers write it. */
export const START = '2026-01-05T15:00:00.000Z';
export const instant = (ms: number): string => new Date(Date.parse(START) + ms).toISOString();

/** A client of the same world with a key of its own, made with that body. */
export async function clientWith(url: string, client: Client, body: object): Promise<Client> {
  const answer = await client.post('/_sandbox/keys', body);
  expect(answer.status, answer.text).toBe(201);
  return clientOf(url, answer.body.data.api_key);
}

/** The sub-entity of the default fixture, as an event about its own number names it. */
export async function childOrganization(client: Client): Promise<string> {
  const answer = await client.post('/_sandbox/events', { event_type: 'number_purchased', data: { id: 4194 } });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data.payload.payload.organization_id;
}

/** A client with a key of the sub-entity of the default fixture. */
export async function childOf(url: string, client: Client): Promise<Client> {
  return clientWith(url, client, { organization_id: await childOrganization(client) });
}

/** Every page of a list, from the first to the one without a cursor. */
export async function pagesOf(client: Client, path: string, pageSize: number): Promise<Answer['body'][]> {
  const pages: Answer['body'][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const after = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await client.get(`${path}?page_size=${pageSize}${after}`);
    expect(answer.status, answer.text).toBe(200);
    pages.push(answer.body);
    cursor = answer.body.meta.cursor;
  }
  return pages;
}
