// What has changed since it was last taken. Most of what a commit looks at has not: an empty set is left as it is, since to
// clear one costs as much as to make one.

/** Takes what is in a set; null is a set that nobody takes. */
export function takeAll<T>(changed: Set<T> | null): readonly T[] {
  if (changed === null || changed.size === 0) return [];
  const all = [...changed];
  changed.clear();
  return all;
}

/** Forgets what is in a set: whoever would take it knows it. */
export function forgetAll(changed: Set<unknown> | null): void {
  if (changed !== null && changed.size > 0) changed.clear();
}
