// Serves the dashboard, the page at `/_sandbox/ui/`, as the build has made it. Its files are read once, when somebody first
// asks for one. They hold no data: what the page shows, it asks of the control API.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Request, RequestHandler } from 'express';
import { ApiError } from '../errors/api-error.ts';
import { isFromForeignPage } from '../http/foreign-page.ts';
import { addressOf } from '../http/own-address.ts';
import { writeError } from '../http/write-response.ts';
import { packageFile } from '../package-files.ts';
import { prefixOf } from '../public-url.ts';
import { foreignPage } from './serve-routes.ts';
import { sendFile, staticFiles } from './static-files.ts';

const PATH = '/ui';
const INDEX = 'index.html';

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

/** Handles the paths below `/_sandbox/ui`; passes on any other. `folder` is where the build has put the page. */
export function serveDashboard(folder = fileURLToPath(packageFile('dist/dashboard/'))): RequestHandler {
  const files = staticFiles(folder);
  return (req, res, next) => {
    if (req.path !== PATH && !req.path.startsWith(`${PATH}/`)) return next();
    const refusal = refusalOf(req);
    if (refusal) return writeError(req, res, refusal);
    if (req.path === PATH) return redirect(req, res);
    const file = files.find(req.path.slice(PATH.length + 1) || INDEX);
    if (file) return sendFile(req, res, file, securityHeaders);
    const isBuilt = files.isBuilt();
    const message = isBuilt ? `The dashboard has no file ${req.path}.` : 'The dashboard has not been built.';
    const hint = isBuilt ? `Open ${req.baseUrl}${PATH}/.` : 'Run `npm run build`.';
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
