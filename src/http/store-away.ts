// What a request is answered that needs a store which cannot be used now.
import { ApiError } from '../errors/api-error.ts';
import type { StoreAway } from '../store/store-away.ts';

export const awayError = ({ reason }: StoreAway): ApiError =>
  new ApiError('internal_error', {
    status: 503,
    message: `The store is not available: ${reason}.`,
    hint: 'Try again in a moment, with the same idempotency key: whether the request had an effect is not known.',
    headers: { 'Retry-After': '1' },
  });
