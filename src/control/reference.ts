// Serves the pages at `/docs`: the reference of both APIs, the errors and the guides, as the build has made them. They hold
// no data and need no key; "Execute" sends what a person asks for with the key that they give.
import { fileURLToPath } from 'node:url';
import type { Request, RequestHandler, Response } from 'express';
import { ApiError } from '../errors/api-error.ts';
import { addressOf } from '../http/own-address.ts';
import { writeError } from '../http/write-response.ts';
import { packageFile } from '../package-files.ts';
import { prefixOf } from '../public-url.ts';
import { sendFile, staticFiles } from './static-files.ts';

const PATH = '/docs';
/** Its pages, but for the guides. */
export const referencePages = [PATH, `${PATH}/control`, `${PATH}/guides`];
/** This page exists without a build too. */
const ERRORS = '/docs/errors';

/** Nothing inline and nothing from elsewhere. The viewer draws its icons from its style, and plays what it was answered. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const securityHeaders = {
  'Content-Security-Policy': policy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** Handles `/docs` and the pages below it; passes on any other path. `folder` is where the build has put the pages. */
export function serveReference(folder = fileURLToPath(packageFile('dist/reference/'))): RequestHandler {
  const files = staticFiles(folder);
  return (req, res, next) => {
    const { path } = req;
    if (path !== PATH && !path.startsWith(`${PATH}/`)) return next();
    if (path === ERRORS && !files.isBuilt()) return next();
    if (req.method !== 'GET' && req.method !== 'HEAD') return refuseMethod(req, res);
    // The addresses in a page are relative to its path, which has no slash at its end.
    if (path.endsWith('/')) return redirect(req, res, path.replace(/\/+$/, ''));
    const name = path.slice(PATH.length + 1);
    const file = files.find(name.startsWith('assets/') ? name : `${name || 'index'}.html`);
    if (file) return sendFile(req, res, file, securityHeaders);
    if (files.isBuilt()) return next();
    writeError(req, res, new ApiError('not_found', notBuilt));
  };
}

const notBuilt = {
  message: 'The reference has not been built.',
  hint: 'Run `npm run build`. Without it there are /docs/errors, /openapi.yaml and /_sandbox/openapi.json.',
};

function redirect(req: Request, res: Response, path: string): void {
  res.writeHead(308, { Location: `${prefixOf(addressOf(req))}${path}`, 'Content-Length': 0 }).end();
}

function refuseMethod(req: Request, res: Response): void {
  const message = `${req.path.slice(0, 200)} does not support ${req.method}; allowed: GET, HEAD.`;
  writeError(req, res, new ApiError('method_not_allowed', { message, headers: { Allow: 'GET, HEAD' } }));
}
