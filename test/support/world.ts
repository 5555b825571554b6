// Clients, sub-entities, instants and pages of a world, for tests of any subject.
import { expect } from 'vitest';
import { type Answer, type Client, clientOf } from './client.ts';

/** Where stopped clocks start unless --start is given. */
export const START = '2026-01-05T15:00:00.000Z';
/** The instant this many milliseconds after the start, in the format of responses. */
export const instant = (ms: number): string => new Date(Date.parse(START) + ms).toISOString();

/** A client of the same world with a new key; `body` is that of `POST /_sandbox/keys`. */
export async function clientWith(url: string, client: Client, body: object): Promise<Client> {
  const answer = await client.post('/_sandbox/keys', body);
  expect(answer.status, answer.text).toBe(201);
  return clientOf(url, answer.body.data.api_key);
}

/** The id of the default fixture's sub-entity, read from an event about its number. */
export async function childOrganization(client: Client): Promise<string> {
  const answer = await client.post('/_sandbox/events', { event_type: 'number_purchased', data: { id: 4194 } });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data.payload.payload.organization_id;
}

/** A client with a new key of the default fixture's sub-entity. */
export async function childOf(url: string, client: Client): Promise<Client> {
  return clientWith(url, client, { organization_id: await childOrganization(client) });
}

/** Every page of a list, in order; the last one has no cursor. */
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
