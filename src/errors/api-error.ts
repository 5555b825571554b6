// The one error that handlers throw. Everything that reaches a client as an error envelope is one of these; whatever
// else is thrown is a bug and becomes `internal_error`.
import { type AnyCode, allErrors, type ErrorRow } from './catalogue.ts';

export interface ErrorDetail {
  /** Instead of the catalogue's message. */
  message?: string;
  /** Instead of the catalogue's recovery step. */
  hint?: string;
  /** Request field to explanation; nested fields dotted, headers by their name. */
  fields?: Record<string, string>;
  /** Not about a call, even where calls are placed and its code has a category there. */
  aboutNoCall?: true;
  status?: number;
  headers?: Record<string, string>;
  /** The assumption of the ledger that this answer rests on. */
  assumption?: string;
}

export class ApiError extends Error {
  readonly code: AnyCode;
  readonly status: number;
  readonly hint: string;
  readonly detail: ErrorDetail;

  constructor(code: AnyCode, detail: ErrorDetail = {}) {
    const row: ErrorRow = allErrors[code];
    super(detail.message ?? row.message);
    this.code = code;
    this.status = detail.status ?? row.status ?? 500;
    this.hint = detail.hint ?? row.hint;
    this.detail = detail;
  }
}

/** `validation_error` about one field. */
export function invalidField(field: string, explanation: string, hint?: string): ApiError {
  return new ApiError('validation_error', { fields: { [field]: explanation }, ...(hint ? { hint } : {}) });
}

/** `not_found` about an object named in the path. */
export function notFound(noun: string, id: string): ApiError {
  return new ApiError('not_found', { message: `There is no ${noun} ${quote(id)} in this organization.` });
}

/** A client's value as an error message may show it: a text in quotes, anything else as JSON; cut where it is long. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const cut = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return typeof value === 'string' ? `"${cut}"` : cut;
}
