// Texts that are kept. A part that V8 cuts out of a text refers to the whole: a name of 20 characters out of a header of 8
// KB keeps these 8 KB in memory, and nobody counts more than the 20.

/** V8 copies shorter parts. */
const SHORTEST_PART = 13;

/** The same text, which keeps no longer one in memory. */
export function ownText(text: string): string {
  if (text.length < SHORTEST_PART) return text;
  const copy = Buffer.from(text, 'latin1').toString('latin1');
  return copy === text ? copy : Buffer.from(text, 'utf16le').toString('utf16le');
}
