// A timeline as text for a terminal: aligned columns, effects indented below their causes.
import type { Timeline } from './timeline.ts';
import { formatOffset, headingOf, linesOf } from './words.ts';

/** A line that is longer has its id behind it all the same, out of line. */
const WIDEST = 72;

/** What a terminal would take as a command, or as the end of the line. */
const controls = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
const printable = (text: string): string => text.replace(controls, ' ');

export function timelineText(timeline: Timeline): string {
  const lines = linesOf(timeline).map(({ kind, offset_ms, depth, words, id }) => ({
    offset: formatOffset(offset_ms),
    kind,
    words: printable('  '.repeat(Math.min(depth, 8)) + words),
    id,
  }));
  const offsets = Math.max(0, ...lines.map(({ offset }) => offset.length));
  const widths = lines.filter(({ id }) => id !== '').map(({ words }) => Math.min(words.length, WIDEST));
  const width = Math.max(0, ...widths);
  const rows = lines.map(({ offset, kind, words, id }) =>
    `${offset.padStart(offsets)}  ${kind.padEnd(8)}  ${id === '' ? words : words.padEnd(width)}  ${id}`.trimEnd(),
  );
  const [about = '', ...why] = headingOf(timeline).map(printable);
  const began = timeline.began_at === null ? 'Nothing has happened to it.' : `began at ${timeline.began_at}`;
  return [about, ...why.map((line) => `  ${line}`), `  ${began}`, ...(rows.length > 0 ? ['', ...rows] : []), ''].join(
    '\n',
  );
}
