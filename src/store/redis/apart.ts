// Large contents of records are kept apart from their worlds in Redis: they are written and read in pieces, so that no command
// is long, and a copy of the world has them only once they are read. The field of such a record has a line with the name of
// its content, and the record without it.
import type { Row, TableName } from '../../model.ts';
import { StoredBytes } from '../../stored-bytes.ts';
import { Elsewhere } from '../memory/elsewhere.ts';
import type { MemoryWorld } from '../memory/world.ts';
import { definitionOf } from '../tables.ts';
import type { RecordName } from './field-parts.ts';
import { parsed } from './replies.ts';

/** A smaller one is kept with its record. */
const LARGE = 64 * 1024;
/** What begins the value of such a field. */
const MARK = '+';

/** What is to happen to the content of a field with the commit that changes it. */
export interface Apart {
  readonly field: string;
  /** What names it in Redis; empty if the field has none any more. */
  readonly ref: string;
  /** To be written before, unless it was; null if it is elsewhere. */
  readonly content: object | null;
}

interface Known {
  readonly field: string;
  readonly ref: string;
  isWritten: boolean;
}

/** What a copy of a world knows of the contents that are apart. */
export class ApartContents {
  readonly #world: MemoryWorld;
  readonly #newRef: () => string;
  /** By content: it is not written again when its record changes, or a commit has to be repeated. */
  readonly #known = new WeakMap<object, Known>();

  constructor(world: MemoryWorld, newRef: () => string) {
    this.#world = world;
    this.#newRef = newRef;
  }

  /** The value of a record's field, and what is to happen to its content. */
  write<Table extends TableName>(
    table: Table,
    field: string,
    row: Row<Table>,
  ): { readonly value: string; readonly apart: Apart } {
    const content: unknown = 'content' in row ? row.content : null;
    if (content instanceof Elsewhere) {
      const { ref, length } = content;
      return { value: withoutContent(row, ref, length), apart: { field, ref, content: null } };
    }
    const { size } = definitionOf(table);
    if (typeof content !== 'object' || content === null || (size?.(row) ?? 0) < LARGE)
      return { value: JSON.stringify(row), apart: { field, ref: '', content: null } };
    const ref = this.#refOf(field, content);
    const length = content instanceof StoredBytes ? content.length : 0;
    return { value: withoutContent(row, ref, length), apart: { field, ref, content } };
  }

  #refOf(field: string, content: object): string {
    const known = this.#known.get(keyOf(content));
    if (known?.field === field) return known.ref;
    const ref = this.#newRef();
    this.#known.set(keyOf(content), { field, ref, isWritten: false });
    return ref;
  }

  isWritten({ content, ref }: Apart): boolean {
    const known = content && this.#known.get(keyOf(content));
    return !content || (known?.ref === ref && known.isWritten);
  }

  /** Notes whether Redis has it. */
  note({ content, ref }: Apart, isWritten: boolean): void {
    const known = content && this.#known.get(keyOf(content));
    if (known?.ref === ref) known.isWritten = isWritten;
  }

  /** The records whose content transactions needed that the copy does not have. */
  takeWanted(): RecordName[] {
    const world = this.#world;
    return world.tableNames().flatMap((table) =>
      world
        .table(table)
        .takeWanted()
        .map((id) => ({ table, id })),
    );
  }

  /** What names the content of a record that is elsewhere; undefined for others. */
  refOf({ table, id }: RecordName): string | undefined {
    const row = this.#world.table(table).rows.get(id);
    return row && 'content' in row && row.content instanceof Elsewhere ? row.content.ref : undefined;
  }

  /** Takes over the content of such a record, as JSON. */
  receive<Table extends TableName>(table: Table, id: string, content: unknown): void {
    const ref = this.refOf({ table, id });
    const { rows } = this.#world.table(table);
    const row = rows.get(id);
    if (!row || ref === undefined) return;
    const { fromJson } = definitionOf(table);
    const whole: Row<Table> = { ...row, content };
    const received = fromJson ? fromJson(whole) : whole;
    this.#world.table(table).complete(received);
    if ('content' in received && typeof received.content === 'object' && received.content !== null)
      this.#known.set(keyOf(received.content), { field: `r:${table}:${id}`, ref, isWritten: true });
  }
}

/** A body that runs again makes a new record of the same bytes. */
const keyOf = (content: object): object => (content instanceof StoredBytes ? content.buffer : content);

const withoutContent = (row: object, ref: string, length: number): string =>
  `${MARK}${ref} ${length}\n${JSON.stringify({ ...row, content: null })}`;

export const isApart = (value: string): boolean => value.startsWith(MARK);

/** The record of such a field, whose content is elsewhere. */
export function recordApart<Table extends TableName>(value: string): Row<Table> {
  const lineEnd = value.indexOf('\n');
  const [ref = '', length] = value.slice(MARK.length, lineEnd).split(' ');
  return { ...parsed(value.slice(lineEnd + 1)), content: new Elsewhere(ref, Number(length)) };
}
