// One part of a coverage report: which of its items have been met, how often, and which have not.

export interface Section {
  /** How many there are, how many of them were met, and which part that is, rounded down to a tenth. */
  readonly total: number;
  readonly met: number;
  readonly percent: number;
  /** How often each was met, and others that nobody is expected to meet. */
  readonly counts: Readonly<Record<string, number>>;
  readonly not_met: readonly string[];
}

/** `counts` has no zeros. */
export function sectionOf(names: readonly string[], counts: ReadonlyMap<string, number>): Section {
  const missing = names.filter((name) => !counts.has(name));
  const met = names.length - missing.length;
  const percent = names.length === 0 ? 100 : Math.floor((met * 1000) / names.length) / 10;
  return { total: names.length, met, percent, counts: Object.fromEntries(counts), not_met: missing };
}

/** How often each of these names was met, by the name of its fact; those that were not are left out. */
export function countsOf<Name extends string>(
  counts: ReadonlyMap<string, number>,
  names: readonly Name[],
  factOf: (name: Name) => string,
): Map<string, number> {
  const found = new Map<string, number>();
  for (const name of names) {
    const count = counts.get(factOf(name));
    if (count !== undefined) found.set(name, count);
  }
  return found;
}
