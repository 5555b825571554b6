// Routes of `interface.md` section 5 that are not built yet. Without their names here, some would match a route with a
// parameter, and be refused for the wrong reason.
import type { Request, RequestHandler } from 'express';
import { ApiError } from '../errors/api-error.ts';
import { writeError } from '../http/write-response.ts';

const paths = ['/ui'];
const forms = paths.map((path) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`));

/** 404 for a route that a later version will have. */
export const refuseUnbuilt: RequestHandler = (req: Request, res, next) => {
  if (!forms.some((form) => form.test(req.path))) return next();
  const message = `${req.baseUrl}${req.path.slice(0, 200)} is not built yet.`;
  writeError(req, res, new ApiError('not_found', { message, hint: 'GET /_sandbox/openapi.json lists every route.' }));
};
