// Data of files with a few changes such as people make: a key is left out or misspelt, a value is another.
import fc from 'fast-check';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Words that mean something somewhere in a file, and some that do nowhere. */
const words = [
  ...[
    'busy',
    'ring',
    'complete',
    'deliver',
    'reply',
    'approve',
    'call',
    'sms',
    'QUEUED',
    'BUSY',
    'APPROVED',
    'pending',
  ],
  ...['2s', '2s..4s', '-2h', '$ring', '$', '', 'soon', '03', '3', '+14155550190', 'no_consent', 'new_call', 'answered'],
  ...['inbound', 'svc_acme', 'calls:read', 'America/New_York', 'milliseconds', 'weird'],
];
const keys = [
  ...['timeline', 'timelin', 'branch', 'weight', 'after', 'trigger', 'with', 'text', 'reasons', 'kind', 'expect'],
  ...['record', 'status', 'refuse', 'code', 'times', 'fields', 'owner', 'created', 'name', 'assumptions', 'extra'],
];

const leaf: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...words) },
  { weight: 2, arbitrary: fc.constantFrom<Json[]>(0, 1, -1, 1.5, 502, true, false, null) },
  fc.constantFrom<Json[]>([], {}, ['busy'], [{ after: '1s', trigger: 'ring' }], { text: 'Hi' }, { ring: '2s' }),
);

/** Ways to the objects and arrays in some data, and to what is in them. */
function pathsIn(data: Json, path: readonly string[] = []): string[][] {
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data).flatMap(([key, value]) => [[...path, key], ...pathsIn(value, [...path, key])]);
}

type Change = (object: { [key: string]: Json } | Json[], key: string) => void;

const change: fc.Arbitrary<Change> = fc.oneof(
  leaf.map(
    (value): Change =>
      (object, key) =>
        // A copy: another change may change it.
        Object.assign(object, { [key]: structuredClone(value) }),
  ),
  fc.constant<Change>((object, key) => {
    if (Array.isArray(object)) object.splice(Number(key), 1);
    else delete object[key];
  }),
  fc.tuple(fc.constantFrom(...keys), leaf).map(
    ([added, value]): Change =>
      (object) => {
        if (Array.isArray(object)) object.push(structuredClone(value));
        else object[added] = structuredClone(value);
      },
  ),
);

/** The data with up to three changes. */
export function changed(data: Json): fc.Arbitrary<Json> {
  const one = fc.tuple(fc.nat(), change);
  return fc.array(one, { maxLength: 3 }).map((changes) => {
    const copy = structuredClone(data);
    for (const [place, apply] of changes) {
      const paths = pathsIn(copy);
      const path = paths[place % Math.max(1, paths.length)];
      if (!path) continue;
      // A path of `pathsIn` leads through objects and arrays alone.
      const object = path.slice(0, -1).reduce((inner, key) => (inner as Record<string, Json>)[key] as Json, copy);
      apply(object as Json[], path.at(-1) ?? '');
    }
    return copy;
  });
}
