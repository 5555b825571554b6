// What commands print: aligned tables and colors for people, JSON for programs. Colors are for terminals only, and text
// from others is escaped before it reaches a terminal.
import { styleText } from 'node:util';
import { printable } from '../printable.ts';
import { type Column, cutText, fitColumns, GAP } from './columns.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Colored if stdout is a terminal that shows colors. */
export const paint = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout });

export const isTerminal = (): boolean => process.stdout.isTTY === true;

/** What JSON leaves as it is and a terminal acts on becomes an escape, which means the same. */
const jsonOf = (value: unknown, indent?: number): string => printable(JSON.stringify(value, null, indent));

/** One line, or indented for a reader. */
export function printJson(value: unknown): void {
  process.stdout.write(`${jsonOf(value, isTerminal() ? 2 : undefined)}\n`);
}

/** A message of a live command: one line, always. */
export function printJsonLine(value: unknown): void {
  process.stdout.write(`${jsonOf(value)}\n`);
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** For people, beside the output: progress, and what to do next. */
export function note(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}

/** On one line, and nothing that a terminal would act on. */
export const plain = (text: string): string => printable(text.replace(/[\n\t]/g, ' '));

/** The same for a text of several lines. */
export const plainLines = printable;

export interface Cell {
  readonly text: string;
  readonly style?: Style;
}

export type Row = readonly (string | Cell)[];

const cellOf = (cell: string | Cell): Cell => {
  const { text, style } = typeof cell === 'string' ? { text: cell } : cell;
  return { text: plain(text), ...(style && { style }) };
};

const painted = ({ text, style }: Cell, width: number): string => {
  const padded = text + ' '.repeat(Math.max(0, width - text.length));
  return style ? paint(style, padded) : padded;
};

/** How many characters a line of the terminal has; without end where there is none. */
const lineWidth = (): number =>
  isTerminal() ? process.stdout.columns || Number.POSITIVE_INFINITY : Number.POSITIVE_INFINITY;

/** For lines that a narrow terminal would wrap. */
export const isNarrow = (): boolean => lineWidth() < 120;

/** An instant of a world's clock, for lines that come as things happen: on a narrow terminal, the time of day. */
export const timeCell = (at: string): Cell => ({ text: isNarrow() ? at.slice(11, 23) : at, style: 'dim' });

/** A table without lines; the last column is as wide as its texts. On a terminal, it fits. */
export function table(columns: readonly (string | Column)[], rows: readonly Row[]): string {
  const all = columns.map((column): Column => (typeof column === 'string' ? { heading: column } : column));
  const cells = [
    all.map(({ heading }): Cell => ({ text: heading, style: 'bold' })),
    ...rows.map((row) => row.map(cellOf)),
  ];
  const longest = all.map((_, column) => Math.max(...cells.map((row) => row[column]?.text.length ?? 0)));
  const widths = fitColumns(all, longest, lineWidth());
  const fitted = cells.map((row) =>
    row.flatMap((cell, column) => {
      const width = widths[column];
      return width === undefined ? [] : [{ ...cell, text: cutText(cell.text, width) }];
    }),
  );
  const shown = widths.filter((width) => width !== undefined);
  return fitted.map((row) => lineOf(row, shown)).join('\n');
}

/** Cells in columns of these widths, for tables whose rows are printed as they come. */
export function lineOf(row: Row, widths: readonly number[]): string {
  const cells = row
    .map(cellOf)
    .map((cell, column) => painted(cell, column === row.length - 1 ? 0 : (widths[column] ?? 0)));
  return cells.join(' '.repeat(GAP)).trimEnd();
}

/** Names and values, one a line. */
export function fieldList(fields: readonly (readonly [name: string, value: string | Cell])[]): string {
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields.map(([name, value]) => lineOf([{ text: name, style: 'dim' }, value], [width])).join('\n');
}

/** `1 event`, `2 events`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;

/** A list, or a sentence that says there is nothing. */
export const tableOr = (nothing: string, columns: readonly (string | Column)[], rows: readonly Row[]): string =>
  rows.length === 0 ? nothing : table(columns, rows);
