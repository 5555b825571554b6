// How a text is split into segments: septets of GSM 03.38 if its tables have every character, else code units of UCS-2
// (assumption message_segments). Of the 140 octets of a segment, a header takes six if there are several. The library
// that counts them needs 10 ms for a long text, and a page of the list has up to a hundred.
import type { Schemas } from '../../contract/document.ts';

type Encoding = Schemas['Message']['encoding'];

const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
/** Each is written as an escape and a character. */
const EXTENSION = '\f^{}\\[~]|€';

const septets = new Map([
  ...[...BASIC].map((character) => [character, 1] as const),
  ...[...EXTENSION].map((character) => [character, 2] as const),
]);

/** The units of a single segment, and of one among several; the units of a character, which are never split. */
const room: Record<Encoding, { alone: number; joined: number; unitsOf: (character: string) => number }> = {
  'GSM-7': { alone: 160, joined: 153, unitsOf: (character) => septets.get(character) ?? 1 },
  'UCS-2': { alone: 70, joined: 67, unitsOf: (character) => character.length },
};

export function splitOf(text: string): Pick<Schemas['Message'], 'encoding' | 'segments'> {
  const encoding = encodingOf(text);
  return { encoding, segments: segmentsIn(text, encoding) };
}

function encodingOf(text: string): Encoding {
  for (const character of text) if (!septets.has(character)) return 'UCS-2';
  return 'GSM-7';
}

function segmentsIn(text: string, encoding: Encoding): number {
  const { alone, joined, unitsOf } = room[encoding];
  let whole = 0;
  let segments = 1;
  let taken = 0;
  for (const character of text) {
    const units = unitsOf(character);
    whole += units;
    if (taken + units > joined) {
      segments += 1;
      taken = 0;
    }
    taken += units;
  }
  return whole <= alone ? 1 : segments;
}
