// The state file as a database of lowdb. Its adapter checks what it reads, and writes a file that only its owner can
// read and that is either complete or absent.
import { type Adapter, Low } from 'lowdb';
import type { Turns } from '../scheduler/turns.ts';
import type { StateFile } from './form.ts';
import { readStateFile } from './read-file.ts';
import { writeStateFile } from './write-file.ts';

/** `data` is null if there is no file, and between reading and writing, since it can be large. */
export type StateDatabase = Low<StateFile | null>;

/** Nothing is written when `mayReplace` is false. */
export function openDatabase(file: string, turns: Turns, mayReplace: () => boolean): StateDatabase {
  const adapter: Adapter<StateFile | null> = {
    read: async () => readStateFile(file),
    write: async (content) => {
      if (content) await writeStateFile(file, content, turns, mayReplace);
    },
  };
  return new Low(adapter, null);
}
