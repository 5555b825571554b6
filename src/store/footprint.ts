// Estimates the memory that stored values take: what a driver counts against the shares of the memory budget. The
// estimate depends on the value alone, so that storing and removing it count the same.

/** A property, and an element of an array. */
const SLOT = 8;
/** An object or an array without its contents. */
const OBJECT = 40;
/** A string without its characters. */
const STRING = 20;
/** A name in what clients make up, which no other record has: it is text, and makes a shape of its own. */
const NAME = 100;
/** The fields of records whose objects have such names. */
const FREE: ReadonlySet<string> = new Set(['metadata', 'respond']);
/** Shorter strings are not searched for characters that double their size. */
const LONG = 256;

/**
 * The bytes of a plain value: its strings, and a flat amount for everything else; as much after a restart, so unset ones take
 * nothing. Names count in what clients make up (`isFree`).
 */
export function sizeOf(value: object, isFree = false): number {
  let bytes = OBJECT;
  if (ArrayBuffer.isView(value)) return bytes + value.byteLength;
  if (Array.isArray(value)) {
    for (const element of value) bytes += sizeOfPart(element, isFree);
    return bytes;
  }
  // Any object can be read by the names of its own properties.
  const fields = value as Readonly<Record<string, unknown>>;
  for (const name in fields) {
    const field = fields[name];
    if (field === undefined) continue;
    bytes += typeof field === 'object' ? sizeOfPart(field, isFree || FREE.has(name)) : sizeOfPart(field, isFree);
    if (isFree) bytes += NAME + sizeOfText(name);
  }
  return bytes;
}

function sizeOfPart(part: unknown, isFree: boolean): number {
  if (typeof part === 'string') return SLOT + STRING + sizeOfText(part);
  return typeof part === 'object' && part !== null ? SLOT + sizeOf(part, isFree) : SLOT;
}

/** The characters of a string: two bytes each if one of them is beyond Latin-1. */
export function sizeOfText(text: string): number {
  return text.length < LONG || !/[^\0-\xff]/.test(text) ? text.length : 2 * text.length;
}
