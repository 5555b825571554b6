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

/** The same for a field that has a list of numbers; the error names every one of them. */
export function checkSubscribers(body: unknown, field: string, participle: string): void {
  const numbers = isJsonObject(body) ? body[field] : undefined;
  if (!Array.isArray(numbers)) return;
  const problems = numbers.flatMap((number, position) => {
    const problem = subscriberProblem(number, participle);
    return problem === undefined ? [] : [[`${field}.${position}`, problem]];
  });
  if (problems.length > 0) throw notDialable(Object.fromEntries(problems));
}

const notDialable = (fields: Record<string, string>): ApiError =>
  new ApiError('validation_error', { fields, assumption: DIALABLE });

function subscriberProblem(number: unknown, participle: string): string | undefined {
  if (typeof number !== 'string' || !e164Form.test(number) || isDialable(number)) return undefined;
  const reason = isServiceNumber(number) ? 'an emergency or special-service number' : 'not a dialable number';
  return `${quote(number)} is ${reason} and cannot be ${participle}`;
}
