// Requests and checks that the tests of phone numbers and caller IDs share.
import { expect } from 'vitest';
import { dataOf, REPUTATION } from '../support/caller-trust.ts';
import type { Answer, Client } from '../support/client.ts';
import { NUMBERS } from '../support/texting.ts';

export const CALLER_IDS = '/v1/caller-ids';
export const AVAILABLE = `${NUMBERS}/available`;

/** Numbers of the default fixture: a verified, a pending and a revoked caller ID; and one that is nobody's. */
export const SECOND = '+14155550191';
export const PENDING = '+14155550193';
export const REVOKED = '+14155550195';
export const NEW = '+12125550160';

type Body = Answer['body'];

/** The phone numbers that can be ordered; `query` as in `&area_code=212`. */
export const availableNumbers = async (client: Client, query = ''): Promise<string[]> =>
  dataOf(await client.get(`${AVAILABLE}?page_size=100${query}`)).map((each: Body) => each.phone_number);
export const listNumbers = async (client: Client): Promise<string[]> =>
  dataOf(await client.get(`${NUMBERS}?page_size=100`)).map((each: Body) => each.phone_number);
export const readNumber = async (client: Client, id: number): Promise<Body> =>
  dataOf(await client.get(`${NUMBERS}/${id}`));
export const agentNamed = async (client: Client, name: string): Promise<Body> =>
  dataOf(await client.get('/v1/agents')).find((each: Body) => each.name === name);
export const reputationOf = async (client: Client, number: string): Promise<Body> =>
  dataOf(await client.get(REPUTATION)).find((each: Body) => each.phone_number === number);
export const dialFrom = (client: Client, from_number: string): Promise<Answer> =>
  client.post('/v1/calls/dial', { from_number, to_number: '+12125550100' });

export const listCallerIds = async (client: Client): Promise<Body[]> =>
  dataOf(await client.get(`${CALLER_IDS}?page_size=100`));
export const callerIdOf = async (client: Client, number: string): Promise<Body> =>
  (await listCallerIds(client)).find(({ phone_number }) => phone_number === number);
export const idOfCallerId = async (client: Client, number: string): Promise<string> =>
  (await callerIdOf(client, number)).caller_id_id;

export const addCallerId = (client: Client, phone_number: string, headers = {}): Promise<Answer> =>
  client.post(CALLER_IDS, { phone_number }, headers);
export const verify = (client: Client, id: string, verification_code: string): Promise<Answer> =>
  client.post(`${CALLER_IDS}/${id}/verify`, { verification_code });
export const getCode = (client: Client, id: string): Promise<Answer> =>
  client.get(`/_sandbox/caller-ids/${id}/verification-code`);
export const codeOf = async (client: Client, id: string): Promise<string> =>
  dataOf(await getCode(client, id)).verification_code;

/** Another code of the same form. */
export const wrongCode = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

export function expectVerified(answer: Answer, verified: boolean): void {
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body).toEqual({ data: { verified, message: expect.stringMatching(/./) } });
}
