// Paths that end in slashes.

/** Without the look behind, each slash of a long row would be tried as its first, which takes a fraction of a second. */
const atEnd = /(?<!\/)\/+$/;

export const withoutEndSlashes = (path: string): string => path.replace(atEnd, '');
