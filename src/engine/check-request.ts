// Checks a request against the contract, as strictly as the world assumes (`unknown_body_fields`, `page_size_limit`).
import { assumed } from '../assumptions/catalogue.ts';
import type { Operation } from '../contract/document.ts';
import { isJsonObject } from '../contract/json.ts';
import { ApiError, faultsOf } from '../errors/api-error.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import type { Tx } from '../store/store.ts';
import type { RunnableOperation } from './operation.ts';

const MAX_PAGE_SIZE = 100;

/** The parts of a request that the contract describes. */
export interface RequestContent {
  readonly params: Readonly<Record<string, string>>;
  /** Numbers arrive as digits; the validator converts them in place. */
  readonly query: Record<string, unknown>;
  readonly body: unknown;
}

/** Checks a request against the contract; throws `validation_error` with every invalid field. */
export interface RequestValidator {
  check(operation: Operation, request: RequestContent): void;
}

/** Returns the body that the operation gets; `validation_error` with every invalid field. */
export function checkRequest(
  tx: Tx,
  validator: RequestValidator,
  contract: Operation,
  request: RequestContent,
): unknown {
  const assumptions = tx.state('assumptions');
  if (assumed(assumptions, 'page_size_limit') === 'clamped') clampPageSize(request.query);
  const unknownFields = assumed(assumptions, 'unknown_body_fields');
  if (unknownFields === 'specified') {
    validator.check(contract, request);
    return request.body;
  }
  const body = knownFields(contract, request.body);
  validator.check(contract, { ...request, body });
  if (unknownFields === 'refused') refuseOthers(contract, request.body);
  return body;
}

/**
 * The operation's own check of a body, before the contract's. A `validation_error` of it also names what the contract
 * finds wrong with other fields; any other code comes alone.
 */
export function precheck(
  { precheck: own }: RunnableOperation,
  body: unknown,
  prepared: unknown,
  checkOthers: () => unknown,
): void {
  try {
    own?.check(body, prepared);
  } catch (error) {
    throw error instanceof ApiError && error.code === 'validation_error' ? withFaultsOf(error, checkOthers) : error;
  }
}

function withFaultsOf(error: ApiError, check: () => unknown): ApiError {
  try {
    check();
  } catch (other) {
    if (other instanceof ApiError && other.code === 'validation_error') return bothOf(error, other);
    throw other;
  }
  return error;
}

/** The faults of two checks of one request; a field that both name has that of the first. */
function bothOf({ detail }: ApiError, { detail: other }: ApiError): ApiError {
  const assumptions = [detail.assumption, other.assumption].flatMap((names) => names?.split(', ') ?? []);
  return new ApiError('validation_error', {
    ...detail,
    fields: { ...detail.fields, ...other.fields, ...detail.fields },
    unlisted: (detail.unlisted ?? 0) + (other.unlisted ?? 0),
    ...(assumptions.length > 0 && { assumption: [...new Set(assumptions)].join(', ') }),
  });
}

/** Digits, which the validator converts. */
function clampPageSize(query: Record<string, unknown>): void {
  if (/^\d{1,9}$/.test(String(query.page_size)) && Number(query.page_size) > MAX_PAGE_SIZE) {
    query.page_size = String(MAX_PAGE_SIZE);
  }
}

/** A body without the fields that the operation does not have. */
function knownFields({ bodyFields }: Operation, body: unknown): unknown {
  if (!bodyFields || !isJsonObject(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => bodyFields.includes(name)));
}

function refuseOthers({ bodyFields }: Operation, body: unknown): void {
  if (!bodyFields || !isJsonObject(body)) return;
  const others = Object.keys(body).filter((name) => !bodyFields.includes(name));
  if (others.length === 0) return;
  const allowed = bodyFields.length > 0 ? `allowed: ${bodyFields.join(', ')}` : 'it takes none';
  const faults = faultsOf(
    others,
    (name) => name,
    (name) => `is not a field of this operation; ${allowed}${didYouMean(name, bodyFields)}`,
  );
  throw new ApiError('validation_error', { ...faults, assumption: 'unknown_body_fields' });
}
