// Opt-outs from texting, each a record while it lasts, and the keywords by which people opt out and in. As with the
// carriers, a text counts only if it is nothing but the keyword.

export type TextingKeyword = 'stop' | 'start' | 'help';

const keywords: ReadonlyMap<string, TextingKeyword> = new Map([
  ['STOP', 'stop'],
  ['STOPALL', 'stop'],
  ['UNSUBSCRIBE', 'stop'],
  ['CANCEL', 'stop'],
  ['END', 'stop'],
  ['QUIT', 'stop'],
  ['OPTOUT', 'stop'],
  ['REVOKE', 'stop'],
  ['START', 'start'],
  ['UNSTOP', 'start'],
  ['YES', 'start'],
  ['HELP', 'help'],
  ['INFO', 'help'],
]);

/** What a text asks for; undefined for a text that is not a keyword. */
export function textingKeyword(text: string): TextingKeyword | undefined {
  const word = text.trim();
  // The capital of a letter beyond ASCII can be an ASCII letter; `ſtop` does not mean STOP.
  return /^[A-Za-z]+$/.test(word) ? keywords.get(word.toUpperCase()) : undefined;
}

/** The id of the record that a person has opted out of texts from a number. */
export const optOutId = (own: string, person: string): string => `${own} ${person}`;
