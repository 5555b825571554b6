// Joins media rooms over WebSocket, as a browser does.
import { WebSocket } from 'ws';

export interface Joined {
  /** The messages received so far. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
  readonly messages: any[];
  /** Resolves to the first message of that type, once it arrives. */
  waitFor(type: string): Promise<Joined['messages'][number]>;
  send(text: string): void;
  leave(): void;
  /** Resolves to the close code. */
  readonly closed: Promise<number>;
}

export interface Refused {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
  readonly body: any;
}

/** Opens a WebSocket; resolves to the open connection, or to the HTTP response that refused it. */
export function join(url: string, headers: Record<string, string> = {}): Promise<Joined | Refused> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { headers });
    const messages: Joined['messages'] = [];
    const waiting = new Set<() => void>();
    socket.on('message', (data) => {
      messages.push(JSON.parse(data.toString()));
      for (const check of waiting) check();
    });
    const closed = new Promise<number>((resolveCode) => socket.on('close', resolveCode));
    socket.on('open', () =>
      resolve({
        messages,
        waitFor: (type) =>
          new Promise((resolveMessage) => {
            const check = (): void => {
              const message = messages.find((each) => each.type === type);
              if (message === undefined) return;
              waiting.delete(check);
              resolveMessage(message);
            };
            waiting.add(check);
            check();
          }),
        send: (text) => socket.send(text),
        leave: () => socket.close(),
        closed,
      }),
    );
    socket.on('unexpected-response', (_, res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk) => chunks.push(chunk));
      res.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: res.statusCode ?? 0, headers: res.headers, body: JSON.parse(text) });
        socket.terminate();
      });
    });
    // Also emitted after a refusal was read, when the promise is already resolved.
    socket.on('error', reject);
  });
}

/** The same; throws if the room refuses the connection. */
export async function joined(url: string, headers?: Record<string, string>): Promise<Joined> {
  const result = await join(url, headers);
  if ('status' in result)
    throw new Error(`The room refused the connection with ${result.status}: ${JSON.stringify(result.body)}`);
  return result;
}

/** The same; throws if the room accepts the connection. */
export async function refused(url: string, headers?: Record<string, string>): Promise<Refused> {
  const result = await join(url, headers);
  if ('status' in result) return result;
  result.leave();
  throw new Error('The room accepted a connection that it should have refused.');
}
