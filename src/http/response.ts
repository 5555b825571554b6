// The one writer of answers: status, the headers of `spec.md` and of the sandbox, and the body, written once.
import type { ServerResponse } from 'node:http';
import type { OperationResult } from '../engine/operation.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError } from '../errors/api-error.ts';
import { allErrors, categoryOnCalls, type ErrorCode } from '../errors/catalogue.ts';
import { operationFor } from '../operations/index.ts';
import { endAfterBody } from './body.ts';
import type { Fault } from './control-headers.ts';
import { secondsLeft } from './rate-limit.ts';
import type { RequestContext } from './request-context.ts';

export interface HttpResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** Null where there is none (204). */
  readonly body: string | null;
  readonly errorCode: string | null;
}

/** What a page in a browser may read of an answer: with `--strict`, and without. */
const exposedByPlatform = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'WWW-Authenticate',
].join(', ');
const exposed = [
  exposedByPlatform,
  'X-Sandbox-Version',
  'X-Sandbox-Request-Id',
  'X-Sandbox-World',
  'X-Sandbox-Scenario',
  'X-Sandbox-Assumptions',
  'Idempotency-Replayed',
].join(', ');

/** What a reply of an operation looks like on the wire. */
export function successResponse(
  sandbox: SandboxContext,
  context: RequestContext,
  reply: OperationResult,
): HttpResponse {
  const body = reply.body === undefined ? null : JSON.stringify(reply.body);
  const made = context.operation?.assumptionsOf(reply.status) ?? '';
  const assumed = context.replayed ? [made, 'idempotency'].filter(Boolean).join(', ') : made;
  return withStandardHeaders(sandbox, context, reply.status, body, assumed, null, {});
}

/** What an error looks like on the wire. */
export function errorResponse(sandbox: SandboxContext, context: RequestContext, error: ApiError): HttpResponse {
  const { code, status, detail } = error;
  const onCalls = context.operation !== null && operationFor(context.operation.id).placesCalls === true;
  const body = JSON.stringify(errorEnvelope(error, context.origin, onCalls));
  const headers = { ...detail.headers };
  if (status === 429) headers['Retry-After'] ??= '1';
  const extra = allErrors[code].channel === 'sandbox' ? 'extra_error_codes' : '';
  const assumed = [...new Set([detail.assumption, extra].filter(Boolean))].join(', ');
  return withStandardHeaders(sandbox, context, status, body, assumed, code, headers);
}

/** The envelope of `spec.md` "Errors"; with the code's category where it answers a request for a call. */
export function errorEnvelope(error: ApiError, origin: string, onCalls = false): object {
  const { code, message, hint, detail } = error;
  const category = onCalls && !detail.uncategorized ? categoryOnCalls(code) : undefined;
  return {
    error: {
      code,
      message,
      resolution_hint: hint,
      ...(detail.fields ? { fields: detail.fields } : {}),
      doc_url: `${origin}/docs/errors#${code}`,
      ...(category ? { category } : {}),
    },
  };
}

/** An error that was chosen by header or scenario, with what belongs to its code. */
export function scriptedError(code: ErrorCode, fields = usualFields[code]): ApiError {
  return new ApiError(code, fields ? { fields } : {});
}

/** The fields that a code names when it comes by its natural cause. */
const usualFields: Partial<Record<ErrorCode, Record<string, string>>> = {
  validation_error: { body: 'is refused as if it were not valid' },
  destination_missing: { to_number: 'is refused as if it were missing' },
  destination_invalid: { to_number: 'is refused as if it could not be dialled' },
  call_id_not_verified: { from_number: 'is refused as if it were not verified' },
  texting_not_ready: { reason: 'a2p_registration_required', registration_status: 'none' },
};

function withStandardHeaders(
  sandbox: SandboxContext,
  context: RequestContext,
  status: number,
  body: string | null,
  assumed: string,
  errorCode: string | null,
  own: Record<string, string>,
): HttpResponse {
  const headers: Record<string, string> = {};
  if (body !== null) {
    headers['Content-Type'] = 'application/json';
    headers['Content-Length'] = String(Buffer.byteLength(body));
  }
  headers['Access-Control-Allow-Origin'] = '*';
  headers['Access-Control-Expose-Headers'] = sandbox.settings.strict ? exposedByPlatform : exposed;
  if (context.rate && (status < 300 || status === 429)) addRateHeaders(headers, context);
  Object.assign(headers, own);
  if (!sandbox.settings.strict) addSandboxHeaders(headers, sandbox, context, assumed);
  if (context.leavesBytes) headers.Connection = 'close';
  return { status, headers, body, errorCode };
}

function addRateHeaders(headers: Record<string, string>, { rate }: RequestContext): void {
  if (!rate) return;
  headers.RateLimit = `"default";r=${rate.remaining};t=${secondsLeft(rate)}`;
  headers['RateLimit-Policy'] = `"default";q=${rate.limit};w=60`;
  headers['X-RateLimit-Limit'] = String(rate.limit);
  headers['X-RateLimit-Remaining'] = String(rate.remaining);
  headers['X-RateLimit-Reset'] = String(rate.resetAt);
}

function addSandboxHeaders(
  headers: Record<string, string>,
  sandbox: SandboxContext,
  context: RequestContext,
  assumed: string,
): void {
  headers['X-Sandbox-Version'] = sandbox.version;
  if (context.id !== null) headers['X-Sandbox-Request-Id'] = context.id;
  if (context.world !== null) {
    headers['X-Sandbox-World'] = context.recreated ? `${context.world};recreated` : context.world;
  }
  if (context.selection) headers['X-Sandbox-Scenario'] = context.selection.name;
  if (assumed !== '') headers['X-Sandbox-Assumptions'] = assumed;
  if (context.replayed) headers['Idempotency-Replayed'] = 'true';
}

/** Writes an answer, or breaks the connection in the way that was asked for. */
export function writeResponse(res: ServerResponse, answer: HttpResponse, fault: Fault | null): void {
  if (res.destroyed) return;
  if (fault) return breakConnection(res, fault.kind, answer);
  res.writeHead(answer.status, answer.headers);
  if (answer.headers.Connection === 'close') endAfterBody(res.req, res, answer.body ?? '');
  else if (answer.body === null) res.end();
  else res.end(answer.body);
}

/** The longest that a client is kept waiting for nothing. */
const TIMEOUT_MS = 60_000;

export function breakConnection(res: ServerResponse, kind: Fault['kind'], answer: HttpResponse | null): void {
  const { socket } = res;
  if (!socket) {
    // A request that came before on this connection is still being answered; that answer is to arrive first.
    res.once('socket', () => breakConnection(res, kind, answer));
    return;
  }
  switch (kind) {
    case 'reset':
      socket.resetAndDestroy();
      return;
    case 'empty':
      socket.destroy();
      return;
    case 'truncate': {
      const body = answer?.body ?? '{"data":';
      res.writeHead(answer?.status ?? 200, answer?.headers ?? { 'Content-Length': '1000' });
      res.write(body.slice(0, Math.floor(body.length / 2)), () => socket.destroy());
      return;
    }
    case 'timeout': {
      const timer = setTimeout(() => socket.destroy(), TIMEOUT_MS);
      res.once('close', () => clearTimeout(timer));
      return;
    }
    default:
      kind satisfies never;
  }
}
