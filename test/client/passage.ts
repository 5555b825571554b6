// A TCP proxy whose connections a test can break, as a network does.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Passage {
  readonly url: string;
  breakAll(): void;
  /** Breaks all connections, and those that come, until it is opened. */
  shut(): void;
  open(): void;
  close(): Promise<void>;
}

export async function startPassage(to: string): Promise<Passage> {
  const { hostname, port } = new URL(to);
  const open = new Set<Socket>();
  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => {});
  };
  let isShut = false;
  const server = createServer((near) => {
    if (isShut) return near.destroy();
    const far = connect(Number(port), hostname);
    keep(near);
    keep(far);
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address.
  const address = server.address() as AddressInfo;
  const breakAll = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    breakAll,
    shut() {
      isShut = true;
      breakAll();
    },
    open() {
      isShut = false;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        breakAll();
      }),
  };
}
