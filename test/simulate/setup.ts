// What the tests of simulations share: POST /_sandbox/simulate/{what}, and reading what it created.
import { expect } from 'vitest';
import type { Answer, Client } from '../support/client.ts';

export const HOUR = 3_600_000;

interface Simulations {
  simulate(what: string, body?: object, by?: Client): Promise<Answer>;
  /** Simulates, and returns the record that it created. */
  created(what: string, body?: object, by?: Client): Promise<Answer['body']>;
  agents(by?: Client): Promise<Answer['body'][]>;
  /** The turns of a transcript, as `role: text`. */
  turnsOf(id: string): Promise<string[]>;
}

/** Simulations that use `client` unless another one is given. */
export function simulations(client: Client): Simulations {
  const simulate = (what: string, body: object = {}, by = client): Promise<Answer> =>
    by.post(`/_sandbox/simulate/${what}`, body);
  return {
    simulate,
    async created(what, body, by) {
      const answer = await simulate(what, body, by);
      expect(answer.status, answer.text).toBe(201);
      return answer.body.data;
    },
    agents: async (by = client) => (await by.get('/v1/agents')).body.data,
    async turnsOf(id) {
      const answer = await client.get(`/v1/calls/${id}/transcript`);
      expect(answer.status, answer.text).toBe(200);
      return answer.body.data.structured_transcript.map(({ role, text }: Answer['body']) => `${role}: ${text}`);
    },
  };
}
