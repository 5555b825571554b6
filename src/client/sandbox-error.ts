// The one error of the client: what a server refused, or why it could not be reached.
import type { components } from '../contract/wire.d.ts';
import type { components as control } from './control-api.d.ts';

/** `unreachable`: no connection, or none to the end. `unexpected_answer`: what answered is not a Ringback server. */
export type SandboxErrorCode = control['schemas']['ErrorCode'] | 'unreachable' | 'unexpected_answer';

type Detail = components['schemas']['ErrorDetail'] | control['schemas']['ErrorDetail'];

export interface SandboxErrorFacts {
  readonly code: SandboxErrorCode;
  readonly message: string;
  readonly status?: number;
  readonly detail?: Detail;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

const brand = Symbol.for('ringback.SandboxError');

/**
 * A request to a sandbox has failed. `message` says all that a person needs: the fields that are wrong, or else what went
 * wrong and what to do about it. Branch on `code`.
 *
 * @example
 * await sandbox.clock.advance('5s').catch((error) => {
 *   if (error.code !== 'conflict') throw error;
 * });
 */
export class SandboxError extends Error {
  /** What each copy of this class in a process takes for its own: an ES and a CommonJS one, or one for each file of Jest. */
  static override [Symbol.hasInstance](value: unknown): value is SandboxError {
    return typeof value === 'object' && value !== null && brand in value;
  }

  override readonly name = 'SandboxError';
  readonly code: SandboxErrorCode;
  /** The HTTP status; null if there was no answer. */
  readonly status: number | null;
  /** What the server says went wrong, without fields and hint. */
  readonly reason: string;
  /** What to do about it; null where the server does not say. */
  readonly hint: string | null;
  /** The fields of the request that are wrong, each with an explanation. */
  readonly fields: Readonly<Record<string, string>>;
  /** The section of the error reference. */
  readonly docUrl: string | null;
  /** `X-Sandbox-Request-Id`: the journal entry of the request, for the platform's operations. */
  readonly requestId: string | null;

  constructor({ code, message, status, detail, requestId, cause }: SandboxErrorFacts) {
    super(message, cause === undefined ? undefined : { cause });
    Object.defineProperty(this, brand, { value: true });
    this.code = code;
    this.status = status ?? null;
    this.reason = detail?.message ?? message;
    this.hint = detail?.resolution_hint ?? null;
    this.fields = detail?.fields ?? {};
    this.docUrl = detail?.doc_url ?? null;
    this.requestId = requestId ?? null;
  }

  /** The error that a server's envelope describes. */
  static fromEnvelope(status: number, detail: Detail, requestId: string | undefined): SandboxError {
    const fields = Object.entries(detail.fields ?? {}).map(([name, explanation]) => `${name} ${explanation}`);
    const hint = detail.resolution_hint === undefined ? '' : ` ${detail.resolution_hint}`;
    const message = fields.length > 0 ? fields.join('; ') : `${detail.message}${hint}`;
    return new SandboxError({ code: detail.code, message, status, detail, requestId });
  }
}
