// What tests of outbound calls share: jobs, leads and agents of a world.
import { expect } from 'vitest';
import { type Answer, type Client, clientOf, FROM } from './client.ts';

export const JOBS = '/v1/jobs';
export const LEADS = '/v1/leads/lead_default';
export const SECRET = { 'X-Source-Secret': 'sandbox_lead_secret' } as const;
export const LEAD = { name: 'Lena Marlowe', phone_number: '+14155550179', metadata: { page: '/book' } };

/** The ids of the agents of a world: the inbound one, and the outbound one if there is one. */
export async function agentsOf(client: Client): Promise<[first: string, caller: string]> {
  const [first, second] = (await client.get('/v1/agents')).body.data;
  return [first.id, (second ?? first).id];
}

/** A fixture whose only number carries one call at a time; its key is `svc_one`. */
export const oneLine = `
organization: { name: One, slug: one, plan: growth }
user: { name: Robin, email: robin@one.example }
keys: [{ key: svc_one }]
phone_numbers: [{ id: 1, phone_number: "${FROM}", created: -1d, max_calls: 1 }]
caller_ids: [{ phone_number: "${FROM}", status: VERIFIED, created: -1d }]
agents:
  - { name: A, agent_type: outbound, created: -1d, greeting: Hi, voice_id: v, business_name: B, business_description: C,
      system_prompt: D }
`;

/** That many numbers that answer and appear in no list of numbers. */
export const ordinaryNumbers = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `+1213556${String(1000 + index)}`);

/** Starts a job of the outbound agent; `body` has the list to call. */
export async function startJob(client: Client, body: object, headers = {}): Promise<Answer['body']> {
  const [, agent_id] = await agentsOf(client);
  const answer = await client.post(JOBS, { agent_id, ...body }, headers);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
}

export async function jobOf(client: Client, id: string): Promise<Answer['body']> {
  const answer = await client.get(`${JOBS}/${id}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}

/** Submits a lead without an API key. */
export const submitLead = (url: string, body: object = LEAD, path = LEADS, headers: object = SECRET): Promise<Answer> =>
  clientOf(url, null).post(path, body, { ...headers });
