// Writes long answers in turns with the background work of all worlds, and no faster than the client reads: a page of the
// request journal can be 128 MB, and the content of a snapshot some 10 MB.
import type { ServerResponse } from 'node:http';
import { isJsonObject } from '../contract/json.ts';
import { readOrGone } from '../http/read-or-gone.ts';
import type { Turns } from '../scheduler/turns.ts';

/** Lists with fewer items are short. */
const LONG = 20;
/** How much is written at once; an answer that takes no more has a Content-Length. */
const PART_LENGTH = 256 * 1024;
/** How deep in an answer lists are that can be long, such as those of the tables in the content of a snapshot. */
export const DEPTH = 3;

/** Whether it is a long list, or has one. */
export function isLong(data: unknown, depth = DEPTH): boolean {
  if (Array.isArray(data)) return data.length >= LONG;
  return depth > 1 && isPlain(data) && Object.values(data).some((each) => isLong(each, depth - 1));
}

export async function writeLong(
  res: ServerResponse,
  status: number,
  data: unknown,
  meta: unknown,
  { turns, world }: { readonly turns: Turns; readonly world: string },
): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  const pieces = piecesOf(meta === undefined ? { data } : { data, meta }, DEPTH + 1);
  let text = '';
  for (;;) {
    if (turns.isOver) await turns.next(world);
    const piece = turns.work(() => pieces.next(), world);
    if (piece.done) break;
    text += piece.value;
    if (text.length < PART_LENGTH) continue;
    if (res.destroyed) return;
    if (!res.headersSent) res.writeHead(status, headers);
    if (!res.write(text)) await readOrGone(res);
    text = '';
  }
  if (res.destroyed) return;
  if (!res.headersSent) res.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) });
  res.end(text);
}

/** The JSON of a value, in a piece for each item of a list that is no deeper. */
function* piecesOf(value: unknown, depth: number): Generator<string> {
  if (Array.isArray(value)) {
    yield '[';
    for (const [index, item] of value.entries()) yield `${index === 0 ? '' : ','}${JSON.stringify(item)}`;
    yield ']';
  } else if (depth > 0 && isPlain(value)) {
    yield '{';
    let comma = '';
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue;
      yield `${comma}${JSON.stringify(name)}:`;
      yield* piecesOf(field, depth - 1);
      comma = ',';
    }
    yield '}';
  } else yield JSON.stringify(value);
}

/** An object that is its own JSON. */
export const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isJsonObject(value) && !('toJSON' in value);
