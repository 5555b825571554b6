// The WebSocket server for rooms and streams: sockets come from the HTTP server, with limits so that none keeps it
// busy.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';

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
