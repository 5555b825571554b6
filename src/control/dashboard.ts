// Serves the dashboard, the page at `/_sandbox/ui/`, as the build has made it. Its files are read once, when somebody first
// asks for one. They hold no data: what the page shows, it asks of the control API.
import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Request, RequestHandler } from 'express';
import { ApiError } from '../errors/api-error.ts';
import { isFromForeignPage } from '../http/foreign-page.ts';
import { addressOf } from '../http/own-address.ts';
import { writeError } from '../http/write-response.ts';
import { packageFile } from '../package-files.ts';
import { prefixOf } from '../public-url.ts';
import { foreignPage } from './serve-routes.ts';

const PATH = '/ui';
const INDEX = 'index.html';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Encodings that the build has made, the smallest first, by the ending of their files. */
const encodings = { br: '.br', gzip: '.gz' } as const;

/** Nothing inline, nothing from elsewhere, in no frame: what a record says can become neither script nor style. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const securityHeaders = {
  'Content-Security-Policy': policy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

interface ServedFile {
  readonly type: string;
  readonly tag: string;
  /** Whether its name changes with its content. */
  readonly isImmutable: boolean;
  readonly bytes: Readonly<Partial<Record<'identity' | keyof typeof encodings, Buffer>>>;
}

type Files = ReadonlyMap<string, ServedFile>;

/** Handles the paths below `/_sandbox/ui`; passes on any other. `folder` is where the build has put the page. */
export function serveDashboard(folder = fileURLToPath(packageFile('dist/dashboard/'))): RequestHandler {
  let files: Files | undefined;
  return (req, res, next) => {
    if (req.path !== PATH && !req.path.startsWith(`${PATH}/`)) return next();
    const refusal = refusalOf(req);
    if (refusal) return writeError(req, res, refusal);
    if (req.path === PATH) return redirect(req, res);
    files ??= readFiles(folder);
    const file = files.get(req.path.slice(PATH.length + 1) || INDEX);
    if (file) return send(req, res, file);
    const message = files.size === 0 ? 'The dashboard has not been built.' : `The dashboard has no file ${req.path}.`;
    const hint = files.size === 0 ? 'Run `npm run build`.' : `Open ${req.baseUrl}${PATH}/.`;
    writeError(req, res, new ApiError('not_found', { message: message.slice(0, 200), hint }));
  };
}

/** A link on another site may lead here, since a page that is opened tells that site nothing. */
const isOpened = ({ headers }: IncomingMessage): boolean =>
  headers.origin === undefined && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';

function refusalOf(req: Request): ApiError | undefined {
  if (isFromForeignPage(req) && !isOpened(req)) return foreignPage();
  if (req.method === 'GET' || req.method === 'HEAD') return undefined;
  const message = `${req.baseUrl}${PATH}/ does not support ${req.method}; allowed: GET, HEAD.`;
  return new ApiError('method_not_allowed', { message, headers: { Allow: 'GET, HEAD' } });
}

/** Addresses in the page are relative to the folder. */
function redirect(req: Request, res: ServerResponse): void {
  const to = `${prefixOf(addressOf(req))}${req.baseUrl}${PATH}/`;
  res.writeHead(308, { Location: to, 'Content-Length': 0 }).end();
}

/** Leads a browser from the root of the server to the dashboard. */
export const dashboardPath = (req: IncomingMessage): string => `${prefixOf(addressOf(req))}/_sandbox${PATH}/`;

/** None if the dashboard has not been built. */
function readFiles(folder: string): Files {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch {
    return new Map();
  }
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const served = paths.filter((path) => types[extname(path)] !== undefined);
  return new Map(served.map((path) => [relative(folder, path).replaceAll('\\', '/'), readServed(path, paths)]));
}

function readServed(path: string, all: readonly string[]): ServedFile {
  const identity = readFileSync(path);
  const compressed = Object.entries(encodings)
    .filter(([, ending]) => all.includes(path + ending))
    .map(([name, ending]) => [name, readFileSync(path + ending)]);
  return {
    type: types[extname(path)] ?? 'application/octet-stream',
    tag: createHash('sha256').update(identity).digest('base64url').slice(0, 22),
    isImmutable: /[\\/]assets[\\/]/.test(path),
    bytes: { identity, ...Object.fromEntries(compressed) },
  };
}

function send(req: IncomingMessage, res: ServerResponse, { type, tag, isImmutable, bytes }: ServedFile): void {
  const accepted = String(req.headers['accept-encoding'] ?? '');
  const encoding = (['br', 'gzip'] as const).find((name) => bytes[name] && accepts(accepted, name));
  const body = bytes[encoding ?? 'identity'] ?? Buffer.alloc(0);
  const etag = `"${tag}${encoding === undefined ? '' : `-${encoding}`}"`;
  const headers = {
    ...securityHeaders,
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
