// What the tests of accounts and sub-entities share: scopes, sub-entities and their keys.
import { expect } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { type Answer, type Client, clientOf } from '../support/client.ts';
import { clientWith } from '../support/world.ts';

/** Every scope that a key can have. */
export const scopesOf = async (client: Client): Promise<string[]> =>
  (await client.get('/_sandbox/catalog')).body.data.scopes;

/** The sub-entities of an organization. */
export const listed = async (client: Client): Promise<Answer['body'][]> =>
  (await client.get('/v1/sub-entities')).body.data;

export const organizationOf = async (client: Client): Promise<Answer['body']> =>
  (await client.get('/v1/account')).body.data.organization;

/** A client with a new key of an organization of the world `default`. */
export const keyOf = (sandbox: Pick<Sandbox, 'url'>, organization_id: string, body: object = {}): Promise<Client> =>
  clientWith(sandbox.url, clientOf(sandbox.url), { organization_id, ...body });

export async function createSubEntity(client: Client, body: object): Promise<Answer['body']> {
  const answer = await client.post('/v1/sub-entities', body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
}
