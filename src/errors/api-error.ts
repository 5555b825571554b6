// The only error that handlers throw: everything that reaches a client as an error envelope is an ApiError (`spec.md`
// "Errors"). Anything else that is thrown is a bug and becomes `internal_error`.
import { type AnyCode, allErrors, type ErrorRow } from './catalogue.ts';

export interface ErrorDetail {
  /** Replaces the catalogue's message. */
  message?: string;
  /** Replaces the catalogue's hint. */
  hint?: string;
  /** One sentence per request field; nested fields are dotted (`details.ein`), headers have their own name. */
  fields?: Record<string, string>;
  /** Omits the call-related category that the code would otherwise have. */
  uncategorized?: true;
  status?: number;
  headers?: Record<string, string>;
  /** The calling rule that refuses a call; the response and the journal name it in place of a scenario. */
  callingRule?: string;
  /** Keeps what the operation has written before it threw, as a success would. */
  keepsEffects?: true;
  /** Names of the assumptions that this error rests on, as the value of one header. */
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

/** A `validation_error` about one field. */
export function invalidField(field: string, explanation: string, hint?: string): ApiError {
  return new ApiError('validation_error', { fields: { [field]: explanation }, ...(hint ? { hint } : {}) });
}

/** A `not_found` for an object named in the path. */
export function notFound(noun: string, id: string): ApiError {
  return new ApiError('not_found', { message: `No ${noun} with id ${quote(id)} exists in this organization.` });
}

/** Formats a client's value for a message: strings in quotes, anything else as JSON, both cut after 80 characters. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const cut = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return typeof value === 'string' ? `"${cut}"` : cut;
}
