// A response as the platform may send it after a change without notice (`drift` of a fault): it means the same, but
// only a tolerant parser reads it.
import type { Operation } from '../contract/document.ts';
import type { OperationResult } from '../engine/operation.ts';
import type { Drift } from '../model.ts';

/** Hours west of UTC, as in New York in winter. */
const OFFSET_HOURS = 5;

export function drifted(contract: Operation, drift: readonly Drift[], result: OperationResult): OperationResult {
  const { status } = result;
  let { body } = result;
  for (const each of drift) {
    switch (each) {
      case 'timestamps_offset':
        body = contract.timestampsOf(status)?.(body, withOffset) ?? body;
        break;
      case 'unknown_enum':
        body = contract.unknownEnumsOf(status)?.(body) ?? body;
        break;
      case 'extra_fields':
        body = contract.extraFieldsOf(status)?.(body) ?? body;
        break;
      default:
        each satisfies never;
    }
  }
  return { status, body };
}

/** The same instant in the time of another place. */
function withOffset(timestamp: string): string {
  const at = Date.parse(timestamp);
  if (Number.isNaN(at)) return timestamp;
  const local = new Date(at - OFFSET_HOURS * 3_600_000).toISOString();
  const [seconds = '', fraction = ''] = local.slice(0, -1).split('.');
  return `${seconds}${timestamp.includes('.') ? `.${fraction}` : ''}-0${OFFSET_HOURS}:00`;
}
