// The address by which a client reached this server, for the URLs that responses carry.
import type { IncomingMessage } from 'node:http';

/** `http://host:port`, from the Host header; from the socket if that is not a valid host name or address. */
export function originOf({ headers: { host }, socket }: IncomingMessage): string {
  if (host !== undefined && /^[\w.-]+(:\d{1,5})?$|^\[[0-9a-fA-F:]+\](:\d{1,5})?$/.test(host)) return `http://${host}`;
  return `http://127.0.0.1:${socket.localPort}`;
}
