// The HTTP client of the tests, with the domain's verbs. Every response of the platform is checked against the
// contract, errors included.
import { Agent } from 'node:http';
import { expect } from 'vitest';
import { checkAgainstContract } from './contract.ts';
import { exchange, exchangeAll } from './exchange.ts';
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
  /** Reads all of these paths over one connection, without waiting for one response before the next request. */
  getAll(paths: readonly string[]): Promise<Answer[]>;
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

/** A file is its bytes, without a text; only JSON has a body otherwise. */
function contentOf(type: string | undefined, bytes: Buffer): Pick<Answer, 'body' | 'text'> {
  if (type !== undefined && /^(image|audio)\/|^application\/(pdf|octet-stream)/.test(type)) {
    return { body: bytes, text: undefined as never };
  }
  const text = bytes.toString();
  return { body: type?.includes('json') && text !== '' ? JSON.parse(text) : {}, text };
}

/** A client of the sandbox at `url` with that API key; null for none. */
export function clientOf(url: string, key: string | null = 'svc_sandbox_default'): Client {
  const { hostname, port } = new URL(url);
  const authorization = key === null ? {} : { Authorization: `Bearer ${key}` };
  async function send(method: string, path: string, body?: object | string, given: Headers = {}): Promise<Answer> {
    const headers: Record<string, string> = { ...authorization, ...given };
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    if (text !== undefined) headers['Content-Length'] = String(Buffer.byteLength(text));
    const typed = Object.keys(given).some((name) => name.toLowerCase() === 'content-type');
    if (text !== undefined && !typed) headers['Content-Type'] = 'application/json';
    const outgoing = { agent: connections, hostname, port, method, path, headers, body: text };
    const { bytes, ...received } = await exchange(outgoing);
    const answer: Answer = { ...received, ...contentOf(received.headers['content-type'], bytes) };
    noteValuesIn(path, body, answer);
    // A fault of the world answers otherwise than the contract says.
    if (!('x-sandbox-fault-applied' in answer.headers)) checkAgainstContract(method, path, answer);
    return answer;
  }
  const client: Client = {
    key: key ?? '',
    get: (path, headers) => send('GET', path, undefined, headers),
    async getAll(paths) {
      const all = await exchangeAll({ hostname, port, paths, headers: authorization });
      return all.map(({ bytes, ...received }, index) => {
        const answer: Answer = { ...received, ...contentOf(received.headers['content-type'], bytes) };
        checkAgainstContract('GET', paths[index] as string, answer);
        return answer;
      });
    },
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
