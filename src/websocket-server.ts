// The WebSocket server for rooms and streams: sockets come from the HTTP server, with limits so that none keeps it
// busy.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers';
import { type WebSocket, WebSocketServer } from 'ws';

/** Answers a malformed handshake, on the bare socket. */
export type OnMalformed = (error: Error, socket: Duplex, req: IncomingMessage) => void;

export function createWebSocketServer(maxMessageBytes: number, onMalformed: OnMalformed): WebSocketServer {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    // One message a round of the event loop: what a socket has sent in a burst keeps no request waiting.
    allowSynchronousEvents: false,
    clientTracking: false,
  });
  return server.on('wsClientError', onMalformed);
}

/** Pings a round of the event loop: each takes some 20 µs, and there can be thousands of connections. */
const PINGS = 50;

/** Pings clients, and disconnects those that have not responded since the last time. */
export function beat(clients: readonly (readonly [WebSocket, { alive: boolean }])[]): void {
  for (const [client, state] of clients.slice(0, PINGS)) {
    if (state.alive) client.ping();
    else client.terminate();
    state.alive = false;
  }
  if (clients.length > PINGS) setImmediate(() => beat(clients.slice(PINGS)));
}
