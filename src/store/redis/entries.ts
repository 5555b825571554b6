// A journal entry as Redis has it: a line with all that is known of it without its contents, and then the contents. A copy
// that takes entries over gets that line alone, and asks for the contents when they are needed, which is seldom: a replica
// has those that it appended itself. Of what is not finished it gets all.
import TinyQueue from 'tinyqueue';
import type { JournalName, Journals } from '../../model.ts';
import { journalNames, type WorldJournals } from '../memory/journals.ts';
import type { Outline } from '../memory/outline.ts';
import { partsOf } from './field-parts.ts';
import { parsed } from './replies.ts';

/** What begins the field of an entry. */
const FIELD = 'j:';

export const fieldOf = (journal: JournalName, id: string): string => `${FIELD}${journal}:${id}`;
export const isEntryField = (field: string): boolean => field.startsWith(FIELD);

export interface Received {
  readonly journal: JournalName;
  readonly id: string;
  /** Null for an entry that is gone. */
  readonly outline: Outline | null;
  /** As JSON; null if it is elsewhere. */
  readonly contents: string | null;
}

/** The scripts know the first letter, and where the line ends. */
export function writeEntry({ isOpen, order, began, position, bytes, at }: Outline, entry: object): string {
  return `${isOpen ? 'o' : 'c'} ${order} ${began} ${position} ${bytes} ${at}\n${JSON.stringify(entry)}`;
}

/** Undefined for the field of a journal that this version does not know. */
export function readEntry(field: string, value: string | null): Received | undefined {
  const { name, rest: id } = partsOf(field);
  const journal = journalNames.find((each) => each === name);
  if (!journal) return undefined;
  if (value === null) return { journal, id, outline: null, contents: null };
  const lineEnd = value.indexOf('\n');
  const [letter, order, began, position, bytes, at = ''] = value.slice(0, lineEnd < 0 ? undefined : lineEnd).split(' ');
  const isOpen = letter === 'o';
  const outline = {
    id,
    at,
    order: Number(order),
    began: Number(began),
    position: Number(position),
    bytes: Number(bytes),
    isOpen,
  };
  return { journal, id, outline, contents: lineEnd < 0 ? null : value.slice(lineEnd + 1) };
}

/** Takes entries over in the order in which they were appended or amended last, in which a journal drops them; in pieces. */
export function* receiveEntries(journals: WorldJournals, received: readonly Received[]): Generator<void, void> {
  const placeOf = ({ outline }: Received): number => outline?.position ?? 0;
  // A heap, since sorting very many entries takes longer than requests may wait.
  const left = new TinyQueue([...received], (a, b) => placeOf(a) - placeOf(b));
  for (let next = left.pop(); next; next = left.pop()) {
    receiveEntry(journals, next.journal, next);
    yield;
  }
}

function receiveEntry<Name extends JournalName>(journals: WorldJournals, name: Name, received: Received): void {
  const { id, outline, contents } = received;
  const journal = journals.of(name);
  if (!outline) return journal.lose(id);
  const entry: Journals[Name] | null = contents === null ? null : parsed(contents);
  journal.receive(outline, entry);
}

/** Takes over the contents of an entry whose outline is known. */
export function receiveContents(journals: WorldJournals, { journal, contents }: Received): void {
  if (contents !== null) journals.of(journal).receiveContents(parsed(contents));
}
