// One HTTP request and its response. Every other line of the tests is about what a response says, and there are some
// hundred thousand of them, so this does as little as possible.
import { type Agent, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

export interface OutgoingRequest {
  readonly agent: Agent;
  readonly hostname: string;
  readonly port: string;
  readonly method: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | Buffer | undefined;
  /** The body is sent once this resolves. */
  readonly bodyAfter?: Promise<unknown> | undefined;
  /** Closes the connection if no response has arrived by then. */
  readonly timeoutMs?: number | undefined;
}

export interface IncomingResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** Sends a request, and resolves when its response is complete. */
export function exchange({ body, bodyAfter, timeoutMs, ...options }: OutgoingRequest): Promise<IncomingResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request(options);
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const [first, ...rest] = chunks;
        resolve({
          status: incoming.statusCode as number,
          headers: incoming.headers as Record<string, string>,
          bytes: first && rest.length === 0 ? first : Buffer.concat(chunks),
        });
      });
    });
    // May follow the response, if the server closes before it has read everything; rejecting has no effect then.
    outgoing.on('error', reject);
    if (timeoutMs !== undefined) {
      outgoing.setTimeout(timeoutMs, () => outgoing.destroy(new Error(`no response within ${timeoutMs} ms`)));
    }
    if (bodyAfter) {
      outgoing.flushHeaders();
      bodyAfter.then(() => outgoing.end(body));
    } else {
      outgoing.end(body);
    }
  });
}

interface PipelinedRequests {
  readonly hostname: string;
  readonly port: string;
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends a GET for each path at once, on a connection of their own, and resolves to the responses in that order. */
export function exchangeAll({ hostname, port, paths, headers }: PipelinedRequests): Promise<IncomingResponse[]> {
  const fields = Object.entries({ ...headers, host: `${hostname}:${port}` });
  const requests = paths.map((path, index) => {
    const last = index === paths.length - 1 ? [['connection', 'close']] : [];
    const lines = [...fields, ...last].map(([name, value]) => `${name}: ${value}\r\n`);
    return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
  });
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('end', () => {
      socket.end();
      try {
        resolve(responsesIn(Buffer.concat(chunks), paths.length));
      } catch (error) {
        reject(error);
      }
    });
    socket.write(requests.join(''));
  });
}

/** The responses in the bytes of a connection; each must have a Content-Length. */
function responsesIn(bytes: Buffer, count: number): IncomingResponse[] {
  const found: IncomingResponse[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf('\r\n\r\n', start);
    const [line = '', ...fields] = bytes.subarray(start, end).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(
      fields.map((field) => {
        const colon = field.indexOf(':');
        return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
      }),
    );
    const body = end + 4;
    start = body + Number(headers['content-length']);
    found.push({ status: Number(line.split(' ')[1]), headers, bytes: bytes.subarray(body, start) });
  }
  if (found.length !== count) throw new Error(`${count} requests got ${found.length} responses: ${bytes}`);
  return found;
}
