// Which numbers can be dialled: the first checks of a dial (`interface.md` section 3), before any record is
// read.
import { isJsonObject } from '../../contract/json.ts';
import { e164Form } from '../../e164.ts';
import { ApiError, quote } from '../../errors/api-error.ts';
import { isDialable, isServiceNumber } from '../../number-plan.ts';

/** The assumption that a refusal of a number rests on. */
const DIALABLE = 'dialable_numbers';

/** Returns the number if it can be called; throws otherwise. */
export function checkDestination(value: unknown): string {
  if (value === undefined || value === null || value === '') {
    throw new ApiError('destination_missing', {
      fields: { to_number: 'is required: the number to call, in E.164 form' },
      assumption: DIALABLE,
    });
  }
  if (typeof value === 'string' && isServiceNumber(value)) {
    throw new ApiError('destination_blocked', {
      message: `${quote(value)} is an emergency or special-service number and cannot be called.`,
      assumption: DIALABLE,
    });
  }
  if (typeof value !== 'string' || !isDialable(value)) {
    throw new ApiError('destination_invalid', {
      fields: { to_number: `${quote(value)} is not a dialable number in E.164 form` },
      assumption: DIALABLE,
    });
  }
  return value;
}

/**
 * Throws `validation_error` if a field of a body has a number in E.164 form that no subscriber can have; `participle`
 * says what cannot be done with it. The contract checks the form.
 */
export function checkSubscriber(body: unknown, field: string, participle: string): void {
  const problem = isJsonObject(body) ? subscriberProblem(body[field], participle) : undefined;
  if (problem !== undefined) throw notDialable({ [field]: problem });
}

/** How many numbers are checked at once. */
const AT_ONCE = 25;

/**
 * What is wrong with the numbers in a list, by field, in pieces of work: the rules of other countries take long for
 * thousands of them.
 */
export function* subscriberProblems(
  body: unknown,
  field: string,
  participle: string,
): Generator<void, Record<string, string>> {
  const numbers: unknown = isJsonObject(body) ? body[field] : undefined;
  const problems: Record<string, string> = {};
  for (const [position, number] of Array.isArray(numbers) ? numbers.entries() : []) {
    const problem = subscriberProblem(number, participle);
    if (problem !== undefined) problems[`${field}.${position}`] = problem;
    if (position % AT_ONCE === AT_ONCE - 1) yield;
  }
  return problems;
}

/** A `validation_error` about numbers that no subscriber can have. */
export const notDialable = (fields: Record<string, string>): ApiError =>
  new ApiError('validation_error', { fields, assumption: DIALABLE });

function subscriberProblem(number: unknown, participle: string): string | undefined {
  if (typeof number !== 'string' || !e164Form.test(number) || isDialable(number)) return undefined;
  const reason = isServiceNumber(number) ? 'an emergency or special-service number' : 'not a dialable number';
  return `${quote(number)} is ${reason} and cannot be ${participle}`;
}
