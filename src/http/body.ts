// The one reader of request bodies: raw bytes up to a limit, then JSON. It keeps the bytes, which the journal and the
// fingerprint of an idempotency key need.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'secure-json-parse';
import { ApiError, invalidField } from '../errors/api-error.ts';
import { MAX_DEPTH } from '../yaml-with-locations.ts';

export const BODY_LIMIT = 256 * 1024;
/** The validator's own parser of this header is quadratic in its length. */
const LONGEST_CONTENT_TYPE = 256;

export interface ReceivedBody {
  readonly bytes: Buffer;
  /** More came than the limit allows; `bytes` is what fits. */
  readonly tooLarge: boolean;
}

const nothing: ReceivedBody = { bytes: Buffer.alloc(0), tooLarge: false };

/** Starts reading at once; resolves when the body has come, the limit is passed, or the client is gone. */
export function receiveBody(req: IncomingMessage, limit = BODY_LIMIT): Promise<ReceivedBody> {
  const { 'content-length': length, 'transfer-encoding': encoding } = req.headers;
  if (encoding === undefined && (length === undefined || length === '0')) return Promise.resolve(nothing);
  if (Number(length) > limit) return Promise.resolve({ ...nothing, tooLarge: true });
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      // What follows is read and passed over: unread, it would hold up whatever comes after it.
      else if (size - chunk.length <= limit) resolve({ bytes: Buffer.concat(chunks), tooLarge: true });
    });
    req.on('end', () => {
      const [only] = chunks;
      resolve({ bytes: chunks.length === 1 && only ? only : Buffer.concat(chunks), tooLarge: false });
    });
    // A connection that ends or is ended in the middle of a body is the one thing that can go wrong with it.
    req.on('error', () => reject(new ClientGone()));
    req.on('close', () => {
      if (!req.readableEnded) reject(new ClientGone());
    });
  });
}

/** How long bytes that nobody wants are read, so that the client comes to read its answer: as long as some come. */
const QUIET_MS = 500;
const LINGER_MS = 2000;

/**
 * Ends an answer after which the connection is closed, although more of the request may come. Closed with bytes that
 * nobody has read, a connection is reset, and the answer can be lost with it: they are passed over first, for a while.
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
  req.once('end', end);
  req.once('close', end);
}

/** The client left before its body had come; there is nobody to answer. */
export class ClientGone extends Error {}

/** 413, 415 (where `beside` is taken too, saying so), and JSON that cannot be read; undefined for no body at all. */
export function readJson(req: IncomingMessage, body: ReceivedBody, limit = BODY_LIMIT, beside?: string): unknown {
  if (body.tooLarge) {
    throw new ApiError('payload_too_large', {
      message: `The body is larger than ${limit} bytes.`,
      hint: `Send at most ${limit} bytes.`,
      assumption: 'body_limits',
    });
  }
  const type = req.headers['content-type'];
  if (body.bytes.length === 0 && type === undefined) return undefined;
  checkMediaType(type, req.headers['content-encoding'], beside);
  if (body.bytes.length === 0) return undefined;
  if (!isUtf8(body.bytes)) throw invalidField('body', 'is not valid UTF-8');
  const text = body.bytes.toString('utf8');
  if (text.length > 2 * MAX_DEPTH && depthOf(text) > MAX_DEPTH) {
    throw invalidField('body', `is nested more than ${MAX_DEPTH} levels deep`);
  }
  try {
    return parse(text, null, { protoAction: 'error', constructorAction: 'error' });
  } catch (error) {
    const reserved = (error as Error).message.includes('forbidden prototype property');
    throw invalidField(
      'body',
      reserved ? 'carries a reserved name (__proto__ or constructor.prototype)' : `is not JSON: ${whereBroken(error)}`,
      reserved ? 'Leave the reserved name out.' : 'Send one JSON object.',
    );
  }
}

function checkMediaType(type: string | undefined, encoding: string | undefined, beside?: string): void {
  const taken = `application/json${beside ? ` or ${beside}` : ''}`;
  const hint = `Send the header \`Content-Type: application/json\`${beside ? `, or \`${beside}\`` : ''}.`;
  const refuse = (message: string): ApiError =>
    new ApiError('unsupported_media_type', { message, hint, assumption: 'extra_error_codes' });
  if (type === undefined) throw refuse('The request has a body but no Content-Type.');
  if (type.length > LONGEST_CONTENT_TYPE) throw refuse('The Content-Type is too long to be one.');
  const [name = '', ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  if (name !== 'application/json') throw refuse(`The body is declared as "${name}"; this API takes ${taken}.`);
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  if (charset !== undefined && charset.replaceAll('"', '') !== 'utf-8') {
    throw refuse(`The body is declared as ${charset}; this API takes UTF-8.`);
  }
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw refuse(`The body is declared as "${encoding}"-encoded; this API takes it plain.`);
  }
}

/** How deep brackets nest, strings left out of account. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 92) at += 1;
      else if (code === 34) inString = false;
    } else if (code === 34) {
      inString = true;
    } else if (code === 91 || code === 123) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === 93 || code === 125) {
      depth -= 1;
    }
  }
  return deepest;
}

/** The parser's own words, without what it quotes of the body. */
function whereBroken(error: unknown): string {
  const { message } = error as Error;
  const at = /at position (\d+)/.exec(message)?.[1];
  if (at !== undefined) return `something is wrong at character ${Number(at) + 1}`;
  return message.includes('end of JSON') ? 'it ends too early' : 'it cannot be parsed';
}
