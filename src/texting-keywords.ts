// The words with which people opt out of texting and in again (assumption texting_keywords). As with carriers, a text
// counts as a keyword only if it contains nothing else.

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

/** The keyword that a text consists of; undefined for any other text. */
export function textingKeyword(text: string): TextingKeyword | undefined {
  const word = text.trim();
  // The capital of a letter beyond ASCII can be an ASCII letter; `ſtop` does not mean STOP.
  return /^[A-Za-z]+$/.test(word) ? keywords.get(word.toUpperCase()) : undefined;
}
