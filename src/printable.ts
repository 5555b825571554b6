// Makes text from others, such as a receiver, safe to print on a terminal.

/** What a terminal would act on or hide: control characters, and marks that change the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Text that does nothing to a terminal but appear there; line breaks and tabs are kept. */
export const printable = (text: string): string =>
  text.replace(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
