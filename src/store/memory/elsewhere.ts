// The content of a record that a copy of its world does not have: a store across a network keeps what is large apart, and
// brings it where it is read.
import type { Row, TableName } from '../../model.ts';

/** Stands in place of the content. */
export class Elsewhere {
  /** By what the store finds it. */
  readonly ref: string;
  /** How many bytes it has; 0 for what says so itself. */
  readonly length: number;

  constructor(ref: string, length: number) {
    this.ref = ref;
    this.length = length;
  }
}

export const isElsewhere = (row: Row<TableName> | undefined): boolean =>
  row !== undefined && 'content' in row && row.content instanceof Elsewhere;
