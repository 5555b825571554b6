// Serves the built dashboard at `/_sandbox/ui/`. Its files are read on first request and contain no data: the page
// reads everything from the control API.
import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Request, RequestHandler } from 'express';
import { ApiError } from '../errors/api-error.ts';
import { isFromForeignPage } from '../http/foreign-page.ts';
import { addressOf } from '../http/own-address.ts';
import { writeError } from '../http/write-response.ts';
import { packageFile } from '../package-files.ts';
import { prefixOf } from '../public-url.ts';
import { foreignPage } from './serve-routes.ts';
import { pageHeaders, redirectTo, refusalOfMethod, sendFile, staticFiles } from './static-files.ts';

const PATH = '/ui';
const INDEX = 'index.html';

/** What a record says can become neither script nor style. */
const headers = {
  ...pageHeaders({ 'require-trusted-types-for': "'script'", 'trusted-types': "'none'" }),
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Handles the paths below `/_sandbox/ui`; passes on any other. `folder` is where the build has put the page. */
export function serveDashboard(folder = fileURLToPath(packageFile('dist/dashboard/'))): RequestHandler {
  const files = staticFiles(folder);
  return (req, res, next) => {
    if (req.path !== PATH && !req.path.startsWith(`${PATH}/`)) return next();
    const refusal = refusalOf(req);
    if (refusal) return writeError(req, res, refusal);
    // Addresses in the page are relative to the folder.
    if (req.path === PATH) return redirectTo(req, res, `${req.baseUrl}${PATH}/`);
    const file = files.find(req.path.slice(PATH.length + 1) || INDEX);
    if (file) return sendFile(req, res, file, headers);
    const isBuilt = files.isBuilt();
    const message = isBuilt ? `The dashboard has no file ${req.path}.` : 'The dashboard has not been built.';
    const hint = isBuilt ? `Open ${req.baseUrl}${PATH}/.` : 'Run `npm run build`.';
    writeError(req, res, new ApiError('not_found', { message: message.slice(0, 200), hint }));
  };
}

/** A link on another site may lead here, since a page that is opened tells that site nothing. */
const isOpened = ({ headers: sent }: IncomingMessage): boolean =>
  sent.origin === undefined && sent['sec-fetch-mode'] === 'navigate' && sent['sec-fetch-dest'] === 'document';

function refusalOf(req: Request): ApiError | undefined {
  if (isFromForeignPage(req) && !isOpened(req)) return foreignPage();
  return refusalOfMethod(req, `${req.baseUrl}${PATH}/`);
}

/** Leads a browser from the root of the server to the dashboard. */
export const dashboardPath = (req: IncomingMessage): string => `${prefixOf(addressOf(req))}/_sandbox${PATH}/`;
