// Folders of scenario or fixture files: which of their entries are read, and which are not.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The name without its extension. Hidden files are those of editors and of mounts. */
const dataFile = /^([^.].*)\.(yaml|yml|json)$/;

export interface DataFile {
  /** The file's name without its extension. */
  readonly name: string;
  readonly file: string;
}

/** The YAML and JSON files directly in a folder, in the order of their names. Throws if the folder cannot be read. */
export function dataFilesIn(folder: string): DataFile[] {
  return readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const name = dataFile.exec(file)?.[1];
      return name === undefined || isFolder(folder, file) ? [] : { name, file };
    });
}

/** What else is in a folder, hidden files apart; folders end in a slash. */
export function ignoredIn(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .filter((entry) => !entry.startsWith('.'))
    .flatMap((entry) => {
      if (isFolder(folder, entry)) return `${entry}/`;
      return dataFile.test(entry) ? [] : entry;
    });
}

/** False for a file that was deleted after the folder was listed. */
function isFolder(folder: string, entry: string): boolean {
  return statSync(join(folder, entry), { throwIfNoEntry: false })?.isDirectory() ?? false;
}
