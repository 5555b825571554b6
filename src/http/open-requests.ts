// Tracks the requests of a server that are still being answered, so that stopping can wait for them.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Returns a function that says whether any request is still without its complete response. */
export function trackRequests(server: Server): () => boolean {
  const open = new Map<Socket, number>();
  const tracked = new WeakSet<Socket>();
  server.on('connection', (socket) => {
    // A connection that is served without the upgrade it offered is announced more than once.
    if (tracked.has(socket)) return;
    tracked.add(socket);
    // If a client leaves, responses that wait for an earlier one on its connection never close.
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket }, res) => {
    open.set(socket, (open.get(socket) ?? 0) + 1);
    res.once('close', () => {
      const remaining = (open.get(socket) ?? 1) - 1;
      if (remaining > 0) open.set(socket, remaining);
      else open.delete(socket);
    });
  });
  return () => open.size > 0;
}
