// Reads request bodies: raw bytes up to a limit, then JSON. The bytes are kept for the journal.
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers';
import { parse } from 'secure-json-parse';
import { ApiError, invalidField } from '../errors/api-error.ts';
import type { Turns } from '../scheduler/turns.ts';
import { MAX_DEPTH } from '../yaml-tree-check.ts';
import { BodyParts } from './body-parts.ts';
import { endOfString } from './long-strings.ts';

export const BODY_LIMIT = 256 * 1024;
/** Names in the objects of a JSON body. V8 takes a microsecond for one that no other object has. */
const MAX_NAMES = 5000;
/** A large body is in memory as it is, and as the file in it. */
const COPIES = 2;
/** How much of a body is hashed at once. */
const HASHED_BYTES = 64 * 1024;
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
  /** The body, once all of it has arrived, unless it may be over BODY_LIMIT. */
  readonly complete: ReceivedBody | undefined;
  /** The bytes of memory that a body over BODY_LIMIT may need while it is read, parsed and stored. */
  readonly excess: number;
  /** Lets more than BODY_LIMIT of it arrive: before that, a client has not shown that it may send so much. */
  admit(by: BodyTurns): void;
}

/** Whose turns the reading of a large body takes. */
export interface BodyTurns {
  readonly turns: Turns;
  readonly world: string;
}

/** Whether a request says that it has a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

/** Starts reading at once, at most BODY_LIMIT until the body is admitted. */
export function receiveBody(req: IncomingMessage, limit = BODY_LIMIT): ArrivingBody {
  if (!hasBody(req)) return arrived(nothing);
  const { 'content-length': length } = req.headers;
  if (Number(length) > limit) return arrived({ ...nothing, tooLarge: true });
  const size = length === undefined ? limit : Number(length);
  const parts = new BodyParts(size, BODY_LIMIT);
  let held = false;
  let admitted: BodyTurns | undefined;
  const received = new Promise<ReceivedBody>((resolve, reject) => {
    let arrivedBytes = 0;
    const orReject = (step: () => void): void => attempt(step, reject);
    const finish = (tooLarge: boolean): void =>
      orReject(() => {
        // What nobody has admitted is discarded, and takes no memory.
        if (parts.isLarge && !admitted) return resolve({ ...nothing, tooLarge });
        const body = { bytes: parts.end(), tooLarge, sha256: null };
        resolve(parts.isLarge && admitted ? hashed(body, admitted) : body);
      });
    req.on('data', (chunk: Buffer) => {
      arrivedBytes += chunk.length;
      if (arrivedBytes > limit) {
        // The rest is read and discarded: unread, it would block what follows it on the connection.
        if (arrivedBytes - chunk.length <= limit) finish(true);
        return;
      }
      if (admitted) return orReject(() => readPart(req, chunk, parts));
      // A held body arrives only to be discarded.
      if (!held) orReject(() => parts.add(chunk));
      if (arrivedBytes <= BODY_LIMIT || held) return;
      held = true;
      req.pause();
    });
    req.on('end', () => finish(false));
    // Reading a body fails only if its connection ends.
    req.on('error', () => reject(new ClientGone()));
    req.on('close', () => {
      if (!req.readableEnded) reject(new ClientGone());
    });
  });
  const admit = (by: BodyTurns): void => {
    if (held) req.resume();
    admitted = by;
  };
  return bodyOnItsWay(received, size > BODY_LIMIT ? size * COPIES : 0, admit);
}

function bodyOnItsWay(received: Promise<ReceivedBody>, excess: number, admit: ArrivingBody['admit']): ArrivingBody {
  const body: ArrivingBody & { complete: ReceivedBody | undefined } = { received, excess, admit, complete: undefined };
  const complete = (bytes: ReceivedBody): void => {
    if (excess === 0) body.complete = bytes;
  };
  // It is awaited only after earlier checks; until then, a failure must not become an unhandled rejection.
  received.then(complete, () => {});
  return body;
}

/** What a listener throws, such as that there is no memory, would leave its request without an answer. */
function attempt(step: () => void, reject: (error: unknown) => void): void {
  try {
    step();
  } catch (error) {
    reject(error);
  }
}

/** Reads one part of each large body in a round of the event loop, however fast its client sends. */
function readPart(req: IncomingMessage, chunk: Buffer, parts: BodyParts): void {
  parts.add(chunk);
  if (!parts.isLarge) return;
  parts.join();
  waitForRound(req);
}

/** Reads on in the next round of the event loop. */
export function waitForRound(req: IncomingMessage): void {
  req.pause();
  setImmediate(() => req.resume());
}

/** A large body with its hash, which takes turns. */
async function hashed(body: ReceivedBody, { turns, world }: BodyTurns): Promise<ReceivedBody> {
  return { ...body, sha256: await turns.workThrough(world, hashOf(body.bytes)) };
}

function* hashOf(bytes: Buffer): Generator<void, string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += HASHED_BYTES) {
    hash.update(bytes.subarray(at, at + HASHED_BYTES));
    yield;
  }
  return hash.digest('hex');
}

const arrived = (body: ReceivedBody): ArrivingBody => ({
  received: Promise.resolve(body),
  complete: body,
  excess: 0,
  admit() {},
});

/** The client disconnected before its body had arrived; no response is sent. */
export class ClientGone extends Error {}

/**
 * Undefined for no body at all. Throws `payload_too_large`, `unsupported_media_type` and, for malformed JSON,
 * `validation_error`; `alternative` is another media type to name, which the caller reads itself.
 */
export function readJson(req: IncomingMessage, body: ReceivedBody, limit = BODY_LIMIT, alternative?: string): unknown {
  if (!isJson(req, body, limit, alternative)) return undefined;
  return parseJson(body.bytes);
}

/** Whether a body is declared as JSON; false without one. Throws `payload_too_large` and `unsupported_media_type`. */
export function isJson(req: IncomingMessage, body: ReceivedBody, limit: number, alternative?: string): boolean {
  if (body.tooLarge) throw bodyTooLarge(limit);
  const type = req.headers['content-type'];
  if (body.bytes.length === 0 && type === undefined) return false;
  checkMediaType(type, req.headers['content-encoding'], alternative);
  return body.bytes.length > 0;
}

export function bodyTooLarge(limit = BODY_LIMIT): ApiError {
  return new ApiError('payload_too_large', {
    message: `The body is larger than ${limit} bytes.`,
    hint: `Send at most ${limit} bytes.`,
    assumption: 'body_limits',
  });
}

/** `placeOf` tells a position in a text that was shortened in the whole of it. */
export function parseJson(bytes: Buffer, placeOf = (position: number): number => position): unknown {
  if (!isUtf8(bytes)) throw invalidField('body', 'is not valid UTF-8');
  if (bytes.length > 2 * MAX_DEPTH) checkShape(bytes);
  try {
    return parse(bytes.toString('utf8'), null, { protoAction: 'error', constructorAction: 'error' });
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error();
    if (message.includes('forbidden prototype property')) {
      const reason = 'contains a reserved name (__proto__ or constructor.prototype)';
      throw invalidField('body', reason, { hint: 'Remove the reserved name.' });
    }
    throw notJson(describeSyntaxError(message, placeOf));
  }
}

export function notJson(reason: string): ApiError {
  return invalidField('body', `is not valid JSON: ${reason}`, { hint: 'Send one JSON object.' });
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

/** Throws if brackets nest too deep outside of strings, or if there are too many names, which take V8 long. */
function checkShape(json: Buffer): void {
  const { deepest, names } = shapeOf(json);
  if (deepest > MAX_DEPTH) throw invalidField('body', `is nested more than ${MAX_DEPTH} levels deep`);
  if (names <= MAX_NAMES) return;
  const most = MAX_NAMES.toLocaleString('en');
  throw invalidField('body', `has more than ${most} names in its objects`, { hint: `Send at most ${most} names.` });
}

/** How deep brackets nest, and how many names there are; a string can have most of the text, so it is searched, not read. */
function shapeOf(json: Buffer): { readonly deepest: number; readonly names: number } {
  let depth = 0;
  let deepest = 0;
  let names = 0;
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
    } else if (byte === 0x3a) {
      names += 1;
    }
  }
  return { deepest, names };
}

/** Says where the JSON is malformed, without quoting the body as the parser's own message does. */
function describeSyntaxError(message: string, placeOf: (position: number) => number): string {
  const at = /at position (\d+)/.exec(message)?.[1];
  if (at !== undefined) return `unexpected character at position ${placeOf(Number(at)) + 1}`;
  return message.includes('end of JSON') ? 'it ends too early' : 'it cannot be parsed';
}
