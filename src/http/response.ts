// HTTP responses as values: status, the headers of `spec.md` and of the sandbox, and the serialized body.
import type { OperationResult } from '../engine/operation.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError } from '../errors/api-error.ts';
import { allErrors, categoryOnCalls } from '../errors/catalogue.ts';
import type { RawAnswer } from '../model.ts';
import { latestOf } from '../repeated.ts';
import { sizeOfText } from '../store/footprint.ts';
import { assumedForm } from './assumed-form.ts';
import type { Substitute } from './controls.ts';
import { drifted } from './drifted.ts';
import { injectedError } from './injected-error.ts';
import { type LongBody, shortJson } from './long-body.ts';
import { addressOf } from './own-address.ts';
import type { RateStatus } from './rate-limit.ts';
import { rawBody } from './raw-body.ts';
import {
  type AnyStage,
  type AuthenticatedRequest,
  type ExecutedRequest,
  mayLeaveBytes,
  type RequestIdentity,
} from './stages.ts';

export interface HttpResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** Null if there is none (204), or if it is still to be made. */
  readonly body: string | LongBody | null;
  readonly errorCode: string | null;
  /** A long page, of which the body is made once the transaction has ended. */
  readonly toBeMade?: unknown;
}

/** The same with the body that was to be made. */
export function withLongBody({ status, headers, errorCode }: HttpResponse, body: LongBody): HttpResponse {
  return { status, headers: { ...headersOfBody(body.bytes), ...headers }, body, errorCode };
}

/** What a response takes of the memory, in bytes. */
export function sizeOfResponse({ body }: HttpResponse): number {
  if (body === null) return 0;
  return typeof body === 'string' ? sizeOfText(body) : body.bytes;
}

const headersOfBody = (bytes: number): Record<string, string> => ({
  'Content-Type': 'application/json',
  'Content-Length': String(bytes),
});

/** What the journal records for a request whose connection was broken before anything happened. */
export const noResponse: HttpResponse = { status: 0, headers: {}, body: null, errorCode: null };

type Parts = Pick<SandboxContext, 'settings' | 'version'>;

/** The headers that a page in a browser may read: with `--strict`, and without. */
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
  'X-Sandbox-Fault-Applied',
  'Idempotency-Replayed',
].join(', ');

/** The response to an executed request: its operation's result, or the refusal that its scenario scripts. */
export function responseTo(parts: Parts, request: ExecutedRequest, result: OperationResult | ApiError): HttpResponse {
  if (result instanceof ApiError) return errorResponse(parts, request, request.entered, result);
  const { entered, route } = request;
  const { faults } = request.controls;
  if (faults?.substitute) return substituted(parts, request, entered, faults.substitute);
  const usual = assumedForm(route.contract, entered.assumptions, result);
  const shown = faults ? drifted(route.contract, faults.drift, usual) : usual;
  const { status } = shown;
  // What is to be broken is made at once.
  const isWhole = faults !== null || request.controls.fault !== null;
  const body = shown.body === undefined ? null : isWhole ? JSON.stringify(shown.body) : shortJson(shown.body);
  const assumptions = route.contract.assumptionsOf(status);
  const assumed = request.outcome.replayed ? [assumptions, 'idempotency'].filter(Boolean).join(', ') : assumptions;
  const draft = { status, body: body ?? null, assumed, errorCode: null, ownHeaders: null };
  const response = withStandardHeaders(parts, request, entered, draft);
  return body === undefined ? { ...response, toBeMade: shown.body } : response;
}

/** The response to a request that failed at any stage. */
export function errorResponse(
  parts: Parts,
  request: AnyStage,
  identity: RequestIdentity,
  error: ApiError,
): HttpResponse {
  const faults = 'controls' in request ? request.controls.faults : null;
  if (faults?.substitute && 'entered' in request) return substituted(parts, request, identity, faults.substitute);
  return errorAnswer(parts, request, identity, error);
}

/** What comes in place of any response to a request that has met such a fault. */
function substituted(
  parts: Parts,
  request: AuthenticatedRequest,
  identity: RequestIdentity,
  substitute: Substitute,
): HttpResponse {
  if ('respond' in substitute) return rawResponse(parts, request, identity, substitute.respond);
  return errorAnswer(parts, request, identity, injectedError(request, substitute.error));
}

/** The response to a request that ends before it has any effect; null if its connection breaks. */
export function responseBefore(parts: Parts, request: AnyStage, identity: RequestIdentity): HttpResponse | null {
  if (!('entered' in request)) return null;
  const substitute = request.controls.faults?.substitute;
  return substitute ? substituted(parts, request, identity, substitute) : null;
}

/** As a gateway before the platform sends it: no envelope, and none of the platform's headers. */
function rawResponse(
  { settings, version }: Parts,
  request: AuthenticatedRequest,
  identity: RequestIdentity,
  answer: RawAnswer,
): HttpResponse {
  const { status, headers: given = {} } = answer;
  const { body, type } = rawBody(answer);
  const headers: Record<string, string> = { 'Access-Control-Allow-Origin': '*' };
  const typed = Object.keys(given).some((name) => name.toLowerCase() === 'content-type');
  if (type !== null && !typed) headers['Content-Type'] = type;
  if (status !== 204 && status !== 304) headers['Content-Length'] = String(Buffer.byteLength(body ?? ''));
  for (const [name, value] of Object.entries(given)) headers[name] = String(value);
  if (!settings.strict) addSandboxHeaders(headers, version, request, identity, '');
  if (mayLeaveBytes(request)) headers.Connection = 'close';
  return { status, headers, body, errorCode: null };
}

function errorAnswer(parts: Parts, request: AnyStage, identity: RequestIdentity, error: ApiError): HttpResponse {
  const { code, status, detail } = error;
  const onCalls = 'route' in request && request.route.implementation.placesCalls === true;
  const envelope: unknown = errorEnvelope(error, addressOf(request.received.req), onCalls);
  const drift = ('controls' in request && request.controls.faults?.drift) || [];
  const shown = 'route' in request ? drifted(request.route.contract, drift, { status, body: envelope }).body : envelope;
  const body = JSON.stringify(shown);
  const ownHeaders = { ...detail.headers };
  if (status === 429) ownHeaders['Retry-After'] ??= '1';
  const extra = allErrors[code].channel === 'sandbox' ? 'extra_error_codes' : '';
  const assumed = [...new Set([detail.assumption, extra].filter(Boolean))].join(', ');
  return withStandardHeaders(parts, request, identity, { status, body, assumed, errorCode: code, ownHeaders });
}

/** The envelope of `spec.md` "Errors"; with the code's category on requests that place calls. */
export function errorEnvelope(error: ApiError, address: string, onCalls = false): object {
  const { code, message, hint, detail } = error;
  const category = onCalls && !detail.uncategorized ? categoryOnCalls(code) : undefined;
  return {
    error: {
      code,
      message,
      resolution_hint: hint,
      ...(detail.fields ? { fields: detail.fields } : {}),
      doc_url: `${address}/docs/errors#${code}`,
      ...(category ? { category } : {}),
    },
  };
}

/** A response before the standard headers. */
interface Draft extends Pick<HttpResponse, 'status' | 'errorCode'> {
  readonly body: string | null;
  /** The value of `X-Sandbox-Assumptions`: the assumptions that the response rests on; may be empty. */
  readonly assumed: string;
  readonly ownHeaders: Readonly<Record<string, string>> | null;
}

function withStandardHeaders(
  parts: Parts,
  request: AnyStage,
  identity: RequestIdentity,
  { status, body, assumed, errorCode, ownHeaders }: Draft,
): HttpResponse {
  const { strict } = parts.settings;
  const headers: Record<string, string> = body === null ? {} : headersOfBody(Buffer.byteLength(body));
  headers['Access-Control-Allow-Origin'] = '*';
  headers['Access-Control-Expose-Headers'] = strict ? exposedByPlatform : exposed;
  if ('entered' in request && (status < 300 || status === 429)) addRateHeaders(headers, request.entered.rate);
  if (ownHeaders) Object.assign(headers, ownHeaders);
  if (!strict) addSandboxHeaders(headers, parts.version, request, identity, assumed);
  if (mayLeaveBytes(request)) headers.Connection = 'close';
  return { status, headers, body, errorCode };
}

// Most requests of a client have the same ones, at least within a millisecond; the journals keep them.
const policyOf = latestOf((limit: number) => `"default";q=${limit};w=60`);
const resetOf = latestOf<number>(String);

function addRateHeaders(headers: Record<string, string>, rate: RateStatus): void {
  headers.RateLimit = `"default";r=${rate.remaining};t=${rate.secondsLeft}`;
  headers['RateLimit-Policy'] = policyOf(rate.limit);
  headers['X-RateLimit-Limit'] = String(rate.limit);
  headers['X-RateLimit-Remaining'] = String(rate.remaining);
  headers['X-RateLimit-Reset'] = resetOf(rate.resetAt);
}

function addSandboxHeaders(
  headers: Record<string, string>,
  version: string,
  request: AnyStage,
  { world, id }: RequestIdentity,
  assumed: string,
): void {
  headers['X-Sandbox-Version'] = version;
  if (id !== null) headers['X-Sandbox-Request-Id'] = id;
  if (world !== null) {
    headers['X-Sandbox-World'] = 'entered' in request && request.entered.recreated ? `${world};recreated` : world;
  }
  const outcome = 'outcome' in request ? request.outcome : null;
  if (outcome?.selection) headers['X-Sandbox-Scenario'] = outcome.selection.name;
  if (assumed !== '') headers['X-Sandbox-Assumptions'] = assumed;
  const faults = 'controls' in request ? request.controls.faults : null;
  if (faults) headers['X-Sandbox-Fault-Applied'] = faults.applied.map((fault) => fault.id).join(', ');
  if (outcome?.replayed) headers['Idempotency-Replayed'] = 'true';
}
