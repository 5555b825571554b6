// The form of a success that the assumptions of a world can change: its status, its timestamps and the cursor of a last page.
// Operations always return the usual form, which is also what idempotency keeps.
import { type AssumptionValues, assumed } from '../assumptions/catalogue.ts';
import { timestampFormat } from '../assumptions/timestamps.ts';
import type { Operation } from '../contract/document.ts';
import { isJsonObject } from '../contract/json.ts';
import type { OperationResult } from '../engine/operation.ts';

export function assumedForm(
  contract: Operation,
  assumptions: AssumptionValues,
  result: OperationResult,
): OperationResult {
  const status = statusOf(contract, assumptions, result);
  const format = timestampFormat(assumptions);
  const rewrite = format && contract.timestampsOf(status);
  const formatted = format && rewrite ? rewrite(result.body, format) : result.body;
  const body = assumed(assumptions, 'last_cursor') === 'empty' ? withEmptyCursor(formatted) : formatted;
  return body === result.body && status === result.status ? result : { status, body };
}

function statusOf(contract: Operation, assumptions: AssumptionValues, { status }: OperationResult): number {
  const isAlways200 = assumed(assumptions, 'success_statuses') === 'always_200';
  return isAlways200 && contract.successes.includes(200) ? 200 : status;
}

function withEmptyCursor(body: unknown): unknown {
  if (!isJsonObject(body) || !isJsonObject(body.meta) || body.meta.cursor !== null) return body;
  return { ...body, meta: { ...body.meta, cursor: '' } };
}
