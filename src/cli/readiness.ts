// Whether a server elsewhere is ready, and if not, why: what the network, TLS or the server itself says.
import { isJsonObject } from '../contract/json.ts';

const TRY_TIMEOUT_MS = 2000;
/** The server's own words are printed on one line. */
const MAX_WORDS = 200;

/** What the system's error codes mean for someone who looks for a server. */
const meanings: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was closed before a response',
  UND_ERR_SOCKET: 'the connection was closed before a response',
  ENOTFOUND: 'its name cannot be resolved',
  EAI_AGAIN: 'its name cannot be resolved now',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ETIMEDOUT: 'no connection could be made in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection could be made in time',
};

/** The codes of OpenSSL, and those of certificates. */
const tlsCode = /^(ERR_SSL|ERR_TLS|EPROTO$|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;
/** What OpenSSL says of a response that is not TLS. */
const notTls = /wrong version number|packet length too long/i;

/** Why the server is not ready; undefined if it is. */
export async function readinessProblem(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/_sandbox/ready`, { signal: AbortSignal.timeout(TRY_TIMEOUT_MS) });
    return problemOf(response.status, await response.text());
  } catch (error) {
    return causeOf(error);
  }
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

/** `fetch` hides what happened in the cause of its error. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `it did not respond within ${TRY_TIMEOUT_MS / 1000} s`;
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code = 'code' in cause ? String(cause.code) : '';
  if (notTls.test(cause.message)) return `it does not speak TLS; use http: (${code})`;
  const said = firstLine(cause.message);
  if (said === 'bad port') return 'HTTP clients do not connect to this port';
  const meaning = meanings[code] ?? (tlsCode.test(code) ? `TLS failed: ${said}` : said);
  return code === '' ? meaning : `${meaning} (${code})`;
}

const firstLine = (text: string): string => (text.split('\n')[0] ?? text).slice(0, MAX_WORDS);
