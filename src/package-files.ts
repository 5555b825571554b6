// The paths of the package's own files. This module must stay at the top of `src/`: the build puts all code at the top
// of `dist/`, and both are one level below the package's root.

/** A file or folder of the package, by its path from the package's root. */
export const packageFile = (path: string): URL => new URL(`../${path}`, import.meta.url);

/** A data file at the top of `src/`, which the build copies to `dist/`. */
export const dataFile = (name: string): URL => new URL(name, import.meta.url);
