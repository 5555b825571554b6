// POSTs to a receiver as the server's deliveries do: one connection each, no redirects, the body unchanged.
import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../system-errors.ts';

/** As for deliveries. */
const ANSWER_MS = 10_000;

/** How a receiver answered; `status` is null if it did not. */
export interface Forwarded {
  readonly status: number | null;
  readonly latency_ms: number;
  readonly error: string | null;
}

/** Never rejects. With `pauseMs`, the second half of the body comes that much later. */
export async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal?: AbortSignal,
  pauseMs = 0,
): Promise<Forwarded> {
  const began = performance.now();
  const latency = (): number => Math.round(performance.now() - began);
  try {
    return {
      status: await statusOf(url, headers, Buffer.from(body), signal, pauseMs),
      latency_ms: latency(),
      error: null,
    };
  } catch (error) {
    return { status: null, latency_ms: latency(), error: explained(error) };
  }
}

function statusOf(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
  stop: AbortSignal | undefined,
  pauseMs: number,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const timeout = AbortSignal.timeout(ANSWER_MS + pauseMs);
    const signal = stop ? AbortSignal.any([stop, timeout]) : timeout;
    const options: RequestOptions = {
      method: 'POST',
      agent: false,
      headers: { ...headers, 'content-length': body.length },
      signal,
    };
    const req = (url.startsWith('https:') ? httpsRequest : httpRequest)(url, options, (res) => {
      // The answer counts when it is whole.
      res.resume().on('end', () => resolve(res.statusCode ?? 0));
      res.on('error', reject);
    });
    req.on('error', (error) => reject(timeout.aborted ? new Error(`no answer within ${ANSWER_MS / 1000} s`) : error));
    const half = pauseMs > 0 ? Math.floor(body.length / 2) : body.length;
    req.write(body.subarray(0, half));
    if (half === body.length) req.end();
    else
      sleep(pauseMs, undefined, { signal }).then(
        () => req.end(body.subarray(half)),
        () => {},
      );
  });
}

function explained(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ECONNREFUSED') return 'nothing listens there (ECONNREFUSED)';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `its name is not known (${code})`;
  if (code === 'ECONNRESET') return 'the connection was closed before an answer (ECONNRESET)';
  return messageOf(error) || code;
}
