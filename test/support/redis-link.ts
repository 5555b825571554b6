// A link to a Redis server that a test can cut: a socket of its own, which passes everything on until it is told not to.
import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers';
import { afterAll, beforeAll } from 'vitest';
import { type RedisServer, startRedis } from './redis.ts';

type Cut = 'command' | 'reply';

export interface RedisLink {
  readonly socket: string;
  /** Where it can be reached by TCP too, as programs do. */
  readonly address: string;
  /** Cuts the link in place of the next command or reply, or a later one, and lets no one in until `mend`. Resolves then. */
  cutAtNext(what: Cut, skipped?: number): Promise<void>;
  cut(): void;
  /** Passes nothing on, and breaks nothing off, until `mend`. */
  stall(): void;
  /** Answers each command with this text until `mend`, and passes none on. */
  garble(answer: string): void;
  /** Passes everything on so many milliseconds late from now on. */
  slow(ms: number): void;
  mend(): void;
  /** Leads to another server from now on; what is open is broken off. */
  leadTo(target: string): void;
  close(): Promise<void>;
}

export async function linkTo(first: string): Promise<RedisLink> {
  const socket = `${first}-link`;
  let target = first;
  let delay = 0;
  let held: (() => void)[] | undefined;
  let garbled: string | undefined;
  const open = new Set<Socket>();
  let isCut = false;
  let next: { readonly what: Cut; skipped: number; readonly done: () => void } | undefined;

  function pass(to: Socket, data: Buffer): void {
    if (held) held.push(() => to.write(data));
    else if (delay > 0) setTimeout(() => to.write(data), delay);
    else to.write(data);
  }

  function cut(): void {
    isCut = true;
    for (const each of open) each.destroy();
  }

  const connect = (client: Socket): void => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = createConnection(target);
    for (const [from, to, what] of [
      [client, upstream, 'command'],
      [upstream, client, 'reply'],
    ] as const) {
      open.add(from);
      from.on('data', (data) => {
        if (next?.what !== what || next.skipped > 0) {
          if (next?.what === what) next.skipped -= 1;
          if (garbled === undefined) pass(to, data);
          else if (what === 'command') from.write(garbled);
          return;
        }
        const { done } = next;
        next = undefined;
        cut();
        done();
      });
      from.on('error', () => {});
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
  };
  const servers = [createServer(connect).listen(socket), createServer(connect).listen(0, '127.0.0.1')] as const;
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const bound = servers[1].address();
  return {
    socket,
    address: `redis://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`,
    cut,
    stall() {
      held = [];
    },
    garble(answer) {
      garbled = answer;
    },
    slow(ms) {
      delay = ms;
    },
    mend() {
      isCut = false;
      garbled = undefined;
      for (const send of held?.splice(0) ?? []) send();
      held = undefined;
    },
    leadTo(other) {
      target = other;
      for (const each of open) each.destroy();
    },
    cutAtNext: (what, skipped = 0) =>
      new Promise((done) => {
        next = { what, skipped, done };
      }),
    async close() {
      cut();
      await Promise.all(servers.map((server) => once(server.close(), 'close')));
    },
  };
}

/** A Redis server of a group of tests, and a link to it. */
export function useLinkedRedis(): { readonly server: RedisServer; readonly link: RedisLink } {
  let started: { server: RedisServer; link: RedisLink } | undefined;
  const of = (): { server: RedisServer; link: RedisLink } => {
    if (!started) throw new Error('Redis runs during tests only.');
    return started;
  };
  beforeAll(async () => {
    const server = await startRedis();
    started = { server, link: await linkTo(server.socket) };
  });
  afterAll(async () => {
    await started?.link.close();
    await started?.server.stop();
  });
  return {
    get server() {
      return of().server;
    },
    get link() {
      return of().link;
    },
  };
}
