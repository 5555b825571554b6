// Splits a text into segments: septets of GSM 03.38 if its tables have every character, else code units of UCS-2
// (assumption message_segments). A segment has 140 octets, of which a header takes six if there are several. It is
// computed here because the usual library takes 10 ms for a long text, and a page can list a hundred of them.
import type { Schemas } from '../../contract/document.ts';

type Encoding = Schemas['Message']['encoding'];

const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
/** Each is encoded as an escape and a character. */
const EXTENSION = '\f^{}\\[~]|€';

const septets = new Map([
  ...[...BASIC].map((character) => [character, 1] as const),
  ...[...EXTENSION].map((character) => [character, 2] as const),
]);

/** The units of a single segment, and of one among several; the units of a character, which are never split. */
const capacity: Record<Encoding, { alone: number; joined: number; unitsOf: (character: string) => number }> = {
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
  const { alone, joined, unitsOf } = capacity[encoding];
  let total = 0;
  let segments = 1;
  let used = 0;
  for (const character of text) {
    const units = unitsOf(character);
    total += units;
    if (used + units > joined) {
      segments += 1;
      used = 0;
    }
    used += units;
  }
  return total <= alone ? 1 : segments;
}
