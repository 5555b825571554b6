// Errors about scopes that the contract does not declare for the whole operation (the ledger's scope_missing_status).
import { assumed } from '../../assumptions/catalogue.ts';
import type { Scope } from '../../contract/document.ts';
import { ApiError, type ErrorDetail } from '../../errors/api-error.ts';
import { insufficientScope } from '../../errors/bearer.ts';
import type { Tx } from '../../store/store.ts';

/** `scope_missing` with the status that the world's ledger sets, and the challenge that names the scopes. */
export function lacksScope(tx: Tx, scopes: readonly Scope[], detail: ErrorDetail): ApiError {
  return new ApiError('scope_missing', {
    ...detail,
    status: Number(assumed(tx.state('assumptions'), 'scope_missing_status')),
    headers: { 'WWW-Authenticate': insufficientScope(scopes) },
  });
}
