// Which columns of a table fit a narrow terminal, and how wide they are. Output that is not a terminal is never cut.

export interface Column {
  readonly heading: string;
  /** On a terminal that is too narrow, cut to no less than this. */
  readonly least?: number;
  /** On a terminal that is narrower still, left out: the highest first. */
  readonly dropped?: number;
}

/** The space between two columns. */
export const GAP = 2;

/** The width of each column; `undefined` for one that is left out. */
export function fitColumns(
  columns: readonly Column[],
  widths: readonly number[],
  available: number,
): readonly (number | undefined)[] {
  const shown: (number | undefined)[] = [...widths];
  for (;;) {
    const cut = cutTo(columns, shown, available);
    if (widthOf(cut) <= available) return cut;
    const least = columns.reduce<number | undefined>((found, { dropped }, index) => {
      if (dropped === undefined || shown[index] === undefined) return found;
      return found === undefined || dropped > (columns[found]?.dropped ?? 0) ? index : found;
    }, undefined);
    if (least === undefined) return cut;
    shown[least] = undefined;
  }
}

/** The widest that may be cut give way first. */
function cutTo(
  columns: readonly Column[],
  widths: readonly (number | undefined)[],
  available: number,
): (number | undefined)[] {
  const cut = [...widths];
  const order = columns.map((_, index) => index).sort((a, b) => (cut[b] ?? 0) - (cut[a] ?? 0));
  for (const index of order) {
    const [width, least] = [cut[index], columns[index]?.least];
    if (width === undefined || least === undefined) continue;
    const excess = Math.max(0, widthOf(cut) - available);
    cut[index] = Math.min(width, Math.max(least, width - excess));
  }
  return cut;
}

function widthOf(widths: readonly (number | undefined)[]): number {
  const shown = widths.filter((width) => width !== undefined);
  return shown.reduce((sum, width) => sum + width, 0) + GAP * Math.max(0, shown.length - 1);
}

/** The text in so many characters; `…` stands for what is left out. */
export function cutText(text: string, width: number): string {
  const letters = [...text];
  return letters.length <= width ? text : `${letters.slice(0, Math.max(0, width - 1)).join('')}…`;
}
