// The metadata of contacts, which clients make up (assumption contact_metadata).
import { isJsonObject, type JsonObject } from '../../contract/json.ts';

/** V8 takes long over objects with names that no other object has, each time that something goes through them. */
const MAX_NAMES = 1000;

/** What metadata must be, as messages put it. */
export const metadataForm = `an object with at most ${MAX_NAMES.toLocaleString('en')} names, those of the objects in it included`;

export const isMetadata = (value: unknown): value is JsonObject => isJsonObject(value) && namesIn(value) <= MAX_NAMES;

/** How many names a value has, its own and those of the objects in it; counting ends soon after the limit. */
function namesIn(value: unknown): number {
  if (Array.isArray(value)) return countIn(value);
  return isJsonObject(value) ? Object.keys(value).length + countIn(Object.values(value)) : 0;
}

function countIn(values: readonly unknown[]): number {
  let names = 0;
  for (const value of values) if (names <= MAX_NAMES) names += namesIn(value);
  return names;
}
