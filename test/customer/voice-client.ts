// The client of an imagined integrator: it knows the platform's documentation alone. It tries again what may succeed later,
// with one idempotency key, and waits as long as it is told to.
import { randomUUID } from 'node:crypto';

export class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(`${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}

export interface VoiceClientOptions {
  readonly url: string;
  readonly key: string;
  /** Lets time pass: on a clock of its own in production, by moving the sandbox's clock in tests. */
  readonly wait: (seconds: number) => Promise<void>;
  /** How long an answer may take, in milliseconds. */
  readonly patienceMs?: number;
}

export interface CallRequest {
  readonly to_number?: unknown;
  readonly from_number?: string;
}

const ATTEMPTS = 4;
/** The wait after a failure that says nothing of its own. */
const WAIT_SECONDS = 2;
/** Errors of the category `compliance_block` that pass with time are for a person to decide, not for a loop. */
const worthTryingAgain = (status: number): boolean => status === 429 || status >= 500;

// biome-ignore lint/suspicious/noExplicitAny: the shapes of bodies are the platform's.
type Json = any;

export class VoiceClient {
  readonly #options: VoiceClientOptions;
  /** How often it has tried something again. */
  retries = 0;

  constructor(options: VoiceClientOptions) {
    this.#options = options;
  }

  /** Dials a number; returns the id of the call. `headers` are those that a test adds. */
  async dial(request: CallRequest, headers: Readonly<Record<string, string>> = {}): Promise<string> {
    const body = { from_number: '+14155550190', ...request };
    const { call_id } = await this.ask('POST', '/v1/calls/dial', body, { 'Idempotency-Key': randomUUID(), ...headers });
    return call_id;
  }

  /** Asks until there is an answer to keep; throws Refused for one that stays an error. */
  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Json> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#once(method, path, body, headers);
      if (answer && answer.status < 400) return answer.json;
      const refused = new Refused(answer?.status ?? 0, answer?.json?.error?.code ?? 'no_answer_from_platform');
      if (attempt === ATTEMPTS || (answer && !worthTryingAgain(answer.status))) throw refused;
      this.retries += 1;
      await this.#options.wait(answer?.retryAfter ?? WAIT_SECONDS);
    }
  }

  /** Undefined if there was no answer, or half of one. */
  async #once(
    method: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ status: number; json: Json; retryAfter: number | undefined } | undefined> {
    const { url, key, patienceMs = 10_000 } = this.#options;
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(patienceMs),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
      const retryAfter = response.headers.get('retry-after');
      return {
        status: response.status,
        json: isJson && text !== '' ? JSON.parse(text) : undefined,
        retryAfter: retryAfter === null ? undefined : Number(retryAfter),
      };
    } catch {
      return undefined;
    }
  }
}
