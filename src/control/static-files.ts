// Serves files that the build has made for browsers: the dashboard and the reference. A file is read on first request,
// so that none delays the start.
import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ApiError } from '../errors/api-error.ts';
import { addressOf } from '../http/own-address.ts';
import { prefixOf } from '../public-url.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

/** Encodings that the build has made, the smallest first, by the ending of their files. */
const encodings = { br: '.br', gzip: '.gz' } as const;

export interface ServedFile {
  readonly type: string;
  readonly tag: string;
  /** Whether its name changes with its content. */
  readonly isImmutable: boolean;
  readonly bytes: Readonly<Partial<Record<keyof typeof encodings, Buffer>>> & { readonly identity: Buffer };
}

export interface StaticFiles {
  /** False if the build has not made the folder. */
  isBuilt(): boolean;
  /** The file of this name, with slashes, in the folder. */
  find(name: string): ServedFile | undefined;
}

export function staticFiles(folder: string): StaticFiles {
  let names: ReadonlySet<string> | undefined;
  const read = new Map<string, ServedFile>();
  const list = (): ReadonlySet<string> => {
    names ??= namesIn(folder);
    return names;
  };
  return {
    isBuilt: () => list().size > 0,
    find(name) {
      const known = read.get(name);
      if (known || types[extname(name)] === undefined) return known;
      const endings = ['', ...Object.values(encodings)].filter((ending) => list().has(name + ending));
      if (endings.length === 0) return undefined;
      const file = readServed(join(folder, name), endings);
      read.set(name, file);
      return file;
    },
  };
}

/** None if there is no such folder. */
function namesIn(folder: string): ReadonlySet<string> {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch {
    return new Set();
  }
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Set(paths.map((path) => relative(folder, path).replaceAll('\\', '/')));
}

/** A large file may be there in its compressed form alone. */
function readServed(path: string, endings: readonly string[]): ServedFile {
  const compressed = Object.entries(encodings)
    .filter(([, ending]) => endings.includes(ending))
    .map(([name, ending]) => [name, readFileSync(path + ending)]);
  const identity = endings.includes('') ? readFileSync(path) : gunzipSync(readFileSync(path + encodings.gzip));
  return {
    type: types[extname(path)] ?? 'application/octet-stream',
    tag: createHash('sha256').update(identity).digest('base64url').slice(0, 22),
    isImmutable: /[\\/]assets[\\/]/.test(path),
    bytes: { identity, ...Object.fromEntries(compressed) },
  };
}

/** Nothing inline, nothing from elsewhere, in no frame. */
const ownOnly = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'media-src': "'self'",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** The headers of pages that load nothing but their own files; `more` are directives that a page adds or loosens. */
export const pageHeaders = (more: Readonly<Record<string, string>>) => ({
  'Content-Security-Policy': Object.entries({ ...ownOnly, ...more })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
});

/** The refusal of a method that does not read; undefined if it does. `page` is the path that was asked for. */
export function refusalOfMethod({ method }: IncomingMessage, page: string): ApiError | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined;
  const message = `${page.slice(0, 200)} does not support ${method}; allowed: GET, HEAD.`;
  return new ApiError('method_not_allowed', { message, headers: { Allow: 'GET, HEAD' } });
}

/** `path` is that on this server, before which a proxy may have put another. */
export function redirectTo(req: IncomingMessage, res: ServerResponse, path: string): void {
  res.writeHead(308, { Location: `${prefixOf(addressOf(req))}${path}`, 'Content-Length': 0 }).end();
}

/** Sends a file in the smallest form that the client takes, or 304 if it has it; `policies` are further headers. */
export function sendFile(
  req: IncomingMessage,
  res: ServerResponse,
  { type, tag, isImmutable, bytes }: ServedFile,
  policies: Readonly<Record<string, string>>,
): void {
  const accepted = String(req.headers['accept-encoding'] ?? '');
  const encoding = (['br', 'gzip'] as const).find((name) => bytes[name] && accepts(accepted, name));
  const body = bytes[encoding ?? 'identity'] ?? bytes.identity;
  const etag = `"${tag}${encoding === undefined ? '' : `-${encoding}`}"`;
  const headers = {
    ...policies,
    ETag: etag,
    'Cache-Control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    Vary: 'Accept-Encoding',
  };
  const known = String(req.headers['if-none-match'] ?? '').split(',');
  if (known.some((each) => each.trim().replace(/^W\//, '') === etag)) return void res.writeHead(304, headers).end();
  const coding = encoding === undefined ? {} : { 'Content-Encoding': encoding };
  res.writeHead(200, { ...headers, ...coding, 'Content-Type': type, 'Content-Length': body.length });
  res.end(req.method === 'HEAD' ? undefined : body);
}

/** Whether an Accept-Encoding names a coding, and does not refuse it. */
const accepts = (header: string, coding: string): boolean =>
  header.split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((text) => text.trim());
    return name === coding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
