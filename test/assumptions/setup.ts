// What the tests of the ledger share: a world of its own for each value, so that worlds with different values are open at
// once, and how an assumption changes what clients and receivers see.
import { expect } from 'vitest';
import type { SettableName } from '../../src/assumptions/catalogue.ts';
import type { Sandbox } from '../../src/index.ts';
import { type Answer, type Client, clientOf } from '../support/client.ts';

export type Json = Answer['body'];
export type Value = string | number;

export interface Case {
  readonly name: SettableName;
  /** Any other value than the default. */
  readonly value: Value;
  /** What a client does, and what it sees. */
  readonly act: (client: Client, url: string) => Promise<unknown>;
  /** What it sees by default, and with the value. */
  readonly usual: unknown;
  readonly other: unknown;
  /** Whether no response names it: only events and deliveries rest on it, or only what a client does not send. */
  readonly unnamed?: true;
}

let worlds = 0;

/** A client of a new world with these values. */
export async function worldWith(
  sandbox: Pick<Sandbox, 'url'>,
  assumptions: Readonly<Record<string, Value | null>>,
): Promise<Client> {
  worlds += 1;
  const answer = await clientOf(sandbox.url).post('/_sandbox/worlds', { name: `ledger-${worlds}`, assumptions });
  expect(answer.status, answer.text).toBe(201);
  return clientOf(sandbox.url, answer.body.data.api_key);
}

export async function advance(client: Client, by: string): Promise<void> {
  const answer = await client.post('/_sandbox/clock/advance', { by });
  expect(answer.status, answer.text).toBe(200);
}

/** The assumptions that any response of a world has named, by its journal. */
export async function namedIn(client: Client): Promise<Set<string>> {
  const { data } = (await client.get('/_sandbox/requests?page_size=1000')).body;
  const lists: string[] = data.map(({ response }: Json) => response.headers['X-Sandbox-Assumptions'] ?? '');
  return new Set(lists.flatMap((list) => list.split(', ')));
}

/** The status and, of an error, the code. */
export const resultOf = ({ status, body }: Answer): string => [status, body?.error?.code].filter(Boolean).join(' ');

/** The bodies of the events of a type, oldest first, as they are sent. */
export async function eventsOf(client: Client, type: string): Promise<Json[]> {
  const { data } = (await client.get(`/_sandbox/events?event_type=${type}&page_size=1000`)).body;
  return data.map(({ payload }: Json) => payload).reverse();
}

/** The types of the events since then, in their order. */
export async function typesOf(client: Client): Promise<string[]> {
  const { data } = (await client.get('/_sandbox/events?page_size=1000')).body;
  return data.map(({ event_type }: Json) => event_type).reverse();
}

/** What the log would report of the events of a world: where their payloads do not match the schemas of the contract. */
export async function violationsIn(client: Client): Promise<string[]> {
  const { data } = (await client.get('/_sandbox/events?page_size=1000')).body;
  return data.flatMap(({ schema_violations }: Json) => schema_violations);
}
