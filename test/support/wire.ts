// How tests send what no client library would: any method, header and byte over kept connections, or over a bare
// socket. Answers are held against the contract, as `client.ts` does.
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import type { Answer } from './client.ts';
import { holdAgainstContract, holdError } from './contract.ts';

export const JSON_TYPE = { 'Content-Type': 'application/json' } as const;

export interface Outgoing {
  readonly method?: string;
  readonly path: string;
  /** `svc_sandbox_default` unless given; null for none. */
  readonly key?: string | null;
  readonly headers?: OutgoingHttpHeaders;
  /** Sent as it is; without a Content-Type unless the headers have one. */
  readonly body?: string | Buffer | undefined;
  readonly chunked?: boolean;
  /** The body is held back until then. */
  readonly bodyAfter?: Promise<unknown>;
  /** Gives up after so many milliseconds; the connection is closed by this side then. */
  readonly patience?: number;
}

export interface Wire {
  send(outgoing: Outgoing): Promise<Answer>;
  close(): void;
}

export function wireTo(url: string, agent = new Agent({ keepAlive: true })): Wire {
  const { hostname, port } = new URL(url);
  return {
    send({ method = 'GET', path, key = 'svc_sandbox_default', headers = {}, body, chunked, bodyAfter, patience }) {
      return new Promise((resolve, reject) => {
        const own: OutgoingHttpHeaders = key === null ? {} : { Authorization: `Bearer ${key}` };
        if (chunked) own['Transfer-Encoding'] = 'chunked';
        else if (body !== undefined) own['Content-Length'] = Buffer.byteLength(body);
        const outgoing = request({ agent, hostname, port, method, path, headers: { ...own, ...headers } });
        outgoing.on('response', (incoming) => readAnswer(method, path, incoming).then(resolve, reject));
        // Also after the answer, where the other side closed before it had read everything; the promise is settled then.
        outgoing.on('error', reject);
        if (patience !== undefined) outgoing.setTimeout(patience, () => outgoing.destroy(new Error('out of patience')));
        if (bodyAfter) outgoing.flushHeaders();
        if (bodyAfter) bodyAfter.then(() => outgoing.end(body));
        else outgoing.end(body);
      });
    },
    close: () => agent.destroy(),
  };
}

async function readAnswer(method: string, path: string, incoming: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const json = /^application\/json/.test(incoming.headers['content-type'] ?? '') && text !== '';
  const answer = {
    status: incoming.statusCode as number,
    headers: incoming.headers as Record<string, string>,
    body: json ? JSON.parse(text) : {},
    text,
  };
  // A preflight is the browser's business, not the contract's.
  if (method !== 'OPTIONS' || answer.status >= 400) holdAgainstContract(method, path, answer);
  return answer;
}

/** What a bare socket got, and how the connection stood at the end. */
export interface Exchanged {
  readonly text: string;
  readonly statuses: readonly number[];
  readonly outcome: 'ended' | 'reset' | 'open';
}

/**
 * Writes bytes to a fresh connection and reads until it ends, or for so many milliseconds; `then` reads nothing before
 * all is written. The errors that it gets are held against the contract, whatever was asked; where that was one request,
 * its success too.
 */
export async function exchange(
  url: string,
  bytes: string | Buffer,
  patience = 2000,
  reads: Reads = 'meanwhile',
): Promise<Exchanged> {
  const got = await talk(url, bytes, patience, reads);
  const answer = answerIn(got);
  const whole = Number(answer.headers['content-length']) === Buffer.byteLength(answer.text);
  if (got.statuses.length !== 1 || !whole) return got;
  const [, method = '', path = ''] = /^(\S+) (\S+) HTTP\/1\.[01]\r\n/.exec(bytes.toString()) ?? [];
  if (answer.status >= 400) holdError(answer);
  else holdAgainstContract(method, path, answer);
  return got;
}

type Reads = 'meanwhile' | 'then';

function talk(url: string, bytes: string | Buffer, patience: number, reads: Reads): Promise<Exchanged> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname);
    const settle = (outcome: Exchanged['outcome']): void => {
      clearTimeout(timer);
      socket.destroy();
      const text = Buffer.concat(chunks).toString();
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
      resolve({ text, statuses, outcome });
    };
    const timer = setTimeout(() => settle('open'), patience);
    const read = (): void => void socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', () => settle('ended'));
    socket.on('error', () => settle('reset'));
    if (reads === 'meanwhile') read();
    socket.write(bytes, () => reads === 'then' && read());
  });
}

/** The one answer that a bare socket got, read as the client would. */
export function answerIn({ text }: Exchanged): Answer {
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
