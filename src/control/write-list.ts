// Writes long lists in turns with the background work of all worlds, and no faster than the client reads: a page of the
// request journal can be 128 MB.
import type { ServerResponse } from 'node:http';
import type { Turns } from '../scheduler/turns.ts';

/** Lists with fewer items are short. */
const LONG = 20;
/** How much is written at once; a list that takes no more has a Content-Length. */
const PART_LENGTH = 256 * 1024;

export const isLong = (data: unknown): data is readonly unknown[] => Array.isArray(data) && data.length >= LONG;

export async function writeList(
  res: ServerResponse,
  status: number,
  data: readonly unknown[],
  meta: unknown,
  { turns, world }: { readonly turns: Turns; readonly world: string },
): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  let text = '{"data":[';
  for (const [index, item] of data.entries()) {
    if (turns.isOver) await turns.next(world);
    text += turns.work(() => `${index === 0 ? '' : ','}${JSON.stringify(item)}`, world);
    if (text.length < PART_LENGTH) continue;
    if (res.destroyed) return;
    if (!res.headersSent) res.writeHead(status, headers);
    if (!res.write(text)) await readOrGone(res);
    text = '';
  }
  text += meta === undefined ? ']}' : `],"meta":${JSON.stringify(meta)}}`;
  if (res.destroyed) return;
  if (!res.headersSent) res.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) });
  res.end(text);
}

/** Resolves when what was written has been read, or its client has gone. */
export function readOrGone(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      res.off('drain', settle).off('close', settle);
      resolve();
    };
    res.on('drain', settle).on('close', settle);
  });
}
