// Any text for properties: characters of every plane, by their code points.
import fc from 'fast-check';

const between = (min: number, max: number): fc.Arbitrary<string> =>
  fc.integer({ min, max }).map((point) => String.fromCodePoint(point));

/** Any code point but half of a surrogate pair. fast-check's own `binary` lists all 1.1 million of them first. */
const character = fc.oneof(
  { weight: 11, arbitrary: between(0, 0xd7ff) },
  { weight: 209, arbitrary: between(0xe000, 0x10ffff) },
);

export const anyText = (maxLength: number): fc.Arbitrary<string> => fc.string({ unit: character, maxLength });
