// Who gets no texts from which number, as a record that is there or not; and the words by which people say so. Only a
// text that is nothing but the word counts, as with the carriers.

const words = {
  stop: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'OPTOUT', 'REVOKE'],
  start: ['START', 'UNSTOP', 'YES'],
  help: ['HELP', 'INFO'],
} as const;

export type TextingKeyword = keyof typeof words;

const meanings: ReadonlyMap<string, TextingKeyword> = new Map(
  (Object.keys(words) as TextingKeyword[]).flatMap((keyword) => words[keyword].map((word) => [word, keyword] as const)),
);

/** What a text asks for; undefined for one that is no keyword. */
export function textingKeyword(text: string): TextingKeyword | undefined {
  const word = text.trim();
  // Letters beyond ASCII can have capitals within it: `ſtop` is no STOP.
  return /^[A-Za-z]+$/.test(word) ? meanings.get(word.toUpperCase()) : undefined;
}

/** The id of the record by which a person gets no texts from a number, as long as its organization has that. */
export const optOutId = (own: string, person: string): string => `${own} ${person}`;
