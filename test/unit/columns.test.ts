// Which columns of a table fit a terminal.
import { describe, expect, it } from 'vitest';
import { type Column, cutText, fitColumns } from '../../src/cli/columns.ts';

const columns: readonly Column[] = [
  { heading: 'ID' },
  { heading: 'CREATED', dropped: 2 },
  { heading: 'ANSWER', dropped: 1 },
  { heading: 'TO', least: 10, dropped: 3 },
];
const widths = [10, 8, 6, 30];

describe('columns of a table', () => {
  const fitted: readonly (readonly [available: number, widths: readonly (number | undefined)[]])[] = [
    [Number.POSITIVE_INFINITY, widths],
    [60, widths],
    [59, [10, 8, 6, 29]],
    [40, [10, 8, 6, 10]],
    [39, [10, 8, 6, undefined]],
    [28, [10, 8, 6, undefined]],
    [27, [10, undefined, 6, undefined]],
    [17, [10, undefined, undefined, undefined]],
    [5, [10, undefined, undefined, undefined]],
  ];

  it.each(fitted)('in %i characters are cut, then left out, the least important first', (available, expected) => {
    expect(fitColumns(columns, widths, available)).toEqual(expected);
  });

  it('are cut between characters, which a sign says', () => {
    expect([cutText('abc', 3), cutText('abcd', 3), cutText('😀😀😀', 2)]).toEqual(['abc', 'ab…', '😀…']);
  });
});
