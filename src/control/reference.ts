// Serves the built pages at `/docs`: the reference of both APIs, the errors and the guides. They contain no data and
// need no key; "Execute" sends requests with the key that the user enters.
import { fileURLToPath } from 'node:url';
import type { RequestHandler } from 'express';
import { withoutEndSlashes } from '../end-slashes.ts';
import { ApiError } from '../errors/api-error.ts';
import { writeError } from '../http/write-response.ts';
import { packageFile } from '../package-files.ts';
import { pageHeaders, redirectTo, refusalOfMethod, sendFile, staticFiles } from './static-files.ts';

const PATH = '/docs';
/** Its pages, but for the guides. */
export const referencePages = [PATH, `${PATH}/control`, `${PATH}/guides`];
/** This page exists without a build too. */
const ERRORS = '/docs/errors';

/** The viewer draws its icons from its style, and plays what it was answered. */
const headers = pageHeaders({ 'img-src': "'self' data:", 'media-src': "'self' blob:" });

/** Handles `/docs` and the pages below it; passes on any other path. `folder` is where the build has put the pages. */
export function serveReference(folder = fileURLToPath(packageFile('dist/reference/'))): RequestHandler {
  const files = staticFiles(folder);
  return (req, res, next) => {
    const { path } = req;
    if (path !== PATH && !path.startsWith(`${PATH}/`)) return next();
    if (path === ERRORS && !files.isBuilt()) return next();
    const refusal = refusalOfMethod(req, path);
    if (refusal) return writeError(req, res, refusal);
    // The addresses in a page are relative to its path, which has no slash at its end.
    if (path.endsWith('/')) return redirectTo(req, res, withoutEndSlashes(path));
    const name = path.slice(PATH.length + 1);
    const file = files.find(name.startsWith('assets/') ? name : `${name || 'index'}.html`);
    if (file) return sendFile(req, res, file, headers);
    if (files.isBuilt()) return next();
    writeError(req, res, new ApiError('not_found', notBuilt));
  };
}

const notBuilt = {
  message: 'The reference has not been built.',
  hint: 'Run `npm run build`. Without it there are /docs/errors, /openapi.yaml and /_sandbox/openapi.json.',
};
