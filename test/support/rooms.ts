// A browser in a room, as far as a test needs one.
import { WebSocket } from 'ws';

export interface Joined {
  /** What the room has said so far. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
  readonly heard: any[];
  /** Answers when the room has said something that matches. */
  hear(type: string): Promise<Joined['heard'][number]>;
  say(text: string): void;
  leave(): void;
  /** The close code, once it is closed. */
  readonly closed: Promise<number>;
}

export interface Refused {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
  readonly body: any;
}

/** Opens a WebSocket; answers who joined, or what it was refused with. */
export function join(url: string, headers: Record<string, string> = {}): Promise<Joined | Refused> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { headers });
    const heard: Joined['heard'] = [];
    const waiting = new Set<() => void>();
    socket.on('message', (data) => {
      heard.push(JSON.parse(data.toString()));
      for (const look of waiting) look();
    });
    const closed = new Promise<number>((gone) => socket.on('close', gone));
    socket.on('open', () =>
      resolve({
        heard,
        hear: (type) =>
          new Promise((found) => {
            const look = (): void => {
              const message = heard.find((each) => each.type === type);
              if (message === undefined) return;
              waiting.delete(look);
              found(message);
            };
            waiting.add(look);
            look();
          }),
        say: (text) => socket.send(text),
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
    // Comes too where a refusal has been read; the promise is settled then.
    socket.on('error', reject);
  });
}

/** The same, for a room that is expected to let in. */
export async function joined(url: string, headers?: Record<string, string>): Promise<Joined> {
  const seat = await join(url, headers);
  if ('status' in seat) throw new Error(`refused with ${seat.status}: ${JSON.stringify(seat.body)}`);
  return seat;
}

/** The same, for a room that is expected to refuse. */
export async function refused(url: string, headers?: Record<string, string>): Promise<Refused> {
  const seat = await join(url, headers);
  if ('status' in seat) return seat;
  seat.leave();
  throw new Error('the room let in who should have been refused');
}
