// Distinguishes errors that clients are told about from bugs.
import { ApiError } from '../errors/api-error.ts';
import { StoreAway } from '../store/store-away.ts';

/** The error that answers a request; undefined if `error` is a bug, which is to be logged and answered as `internal_error`. */
export function clientErrorOf(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (!(error instanceof StoreAway)) return undefined;
  return new ApiError('internal_error', {
    status: 503,
    message: `The store is not available: ${error.reason}.`,
    hint: 'Try again in a moment, with the same idempotency key: whether the request had an effect is not known.',
    headers: { 'Retry-After': '1' },
  });
}
