// What the tests of tokens and rooms share: a sandbox that is reset before each test, and web calls in it.
import { beforeEach, expect } from 'vitest';
import type { Answer, Client } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';

/** The published key that join tokens are signed with. */
export const joinKey = new TextEncoder().encode('sandbox_join_secret_for_browser_calls');

export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

/** A browser call session, as a response shows it. */
export type Session = Answer['body'];

/** The address that a browser joins the room of a session with. */
export const joinUrl = ({ room_url, token }: Session): string => `${room_url}?access_token=${token}`;

export function useWebCalls() {
  const parts = useSandbox({ clock: 'manual' });
  const { sandbox, client } = parts;
  let firstAgent = '';
  beforeEach(async () => {
    await sandbox.reset();
    firstAgent = (await client.get('/v1/agents')).body.data[0].id;
  });
  return {
    ...parts,
    /** The id of the first agent of the fixture. */
    agentId: () => firstAgent,
    /** Starts a web call and returns its session. */
    async webCall(by: Client = client, id = firstAgent, headers = {}): Promise<Session> {
      const answer = await by.post(`/v1/agents/${id}/web-call`, undefined, headers);
      expect(answer.status, answer.text).toBe(201);
      return answer.body.data;
    },
  };
}
