// Requests that no client library would send: any method, header or bytes, over kept connections or a bare socket.
// Every response is checked against the contract, as in `client.ts`.
import { once } from 'node:events';
import { Agent, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { setImmediate as immediate } from 'node:timers/promises';
import type { Answer } from './client.ts';
import { checkAgainstContract, checkError } from './contract.ts';
import { exchange } from './exchange.ts';
import { PATIENCE } from './until.ts';

export const JSON_TYPE = { 'Content-Type': 'application/json' } as const;

export interface Outgoing {
  readonly method?: string;
  readonly path: string;
  /** `svc_sandbox_default` unless given; null for none. */
  readonly key?: string | null;
  readonly headers?: OutgoingHttpHeaders;
  /** Sent unchanged, without a Content-Type unless the headers have one. */
  readonly body?: string | Buffer | undefined;
  readonly chunked?: boolean;
  /** The body is sent once this resolves. */
  readonly bodyAfter?: Promise<unknown>;
  /** Closes the connection if no response has arrived by then. */
  readonly timeoutMs?: number;
}

export interface Wire {
  send(outgoing: Outgoing): Promise<Answer>;
  close(): void;
}

export function wireTo(url: string, agent = new Agent({ keepAlive: true })): Wire {
  const { hostname, port } = new URL(url);
  return {
    async send({ method = 'GET', path, key = 'svc_sandbox_default', headers = {}, body, chunked, ...rest }) {
      const own: OutgoingHttpHeaders = key === null ? {} : { Authorization: `Bearer ${key}` };
      if (chunked) own['Transfer-Encoding'] = 'chunked';
      else if (body !== undefined) own['Content-Length'] = Buffer.byteLength(body);
      const request = { agent, hostname, port, method, path, headers: { ...own, ...headers }, body, ...rest };
      const { status, headers: received, bytes } = await exchange(request);
      const text = bytes.toString();
      const json = received['content-type']?.startsWith('application/json') && text !== '';
      const answer = { status, headers: received, body: json ? JSON.parse(text) : {}, text };
      // The contract describes no preflights.
      if (method !== 'OPTIONS' || status >= 400) checkAgainstContract(method, path, answer);
      return answer;
    },
    close: () => agent.destroy(),
  };
}

/** What a bare socket received, and the state of its connection at the end. */
export interface RawResult {
  readonly text: string;
  readonly statuses: readonly number[];
  readonly outcome: 'ended' | 'reset' | 'open';
}

/** When to stop reading a connection that does not end: after so many milliseconds, or after so many responses. */
type Patience = number | { readonly responses: number };

/** How long a connection is read for what should not come after the last response that should, in milliseconds. */
const LINGER = 100;

/**
 * Writes bytes to a new connection and reads until it ends, or as long as that; `afterwards` starts to read once
 * everything is written. Errors are checked against the contract; so is the success of a single request.
 */
export async function sendBytes(
  url: string,
  bytes: string | Buffer,
  patience: Patience = PATIENCE,
  reads: Reads = 'meanwhile',
): Promise<RawResult> {
  const got = await talk(url, bytes, patience, reads);
  const answer = answerOf(got);
  const whole = Number(answer.headers['content-length']) === Buffer.byteLength(answer.text);
  if (got.statuses.length !== 1 || !whole) return got;
  const [, method = '', path = ''] = /^(\S+) (\S+) HTTP\/1\.[01]\r\n/.exec(bytes.toString()) ?? [];
  if (answer.status >= 400) checkError(answer);
  else checkAgainstContract(method, path, answer);
  return got;
}

type Reads = 'meanwhile' | 'afterwards';

function talk(url: string, bytes: string | Buffer, patience: Patience, reads: Reads): Promise<RawResult> {
  const { hostname, port } = new URL(url);
  const [waitMs, enough] =
    typeof patience === 'number' ? [patience, Number.POSITIVE_INFINITY] : [PATIENCE, patience.responses];
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname).setEncoding('utf8');
    const statuses = (): number[] => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
    const finish = (outcome: RawResult['outcome']): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, statuses: statuses(), outcome });
    };
    const endAfter = (ms: number): NodeJS.Timeout => setTimeout(() => finish('open'), ms);
    let timer = endAfter(waitMs);
    const read = (): void =>
      void socket.on('data', (chunk) => {
        text += chunk;
        if (statuses().length < enough) return;
        clearTimeout(timer);
        timer = endAfter(LINGER);
      });
    socket.on('end', () => finish('ended'));
    socket.on('error', () => finish('reset'));
    if (reads === 'meanwhile') read();
    socket.write(bytes, () => reads === 'afterwards' && read());
  });
}

/** The first response that a bare socket received, parsed as a client would. */
export function answerOf({ text }: RawResult): Answer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => [
      field.slice(0, field.indexOf(':')).toLowerCase(),
      field.slice(field.indexOf(':') + 1).trim(),
    ]),
  );
  const body = rest.join('\r\n\r\n');
  return { status: Number(line.split(' ')[1]), headers, body: parsed(body), text: body };
}

function parsed(text: string): Answer['body'] {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sends bytes, and resets the connection so many ticks of the event loop after they were written. */
export async function resetAfter(url: string, bytes: string, ticks: number): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.write(bytes, 'latin1', () => resolve()));
  for (let n = 0; n < ticks; n++) await immediate();
  if (!socket.destroyed) socket.resetAndDestroy();
  if (!socket.closed) await once(socket, 'close');
}
