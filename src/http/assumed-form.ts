// Changes a success response as the assumptions of a world require: its status, its timestamps and the cursor of a last
// page. Operations always return the default form, which is also what idempotency stores.
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
  const rewrite = format && contract.timestampsOf(result.status);
  const formatted = format && rewrite ? rewrite(result.body, format) : result.body;
  const body = assumed(assumptions, 'last_cursor') === 'empty' ? withEmptyCursor(formatted) : formatted;
  return body === result.body && status === result.status ? result : { status, body };
}

/** The specification shows the status of a dial, so it does not rest on the assumption. */
function statusOf(contract: Operation, assumptions: AssumptionValues, { status }: OperationResult): number {
  if (assumed(assumptions, 'success_statuses') !== 'always_200' || (status !== 201 && status !== 202)) return status;
  return contract.assumptionsOf(status).split(', ').includes('success_statuses') ? 200 : status;
}

function withEmptyCursor(body: unknown): unknown {
  if (!isJsonObject(body) || !isJsonObject(body.meta) || body.meta.cursor !== null) return body;
  return { ...body, meta: { ...body.meta, cursor: '' } };
}
