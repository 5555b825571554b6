// The only error that handlers throw: everything that reaches a client as an error envelope is an ApiError (`spec.md`
// "Errors"). Anything else that is thrown is a bug and becomes `internal_error`.
import { type AnyCode, allErrors, type ErrorRow } from './catalogue.ts';
import { QuickError } from './quick-error.ts';

/** Faults that an error lists; a small body can have tens of thousands. */
const MAX_FAULTS = 100;

export interface ErrorDetail {
  /** Replaces the catalogue's message. */
  message?: string;
  /** Replaces the catalogue's hint. */
  hint?: string;
  /** One sentence per request field; nested fields are dotted (`details.ein`), headers have their own name. */
  fields?: Record<string, string>;
  /** How many faults `fields` leaves out; the message says so. */
  unlisted?: number;
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

export class ApiError extends QuickError {
  readonly code: AnyCode;
  readonly status: number;
  readonly hint: string;
  readonly detail: ErrorDetail;

  constructor(code: AnyCode, given: ErrorDetail = {}) {
    const row: ErrorRow = allErrors[code];
    const detail = given.fields ? withinLimit(given, given.fields) : given;
    const { message = row.message, unlisted = 0 } = detail;
    super(
      unlisted === 0
        ? message
        : `${message} ${unlisted} more ${unlisted === 1 ? 'fault is' : 'faults are'} not listed.`,
    );
    this.code = code;
    this.status = detail.status ?? row.status ?? 500;
    this.hint = detail.hint ?? row.hint;
    this.detail = detail;
  }
}

/** Leaves out the faults past the limit. */
function withinLimit(detail: ErrorDetail, fields: Record<string, string>): ErrorDetail {
  const names = Object.keys(fields);
  if (names.length <= MAX_FAULTS) return detail;
  const listed = Object.entries(fields).slice(0, MAX_FAULTS);
  return {
    ...detail,
    fields: Object.fromEntries(listed),
    unlisted: (detail.unlisted ?? 0) + names.length - MAX_FAULTS,
  };
}

/** Faults by field, each field with its first; only those that are listed are put into words. */
export function faultsOf<Fault>(
  faults: Iterable<Fault>,
  nameOf: (fault: Fault) => string,
  describe: (fault: Fault) => string,
): Required<Pick<ErrorDetail, 'fields' | 'unlisted'>> {
  // A map, because a client can call a field `__proto__`.
  const fields = new Map<string, string>();
  const others = new Set<string>();
  for (const fault of faults) {
    const name = nameOf(fault);
    if (fields.has(name)) continue;
    if (fields.size < MAX_FAULTS) fields.set(name, describe(fault));
    else others.add(name);
  }
  return { fields: Object.fromEntries(fields), unlisted: others.size };
}

/** A `validation_error` about one field. */
export function invalidField(
  field: string,
  explanation: string,
  detail: Pick<ErrorDetail, 'hint' | 'assumption'> = {},
): ApiError {
  return new ApiError('validation_error', { fields: { [field]: explanation }, ...detail });
}

/** A `not_found` for an object named in the path. */
export function notFound(noun: string, id: string): ApiError {
  const message = `No ${noun} with id ${quote(id)} exists in this organization.`;
  return new ApiError('not_found', { message, assumption: 'foreign_ids' });
}

/** Formats a client's value for a message: strings in quotes, anything else as JSON, both cut after 80 characters. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const cut = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return typeof value === 'string' ? `"${cut}"` : cut;
}
