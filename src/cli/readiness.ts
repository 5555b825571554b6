// Whether a server elsewhere is ready, and if not, why: as the network, TLS or the server itself reports it.
import { get as httpGet, type IncomingMessage } from 'node:http';
import { isJsonObject } from '../contract/json.ts';

const TRY_TIMEOUT_MS = 2000;
/** The server's own words are printed on one line. */
const MAX_WORDS = 200;

/** A server that says more than this is another one. */
const MAX_BYTES = 64 * 1024;

/** What the system's error codes mean for someone who looks for a server. */
const meanings: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was closed before a response',
  ENOTFOUND: 'its name cannot be resolved',
  EAI_AGAIN: 'its name cannot be resolved now',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ETIMEDOUT: 'no connection could be made in time',
};

/** The codes of OpenSSL, and those of certificates. */
const tlsCode = /^(ERR_SSL|ERR_TLS|EPROTO$|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;
/** What OpenSSL says of a response that is not TLS. */
const notTls = /wrong version number|packet length too long/i;

/** Why the server is not ready; undefined if it is. */
export async function readinessProblem(url: string): Promise<string | undefined> {
  try {
    const { status, text } = await get(new URL(`${url}/_sandbox/ready`));
    return problemOf(status, text);
  } catch (error) {
    return causeOf(error);
  }
}

/** By Node's own client: loading that of `fetch` takes as long as starting Node, and TLS a fifth of that. */
async function get(url: URL): Promise<{ readonly status: number; readonly text: string }> {
  const request = url.protocol === 'https:' ? (await import('node:https')).get : httpGet;
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(TRY_TIMEOUT_MS);
    const options = { agent: false, signal, headers: { Accept: 'application/json' } };
    const answered = (res: IncomingMessage): void => {
      let text = '';
      res.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (text.length > MAX_BYTES) res.destroy();
      });
      res.on('close', () => resolve({ status: res.statusCode ?? 0, text }));
      res.on('error', reject);
    };
    const req = request(url, options, answered);
    req.on('error', (error) => reject(signal.aborted ? signal.reason : error));
  });
}

/** Checks the body too, because many servers respond to any path with 200. */
function problemOf(status: number, text: string): string | undefined {
  const { data, error } = parsed(text);
  const state = isJsonObject(data) ? data.status : undefined;
  if (status === 200) return state === 'ready' ? undefined : 'another server responds there';
  const said = state ?? (isJsonObject(error) ? error.message : undefined);
  return `it responded with ${status}${typeof said === 'string' ? ` (${firstLine(said)})` : ''}`;
}

function parsed(text: string): { readonly data?: unknown; readonly error?: unknown } {
  try {
    const body: unknown = JSON.parse(text);
    return isJsonObject(body) ? body : {};
  } catch {
    return {};
  }
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `it did not respond within ${TRY_TIMEOUT_MS / 1000} s`;
  const code = 'code' in error ? String(error.code) : '';
  if (notTls.test(error.message)) return `it does not speak TLS; use http: (${code})`;
  const said = firstLine(error.message);
  const meaning = meanings[code] ?? (tlsCode.test(code) ? `TLS failed: ${said}` : said);
  return code === '' ? meaning : `${meaning} (${code})`;
}

const firstLine = (text: string): string => (text.split('\n')[0] ?? text).slice(0, MAX_WORDS);
