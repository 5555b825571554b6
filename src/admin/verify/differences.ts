// How a journaled request differs from the one that a test expects: field by field, with bodies compared in depth.
import { isJsonObject } from '../../contract/json.ts';
import { matchesGlob } from '../../glob.ts';
import type { RequestEntry } from '../../model.ts';

/** Which requests are meant; every field that is given must match. */
export interface RequestMatch {
  /** Case-insensitive. */
  readonly method?: string | undefined;
  /** A glob; without the query. */
  readonly path?: string | undefined;
  readonly operation?: string | undefined;
  /** What a JSON body must contain: objects may have more fields, lists must be as long. A string may be any body. */
  readonly body?: unknown;
  /** Names are case-insensitive. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface Difference {
  /** Dotted, such as `body.to_number`. */
  readonly field: string;
  readonly expected: unknown;
  /** Absent if the request does not have the field. */
  readonly actual?: unknown;
}

/** Those that say that another request was made altogether. */
export function* routeDifferences(
  { method, path, operation }: RequestMatch,
  entry: RequestEntry,
): Generator<Difference> {
  if (method !== undefined && method.toUpperCase() !== entry.method)
    yield { field: 'method', expected: method, actual: entry.method };
  if (path !== undefined && !matchesGlob(path, entry.path)) yield { field: 'path', expected: path, actual: entry.path };
  if (operation !== undefined && operation !== entry.operation)
    yield { field: 'operation', expected: operation, actual: entry.operation };
}

export function* headerDifferences({ headers = {} }: RequestMatch, { request }: RequestEntry): Generator<Difference> {
  for (const [name, value] of Object.entries(headers))
    yield* compared(`headers.${name}`, value, ownValue(request.headers, name.toLowerCase()));
}

export function* bodyDifferences({ body }: RequestMatch, entry: RequestEntry): Generator<Difference> {
  if (body !== undefined) yield* compared('body', body, bodyOf(entry, body));
}

/** As JSON, or as text if it is not JSON or text is expected; undefined if there is none. */
function bodyOf({ request: { body } }: RequestEntry, expected: unknown): unknown {
  if (body === '') return undefined;
  if (typeof expected === 'string') return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** One at a time: a body can have tens of thousands of fields. */
function* compared(field: string, expected: unknown, actual: unknown): Generator<Difference> {
  if (isJsonObject(expected) && isJsonObject(actual)) {
    for (const name of Object.keys(expected))
      yield* compared(`${field}.${name}`, expected[name], ownValue(actual, name));
  } else if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    for (const [index, value] of expected.entries()) yield* compared(`${field}.${index}`, value, actual[index]);
  } else if (expected !== actual) {
    yield actual === undefined ? { field, expected } : { field, expected, actual };
  }
}

const ownValue = (object: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;
