// The body of a long answer, such as a page of 100 contacts with 240 KB of metadata each: JSON of 24 MB, which is made, hashed
// and sent in parts.
import { createHash } from 'node:crypto';
import { isJsonObject } from '../contract/json.ts';

/** Answers with more characters are long. */
const LONG = 256 * 1024;
/** How many items are written before it is seen whether an answer is long. */
const AT_ONCE = 4;
/** How long a part is, but for the item that ends it. */
const PART_LENGTH = 64 * 1024;

export interface LongBody {
  readonly parts: readonly Buffer[];
  readonly bytes: number;
  readonly sha256: string;
}

export const isLongBody = (body: object | string): body is LongBody => typeof body === 'object' && 'parts' in body;

/** A page, as handlers return it. */
interface PageBody {
  readonly data: readonly unknown[];
  readonly meta?: unknown;
}

function isPage(body: unknown): body is PageBody {
  if (!isJsonObject(body) || !Array.isArray(body.data)) return false;
  const [first, second, ...others] = Object.keys(body);
  return first === 'data' && (second === undefined || second === 'meta') && others.length === 0;
}

/** The JSON of an answer; undefined for a page that is long, of which no more is written than it takes to see that. */
export function shortJson(body: unknown): string | undefined {
  if (!isPage(body) || body.data.length <= 1) return JSON.stringify(body);
  let text = '';
  for (let from = 0; from < body.data.length; from += AT_ONCE) {
    const items = JSON.stringify(body.data.slice(from, from + AT_ONCE));
    text += `${from === 0 ? '' : ','}${items.slice(1, -1)}`;
    if (text.length > LONG) return undefined;
  }
  return `{"data":[${text}]${endOf(body)}`;
}

/** The JSON of a page in pieces of work, one for each item; `onBytes` is told how much there is. */
export function* longJson(body: unknown, onBytes: (bytes: number) => void): Generator<void, LongBody> {
  if (!isPage(body)) throw new Error('only a page is written in parts');
  const parts: Buffer[] = [];
  const hash = createHash('sha256');
  let bytes = 0;
  let text = '{"data":[';
  const endPart = (): void => {
    const part = Buffer.from(text);
    text = '';
    parts.push(part);
    hash.update(part);
    bytes += part.length;
    onBytes(bytes);
  };
  for (const [index, item] of body.data.entries()) {
    text += `${index === 0 ? '' : ','}${JSON.stringify(item)}`;
    if (text.length >= PART_LENGTH) endPart();
    yield;
  }
  text += `]${endOf(body)}`;
  endPart();
  return { parts, bytes, sha256: hash.digest('hex') };
}

const endOf = ({ meta }: PageBody): string => (meta === undefined ? '}' : `,"meta":${JSON.stringify(meta)}}`);

/** The first bytes of a body, at least so many unless it is shorter. */
export function beginningOf({ parts }: LongBody, bytes: number): Buffer {
  const first: Buffer[] = [];
  for (let length = 0, at = 0; length < bytes && at < parts.length; at++) {
    const part = parts[at] ?? Buffer.alloc(0);
    first.push(part);
    length += part.length;
  }
  return Buffer.concat(first);
}
