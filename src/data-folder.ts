// Which entries of a folder of scenario or fixture files are read, and which are ignored.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const dataFile = /\.(yaml|yml|json)$/;

/** Whether a path or the name of a file says that it holds YAML or JSON. */
export const isDataFile = (path: string): boolean => dataFile.test(path);

export interface DataFile {
  /** The file's name without its extension. */
  readonly name: string;
  readonly file: string;
}

/** The YAML and JSON files directly in a folder, in the order of their names. Throws if the folder cannot be read. */
export function dataFilesIn(folder: string): DataFile[] {
  return entriesOf(folder)
    .filter((file) => isDataFile(file) && !isFolder(folder, file))
    .map((file) => ({ name: file.replace(dataFile, ''), file }));
}

/** What else is in a folder, hidden files apart; folders end in a slash. */
export function ignoredIn(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    if (isFolder(folder, entry)) return `${entry}/`;
    return isDataFile(entry) ? [] : entry;
  });
}

/** Without hidden files, which are those of editors and of mounts. */
const entriesOf = (folder: string): string[] =>
  readdirSync(folder)
    .sort()
    .filter((entry) => !entry.startsWith('.'));

/** False for a file that was deleted after the folder was listed. */
function isFolder(folder: string, entry: string): boolean {
  return statSync(join(folder, entry), { throwIfNoEntry: false })?.isDirectory() ?? false;
}
