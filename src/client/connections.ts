// HTTP to one server, over Node's own client: kept connections, no limit on how long an answer may take (an advance can
// run for minutes), and out of reach of a test's fake timers and mocked `fetch`.
import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { parseUrl } from '../parse-url.ts';
import { SandboxError } from './sandbox-error.ts';

/** Connections are closed before servers or balancers in between usually do. */
const IDLE_MS = 4000;

export interface ClientRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface ClientAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Bytes, or their text where a caller needs no bytes. */
  readonly body: Pick<Buffer | string, 'length' | 'toString'>;
}

/** What a client sends requests with: Node's HTTP client here, `fetch` in a browser. */
export interface Transport {
  /** Without a slash at its end. */
  readonly url: string;
  send(request: ClientRequest): Promise<ClientAnswer>;
}

export class Connections implements Transport {
  /** Without a slash at its end. */
  readonly url: string;
  readonly #isSecure: boolean;
  readonly #agent: HttpAgent | HttpsAgent;

  constructor(url: string) {
    const parsed = parseUrl(url);
    if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
      throw new TypeError(`"${url}" is not the address of a server; must be like http://127.0.0.1:4747`);
    }
    this.url = `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}`;
    this.#isSecure = parsed.protocol === 'https:';
    const options = { keepAlive: true, timeout: IDLE_MS };
    this.#agent = this.#isSecure ? new HttpsAgent(options) : new HttpAgent(options);
  }

  /** Rejects with a SandboxError if no whole answer came, and with the reason of the signal if that was aborted. */
  send({ method, path, headers, body, signal }: ClientRequest): Promise<ClientAnswer> {
    return new Promise((resolve, reject) => {
      const fail = (cause: Error): void =>
        reject(signal?.aborted ? signal.reason : unreachable(this.url, `${method} ${path.split('?', 1)[0]}`, cause));
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
      const options: RequestOptions = { method, agent: this.#agent, headers: { ...headers, ...length } };
      if (signal) options.signal = signal;
      const send = this.#isSecure ? httpsRequest : httpRequest;
      const req = send(`${this.url}${path}`, options, (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('error', fail);
        res.on('end', () => {
          resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) });
        });
      });
      req.on('error', fail);
      req.end(body);
    });
  }

  /** Closes its connections. */
  close(): void {
    this.#agent.destroy();
  }
}

const explanations: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there; is the server running?',
  ENOTFOUND: 'its name is not known; is the address right?',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNRESET: 'the connection broke before the answer was there; has the server stopped?',
  EPIPE: 'the connection broke before the answer was there; has the server stopped?',
  ETIMEDOUT: 'it does not answer; is the address right?',
  EHOSTUNREACH: 'there is no route to it; is the address right?',
  EPROTO: 'it does not speak TLS; does the address begin with http instead?',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed; set NODE_EXTRA_CA_CERTS to a file with it',
};

/** Why a server could not be asked, in one line. */
export function unreachable(url: string, what: string, cause: Error): SandboxError {
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  const explanation = explanations[code] ?? (cause.message || code);
  return new SandboxError({
    code: 'unreachable',
    message: `cannot reach ${url} (${what}): ${explanation}${code && explanation !== code ? ` (${code})` : ''}`,
    cause,
  });
}
