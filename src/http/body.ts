// Reads request bodies: raw bytes up to a limit, then JSON. The bytes are kept for the journal.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'secure-json-parse';
import { ApiError, invalidField } from '../errors/api-error.ts';
import { sha256InParts } from '../identity/seeded.ts';
import { MAX_DEPTH } from '../yaml-with-locations.ts';
import { endOfString, withoutLongStrings } from './long-strings.ts';

export const BODY_LIMIT = 256 * 1024;
/** A body is in memory as its parts, as a whole, as text and as JSON; the parts and the whole go first. */
const COPIES = 3;
/** The validator's own parser of this header takes quadratic time. */
const MAX_CONTENT_TYPE_LENGTH = 256;

export interface ReceivedBody {
  readonly bytes: Buffer;
  /** Whether more arrived than the limit allows; `bytes` then has only the part within the limit. */
  readonly tooLarge: boolean;
  /** Of a body over BODY_LIMIT, whose hash takes longer than other requests may wait; else null. */
  readonly sha256: string | null;
}

const nothing: ReceivedBody = { bytes: Buffer.alloc(0), tooLarge: false, sha256: null };

/** A body that is on its way. */
export interface ArrivingBody {
  /** Resolves when the body is complete or exceeds its limit. Rejects with ClientGone. */
  readonly received: Promise<ReceivedBody>;
  /** The bytes of memory that a body over BODY_LIMIT may need while it is read, parsed and stored. */
  readonly excess: number;
  /** Lets more than BODY_LIMIT of it arrive: before that, a client has not shown that it may send so much. */
  admit(): void;
}

/** Starts reading at once, at most BODY_LIMIT until the body is admitted. */
export function receiveBody(req: IncomingMessage, limit = BODY_LIMIT): ArrivingBody {
  const { 'content-length': length, 'transfer-encoding': encoding } = req.headers;
  if (encoding === undefined && (length === undefined || length === '0')) return arrived(nothing);
  if (Number(length) > limit) return arrived({ ...nothing, tooLarge: true });
  let held: 'not yet' | 'held' | 'admitted' = 'not yet';
  const received = new Promise<ReceivedBody>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        // The rest is read and discarded: unread, it would block what follows it on the connection.
        if (size - chunk.length <= limit) resolve(bodyOf(chunks, true));
        return;
      }
      // A held body arrives only to be discarded.
      if (held !== 'held') chunks.push(chunk);
      if (size <= BODY_LIMIT || held !== 'not yet') return;
      held = 'held';
      req.pause();
    });
    req.on('end', () => {
      resolve(bodyOf(chunks, false));
    });
    // Reading a body fails only if its connection ends.
    req.on('error', () => reject(new ClientGone()));
    req.on('close', () => {
      if (!req.readableEnded) reject(new ClientGone());
    });
  });
  // It is awaited only after earlier checks; until then, a failure must not become an unhandled rejection.
  received.catch(() => {});
  const admit = (): void => {
    if (held === 'held') req.resume();
    held = 'admitted';
  };
  const size = length === undefined ? limit : Number(length);
  return { received, excess: size > BODY_LIMIT ? size * COPIES : 0, admit };
}

function bodyOf(chunks: readonly Buffer[], tooLarge: boolean): ReceivedBody | Promise<ReceivedBody> {
  const [only] = chunks;
  const bytes = chunks.length === 1 && only ? only : Buffer.concat(chunks);
  if (bytes.length <= BODY_LIMIT) return { bytes, tooLarge, sha256: null };
  return sha256InParts(bytes).then((sha256) => ({ bytes, tooLarge, sha256 }));
}

const arrived = (body: ReceivedBody): ArrivingBody => ({
  received: Promise.resolve(body),
  excess: 0,
  admit() {},
});

/** Unwanted bytes are discarded until none arrive for this long, so that the client can read its response. */
const QUIET_MS = 500;
/** The longest time that they are discarded. */
const LINGER_MS = 2000;

/**
 * Ends a response after which the connection is closed, although more of the request may arrive. Closing a connection
 * with unread bytes resets it, which can lose the response; so they are read and discarded first, for a limited time.
 */
export function endAfterBody(req: IncomingMessage, res: ServerResponse, body: string): void {
  if (req.readableEnded) return void res.end(body);
  res.flushHeaders();
  res.write(body);
  const end = (): void => {
    clearTimeout(timer);
    res.end();
  };
  const until = performance.now() + LINGER_MS;
  const timer = setTimeout(end, QUIET_MS);
  req.on('data', () => performance.now() < until && timer.refresh());
  req.resume();
  req.once('end', end);
  req.once('close', end);
}

/** The client disconnected before its body had arrived; no response is sent. */
export class ClientGone extends Error {}

/**
 * Undefined for no body at all. Throws `payload_too_large`, `unsupported_media_type` and, for malformed JSON,
 * `validation_error`; `alternative` is another media type to name, which the caller reads itself.
 */
export function readJson(req: IncomingMessage, body: ReceivedBody, limit = BODY_LIMIT, alternative?: string): unknown {
  if (body.tooLarge) throw bodyTooLarge(limit);
  const type = req.headers['content-type'];
  if (body.bytes.length === 0 && type === undefined) return undefined;
  checkMediaType(type, req.headers['content-encoding'], alternative);
  if (body.bytes.length === 0) return undefined;
  const short = body.bytes.length > BODY_LIMIT ? withoutLongStrings(body.bytes) : undefined;
  if (!short) return parseJson(body.bytes);
  try {
    return parseJson(short.bytes, (_, value) => short.restore(value));
  } catch {
    // What is wrong with it is told by its places in the whole text.
    return parseJson(body.bytes);
  }
}

export function bodyTooLarge(limit = BODY_LIMIT): ApiError {
  return new ApiError('payload_too_large', {
    message: `The body is larger than ${limit} bytes.`,
    hint: `Send at most ${limit} bytes.`,
    assumption: 'body_limits',
  });
}

type Reviver = (key: string, value: unknown) => unknown;

function parseJson(bytes: Buffer, reviver: Reviver | null = null): unknown {
  if (!isUtf8(bytes)) throw invalidField('body', 'is not valid UTF-8');
  if (bytes.length > 2 * MAX_DEPTH && depthOf(bytes) > MAX_DEPTH) {
    throw invalidField('body', `is nested more than ${MAX_DEPTH} levels deep`);
  }
  try {
    return parse(bytes.toString('utf8'), reviver, { protoAction: 'error', constructorAction: 'error' });
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error();
    const reserved = message.includes('forbidden prototype property');
    throw invalidField(
      'body',
      reserved
        ? 'contains a reserved name (__proto__ or constructor.prototype)'
        : `is not valid JSON: ${describeSyntaxError(message)}`,
      { hint: reserved ? 'Remove the reserved name.' : 'Send one JSON object.' },
    );
  }
}

function checkMediaType(type: string | undefined, encoding: string | undefined, alternative?: string): void {
  const accepted = `application/json${alternative ? ` or ${alternative}` : ''}`;
  const hint = `Send the header \`Content-Type: application/json\`${alternative ? `, or \`${alternative}\`` : ''}.`;
  const refuse = (message: string): ApiError =>
    new ApiError('unsupported_media_type', { message, hint, assumption: 'extra_error_codes' });
  if (type === undefined) throw refuse('The request has a body but no Content-Type.');
  if (type.length > MAX_CONTENT_TYPE_LENGTH)
    throw refuse(`The Content-Type is longer than ${MAX_CONTENT_TYPE_LENGTH} characters.`);
  const [name = '', ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  if (name !== 'application/json') throw refuse(`The body is declared as "${name}"; this API accepts ${accepted}.`);
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  if (charset !== undefined && charset.replaceAll('"', '') !== 'utf-8') {
    throw refuse(`The body is declared as ${charset}; this API accepts UTF-8.`);
  }
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw refuse(`The body is declared as "${encoding}"-encoded; this API accepts unencoded bodies only.`);
  }
}

/** How deep brackets nest outside of strings; a string can have most of the text, so it is searched, not read. */
function depthOf(json: Buffer): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === 0x22) {
      at = endOfString(json, at);
      if (at < 0) break;
    } else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (byte === 0x5d || byte === 0x7d) {
      depth -= 1;
    }
  }
  return deepest;
}

/** Says where the JSON is malformed, without quoting the body as the parser's own message does. */
function describeSyntaxError(message: string): string {
  const at = /at position (\d+)/.exec(message)?.[1];
  if (at !== undefined) return `unexpected character at position ${Number(at) + 1}`;
  return message.includes('end of JSON') ? 'it ends too early' : 'it cannot be parsed';
}
