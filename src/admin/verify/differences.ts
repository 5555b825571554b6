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

/** Those that say that another request was made altogether, and those within the request. */
export interface Differences {
  readonly route: readonly Difference[];
  readonly content: readonly Difference[];
}

export function differencesOf(match: RequestMatch, entry: RequestEntry): Differences {
  const { method, path, operation, headers = {}, body } = match;
  const route = [
    ...unless(method === undefined || method.toUpperCase() === entry.method, 'method', method, entry.method),
    ...unless(path === undefined || matchesGlob(path, entry.path), 'path', path, entry.path),
    ...unless(operation === undefined || operation === entry.operation, 'operation', operation, entry.operation),
  ];
  const inHeaders = Object.entries(headers).flatMap(([name, value]) =>
    compared(`headers.${name}`, value, ownValue(entry.request.headers, name.toLowerCase())),
  );
  const inBody = body === undefined ? [] : compared('body', body, bodyOf(entry, body));
  return { route, content: [...inHeaders, ...inBody] };
}

function unless(matches: boolean, field: string, expected: unknown, actual: unknown): Difference[] {
  return matches ? [] : [{ field, expected, actual }];
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

function compared(field: string, expected: unknown, actual: unknown): Difference[] {
  if (isJsonObject(expected) && isJsonObject(actual)) {
    return Object.entries(expected).flatMap(([name, value]) =>
      compared(`${field}.${name}`, value, ownValue(actual, name)),
    );
  }
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return expected.flatMap((value, index) => compared(`${field}.${index}`, value, actual[index]));
  }
  if (expected === actual) return [];
  return [actual === undefined ? { field, expected } : { field, expected, actual }];
}

const ownValue = (object: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;
