// Tracks the requests of a server that are still being answered, so that stopping can wait for them.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Returns a function that tells whether any request has arrived whose response has not left yet. */
export function trackRequests(server: Server): () => boolean {
  const open = new Map<Socket, number>();
  const known = new WeakSet<Socket>();
  server.on('connection', (socket) => {
    // A connection that is served without the upgrade it offered is announced more than once.
    if (known.has(socket)) return;
    known.add(socket);
    // If a client leaves, responses that wait for an earlier one on its connection never close.
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket }, res) => {
    open.set(socket, (open.get(socket) ?? 0) + 1);
    res.once('close', () => {
      const left = (open.get(socket) ?? 1) - 1;
      if (left > 0) open.set(socket, left);
      else open.delete(socket);
    });
  });
  return () => open.size > 0;
}
