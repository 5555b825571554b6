// Serves bytes that are generated while they are sent, in full or as one range (RFC 9110, sections 13 and 14).
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../errors/api-error.ts';
import { readOrGone } from '../http/read-or-gone.ts';
import type { RangedBody } from './route.ts';

/** Writes the answer to a GET or HEAD; throws a 416 if the client asks for a range that does not exist. */
export function writeRanged(req: IncomingMessage, res: ServerResponse, body: RangedBody): Promise<void> | void {
  const { length, read } = body;
  const etag = `"${body.tag}"`;
  const headers = {
    'Accept-Ranges': 'bytes',
    ETag: etag,
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Accept-Ranges, Content-Length, Content-Range, ETag',
  };
  if (isNamed(etag, req.headers['if-none-match'])) {
    res.writeHead(304, headers).end();
    return;
  }
  const range = req.method === 'GET' ? rangeIn(req.headers, etag, length) : undefined;
  if (range === 'unsatisfiable') throw noSuchRange(length);
  const { start, end } = range ?? { start: 0, end: length };
  res.writeHead(range ? 206 : 200, {
    ...headers,
    'Content-Type': body.type,
    'Content-Length': end - start,
    ...(range ? { 'Content-Range': `bytes ${start}-${end - 1}/${length}` } : {}),
  });
  if (req.method === 'HEAD') res.end();
  else return writeParts(res, read(start, end));
}

/**
 * No faster than the client reads. Not `pipeline`: its listeners and ours are more than Node takes for a leak, of which it
 * warns on stderr.
 */
async function writeParts(res: ServerResponse, parts: Iterable<Buffer>): Promise<void> {
  for (const part of parts) {
    if (!res.write(part)) await readOrGone(res);
    if (res.destroyed) return;
  }
  res.end();
}

/** Whether If-None-Match names this tag. */
function isNamed(etag: string, named: string | undefined): boolean {
  return named?.split(',').some((each) => ['*', etag, `W/${etag}`].includes(each.trim())) ?? false;
}

/** `end` is the first byte that is not sent. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The range that a client asks for; undefined for all bytes. As the standard allows, several ranges at once are ignored;
 * so is what is not a range, and one of an earlier file (If-Range).
 */
export function rangeIn(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  etag: string,
  length: number,
): ByteRange | 'unsatisfiable' | undefined {
  if (ifRange !== undefined && ifRange !== etag) return undefined;
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(range ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') return inside({ start: Math.max(0, length - Number(last)), end: length });
  if (last !== '' && Number(last) < Number(first)) return undefined;
  return inside({ start: Number(first), end: last === '' ? length : Math.min(length, Number(last) + 1) });
}

const inside = (range: ByteRange): ByteRange | 'unsatisfiable' => (range.start < range.end ? range : 'unsatisfiable');

function noSuchRange(length: number): ApiError {
  return new ApiError('validation_error', {
    status: 416,
    message: `The file has ${length} bytes, and none of them is in the range.`,
    fields: { Range: `must begin before byte ${length}` },
    hint: 'Ask for a range that begins within the file, such as `bytes=0-999`, or leave the header out.',
    headers: { 'Content-Range': `bytes */${length}` },
  });
}
