// Errors that a control header requests or a scenario scripts, with the fields they have when they occur naturally.
import { ApiError } from './api-error.ts';
import type { ErrorCode } from './catalogue.ts';

const defaultFields: Partial<Record<ErrorCode, Record<string, string>>> = {
  validation_error: { body: 'is refused as if it were invalid' },
  destination_missing: { to_number: 'is refused as if it were missing' },
  destination_invalid: { to_number: 'is refused as if it could not be dialed' },
  call_id_not_verified: { from_number: 'is refused as if it were not verified' },
  texting_not_ready: { reason: 'a2p_registration_required', registration_status: 'none' },
};

export function scriptedError(code: ErrorCode, fields = defaultFields[code]): ApiError {
  return new ApiError(code, fields ? { fields } : {});
}
