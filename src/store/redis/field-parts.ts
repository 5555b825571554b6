// The name of a field, such as `r:calls:6f1c…`: what kind of value it has, and up to two more parts.
import type { TableName } from '../../model.ts';

export interface FieldParts {
  readonly kind: string;
  /** Of a table, a journal, a counter, …; empty where the kind says all. */
  readonly name: string;
  /** Such as an id, which may have colons. */
  readonly rest: string;
}

/** Without lists: a replica reads these names more often than anything else. */
export function partsOf(field: string): FieldParts {
  const first = field.indexOf(':');
  if (first < 0) return { kind: field, name: '', rest: '' };
  const kind = field.slice(0, first);
  const second = field.indexOf(':', first + 1);
  if (second < 0) return { kind, name: field.slice(first + 1), rest: '' };
  return { kind, name: field.slice(first + 1, second), rest: field.slice(second + 1) };
}

export interface RecordName {
  readonly table: TableName;
  readonly id: string;
}
