// The HTTP client of the tests, with the domain's verbs. Every response of the platform is checked against the
// contract, errors included.
import { Agent } from 'node:http';
import request from 'supertest';
import { expect } from 'vitest';
import { checkAgainstContract } from './contract.ts';
import { noteValuesIn } from './other-values.ts';

export const FROM = '+14155550190';

/** An id that no record has. */
export const NOWHERE = '00000000-0000-4000-8000-000000000000';

export interface Answer<Body = never> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect, and the contract checks the rest.
  readonly body: [Body] extends [never] ? any : Body;
  readonly text: string;
}

/** Kept open between requests: a connection per request costs as much as the request itself. */
const connections = new Agent({ keepAlive: true });

type Headers = Readonly<Record<string, string>>;

export interface Client {
  readonly key: string;
  get(path: string, headers?: Headers): Promise<Answer>;
  post(path: string, body?: object | string, headers?: Headers): Promise<Answer>;
  put(path: string, body?: object | string, headers?: Headers): Promise<Answer>;
  patch(path: string, body?: object | string, headers?: Headers): Promise<Answer>;
  delete(path: string, headers?: Headers): Promise<Answer>;
  /** Dials a number from the fixture's first one. */
  dial(to: string, headers?: Headers): Promise<Answer>;
  /** Dials, expects 202, and returns the id of the call. */
  call(to: string, headers?: Headers): Promise<string>;
  /** Reads the current state of a call. */
  readCall(id: string): Promise<Answer['body']>;
}

/** A client of the sandbox at `url` with that API key; null for none. */
export function clientOf(url: string, key: string | null = 'svc_sandbox_default'): Client {
  async function send(method: string, path: string, body?: object | string, headers: Headers = {}): Promise<Answer> {
    const outgoing = request(url)
      [method.toLowerCase() as 'get'](path)
      .agent(connections)
      .ok(() => true);
    if (key !== null) outgoing.set('Authorization', `Bearer ${key}`);
    for (const [name, value] of Object.entries(headers)) outgoing.set(name, value);
    if (typeof body === 'string') {
      const typed = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
      if (!typed) outgoing.type('json');
    }
    if (body !== undefined) outgoing.send(body);
    const answer = await outgoing;
    noteValuesIn(path, body, answer);
    checkAgainstContract(method, path, answer);
    return { status: answer.status, headers: answer.headers, body: answer.body, text: answer.text };
  }
  const client: Client = {
    key: key ?? '',
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (path, body, headers) => send('PUT', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
    dial: (to, headers) => send('POST', '/v1/calls/dial', { from_number: FROM, to_number: to }, headers),
    async call(to, headers) {
      const answer = await client.dial(to, headers);
      expect(answer.status, answer.text).toBe(202);
      return answer.body.call_id;
    },
    async readCall(id) {
      const answer = await client.get(`/v1/calls/${id}`);
      expect(answer.status, answer.text).toBe(200);
      return answer.body.data;
    },
  };
  return client;
}

/** The header that selects a scenario for a request. */
export const playing = (scenario: string): Headers => ({ 'X-Sandbox-Scenario': scenario });

/** Checks that a response is an error with that status and code. */
export function expectError(answer: Answer, status: number, code: string): void {
  expect(`${answer.status} ${answer.body?.error?.code}`, answer.text).toBe(`${status} ${code}`);
}
