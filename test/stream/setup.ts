// Reads the stream of a world over a WebSocket, as a client does.
import type { IncomingHttpHeaders } from 'node:http';
import { WebSocket } from 'ws';
import type { Answer, Client } from '../support/client.ts';

type Json = Answer['body'];

export interface Watcher {
  readonly messages: Json[];
  /** The first message, which says where the stream begins. */
  readonly opened: Json;
  /** Resolves when a message is there for which that holds. */
  until(holds: (message: Json) => boolean): Promise<Json>;
  /** The `entry` of the last message. */
  last(): string;
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly socket: WebSocket;
  leave(): Promise<void>;
}

export interface RefusedStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Json;
}

const streamUrl = (url: string, query: Record<string, string> | URLSearchParams): string =>
  `${url.replace('http', 'ws')}/_sandbox/stream?${new URLSearchParams(query)}`;

/**
 * Opens a stream; resolves to it when its first message is there or it was closed before it, or to the HTTP response
 * that refused it.
 */
export function openStream(
  url: string,
  query: Record<string, string> | URLSearchParams,
  headers: Record<string, string>,
): Promise<Watcher | RefusedStream> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(streamUrl(url, query), { headers });
    const messages: Json[] = [];
    const waiting = new Set<() => void>();
    socket.once('message', () => resolve(watcher));
    socket.on('message', (data) => {
      messages.push(JSON.parse(data.toString()));
      for (const check of waiting) check();
    });
    const closed = new Promise<{ code: number; reason: string }>((done) =>
      socket.on('close', (code, reason) => done({ code, reason: reason.toString() })),
    );
    const watcher: Watcher = {
      messages,
      get opened() {
        return messages[0];
      },
      closed,
      socket,
      last: () => messages.at(-1).entry,
      until: (holds) =>
        new Promise((found) => {
          const check = (): void => {
            const message = messages.find(holds);
            if (message === undefined) return;
            waiting.delete(check);
            found(message);
          };
          waiting.add(check);
          check();
        }),
      async leave() {
        socket.close();
        await closed;
      },
    };
    socket.on('close', () => resolve(watcher));
    socket.on('unexpected-response', (_, res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk) => chunks.push(chunk));
      res.on('end', () => {
        const { statusCode: status = 0, headers: received } = res;
        resolve({ status, headers: received, body: JSON.parse(Buffer.concat(chunks).toString()) });
        socket.terminate();
      });
    });
    socket.on('error', reject);
  });
}

export async function watch(
  url: string,
  key: string | null,
  query: Record<string, string> | URLSearchParams = {},
): Promise<Watcher> {
  const opened = await openStream(url, query, key === null ? {} : { Authorization: `Bearer ${key}` });
  if ('status' in opened) throw new Error(`the stream was refused: ${JSON.stringify(opened.body)}`);
  return opened;
}

export async function refusedStream(
  url: string,
  query: Record<string, string> | URLSearchParams,
  headers: Record<string, string> = {},
): Promise<RefusedStream> {
  const opened = await openStream(url, query, headers);
  if ('status' in opened) return opened;
  await opened.leave();
  throw new Error('The stream was opened, which should have been refused.');
}

const JOURNALS = { request: 'requests', event: 'events', delivery: 'deliveries' } as const;

/** Every entry of the journals by its id, as the control API shows it. */
export async function journaled(client: Client): Promise<Map<string, Json>> {
  const found = new Map<string, Json>();
  for (const journal of Object.values(JOURNALS)) {
    const { data } = (await client.get(`/_sandbox/${journal}?page_size=1000`)).body;
    for (const entry of data) found.set(entry.id, entry);
  }
  return found;
}

/** The latest version of each entry of those journals. */
export function latest(messages: readonly Json[]): Map<string, Json> {
  return new Map(messages.filter(({ type }) => type in JOURNALS).map(({ data }) => [data.id, data]));
}
