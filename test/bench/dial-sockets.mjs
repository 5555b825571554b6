// Dials over sockets as they are: a client of HTTP takes as much of the processor for a dial as Redis does, and the servers
// are to have it.
import { connect } from 'node:net';

const body = JSON.stringify({ from_number: '+14155550190', to_number: '+12125550100' });
const HEAD_END = Buffer.from('\r\n\r\n');
const STATUS_AT = 'HTTP/1.1 '.length;
const LENGTH = /^content-length: (\d+)/im;

/** The bytes of a dial in a world. */
export const requestIn = (world) =>
  Buffer.from(
    `POST /v1/calls/dial HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer svc_test_${world}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );

/** Whether a response is good and where it ends; undefined as long as it has not all come. */
function responseIn(bytes) {
  const head = bytes.indexOf(HEAD_END);
  if (head < 0) return undefined;
  const length = LENGTH.exec(bytes.latin1Slice(0, head))?.[1];
  if (length === undefined) throw new Error('a response has no length');
  const end = head + HEAD_END.length + Number(length);
  return bytes.length < end ? undefined : { isGood: bytes[STATUS_AT] === '2'.charCodeAt(0), end };
}

/** A connection that takes a request when the one before is answered; `onAnswer` is called with whether that was good. */
export function connectTo(url, onAnswer) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let bytes = Buffer.alloc(0);
    const connection = { send: (request) => socket.write(request), close: () => socket.destroy() };
    socket.on('connect', () => resolve(connection));
    // Nobody would wait for a promise that rejects once it is connected.
    socket.on('error', (error) => {
      throw error;
    });
    socket.on('end', () => {
      throw new Error(`${url} has closed a connection`);
    });
    socket.on('data', (chunk) => {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
      const response = responseIn(bytes);
      if (!response) return;
      bytes = bytes.subarray(response.end);
      onAnswer(response.isGood, connection);
    });
  });
}
