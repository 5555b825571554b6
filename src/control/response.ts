// Writes the responses of the control API.
import type { ServerResponse } from 'node:http';
import { writeRanged } from './byte-ranges.ts';
import type { ControlResponse } from './route.ts';
import { isLong, writeLong } from './write-long.ts';

/** Statuses whose responses have no body; an inbox may answer with them. */
const withoutBody = [204, 205, 304];

/** Long answers are written in turns of that world. */
export function writeControlResponse(
  res: ServerResponse,
  usual: number,
  response: ControlResponse,
  by: Parameters<typeof writeLong>[4],
): Promise<void> | void {
  if (res.headersSent || res.destroyed) return;
  const { status = usual, data, meta, raw, ranged } = response;
  if (ranged) return writeRanged(res.req, res, ranged);
  if (raw) {
    res.writeHead(status, {
      'Content-Type': raw.type,
      'Content-Length': Buffer.byteLength(raw.content),
      ...(raw.filename === undefined ? {} : downloadHeaders(raw.filename)),
    });
    res.end(raw.content);
    return;
  }
  if (data === undefined || withoutBody.includes(status)) {
    res.writeHead(status).end();
    return;
  }
  if (isLong(data)) return writeLong(res, status, data, meta, by);
  const body = JSON.stringify(meta === undefined ? { data } : { data, meta });
  res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  res.end(body);
}

/** A user's file is downloaded under its name, never rendered as a page of this server. */
function downloadHeaders(filename: string): Record<string, string> {
  // The round trip through bytes replaces lone surrogates, which cannot be encoded; RFC 5987 reserves more characters.
  const name = encodeURIComponent(Buffer.from(filename).toString()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  return { 'Content-Disposition': `attachment; filename*=UTF-8''${name}`, 'X-Content-Type-Options': 'nosniff' };
}
