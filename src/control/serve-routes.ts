// Serves the routes of the control API: reads and checks each request, enters its world, and writes the response.
import { isUtf8 } from 'node:buffer';
import express, { type Application, type Request, type RequestHandler, type Response, type Router } from 'express';
import { z } from 'zod';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError, faultsOf, invalidField } from '../errors/api-error.ts';
import { didYouMeanPath } from '../errors/did-you-mean.ts';
import { parseWith } from '../errors/schema-errors.ts';
import { withoutUnset } from '../errors/unset-fields.ts';
import { bodyTooLarge, ClientGone, type ReceivedBody, readJson, receiveBody } from '../http/body.ts';
import type { Callers } from '../http/callers.ts';
import { clientErrorOf } from '../http/client-error.ts';
import { noControlHeaders, readControlHeaders } from '../http/control-headers.ts';
import { isFromForeignPage } from '../http/foreign-page.ts';
import { addressOf } from '../http/own-address.ts';
import { headersOf } from '../http/request-journal.ts';
import { noteRequest } from '../http/request-log.ts';
import { writeError } from '../http/write-response.ts';
import { recordId } from '../identity/record-id.ts';
import { redactedPath, redactedQuery } from '../redaction/urls.ts';
import { NoSuchWorld } from '../store/store.ts';
import { defaultWorld, type EnteredWorld, enterQueriedWorld, enterWorld } from './enter-world.ts';
import { REPEATED } from './fields.ts';
import { holdAnswer } from './hold-answer.ts';
import { writeControlResponse } from './response.ts';
import type { ArrivedRequest, ControlRequest, ControlResponse, Route } from './route.ts';

/** The caller of requests without a key. */
export const CONTROL = '/_sandbox';
/** The media type that some routes accept in addition to JSON. */
export const YAML = 'application/yaml';

/** Whose routes are served, and who takes turns with requests. */
export interface Served {
  readonly sandbox: SandboxContext;
  readonly callers: Callers;
}

/**
 * A router that any number of sandboxes share, because compiling a hundred paths takes Express as long as all else that
 * opening a sandbox does. `served` has the sandbox of each app.
 */
export function routerOf(routes: readonly Route[], served: WeakMap<Application, Served>): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const route of routes) {
    router[route.method](route.path, handlerOf(route, served));
  }
  for (const route of routes) if (route.anyMethod) router.all(route.path, handlerOf(route, served));
  const methods = new Map<string, string[]>();
  for (const { method, path } of routes) methods.set(path, [...(methods.get(path) ?? []), method.toUpperCase()]);
  for (const [path, allowed] of methods) {
    router.all(path, (req, res) => {
      const allow = allowed.join(', ');
      const others = routes.filter(({ method }) => method === req.method.toLowerCase());
      const meant = didYouMeanPath(
        req.baseUrl + req.path,
        others.map((other) => req.baseUrl + other.path),
      );
      const message = `${req.baseUrl}${req.path} does not support ${req.method}; it supports ${allow}${meant || '.'}`;
      writeError(req, res, new ApiError('method_not_allowed', { message, headers: { Allow: allow } }));
    });
  }
  return router;
}

function handlerOf(route: Route, served: WeakMap<Application, Served>): RequestHandler {
  return (req, res) => {
    const mounted = served.get(req.app);
    if (!mounted) throw new Error('the routes of the control API were mounted without a sandbox');
    const { sandbox, callers } = mounted;
    serve(sandbox, route, req, res, callers).catch((error) => {
      sandbox.log.error({ err: error, path: req.path }, 'a control request failed without a response');
      res.destroy();
    });
  };
}

async function serve(
  sandbox: SandboxContext,
  route: Route,
  req: Request,
  res: Response,
  callers: Callers,
): Promise<void> {
  let release: (() => void) | undefined;
  try {
    const { received } = receiveBody(req);
    if (!route.anyOrigin && isFromForeignPage(req)) throw foreignPage();
    await callers.turnOf(req, CONTROL, CONTROL);
    const controls = route.open ? noControlHeaders : readControlHeaders(req, worldHeader(sandbox));
    const { world, recreated, authority, organization } = await entered(sandbox, route, req);
    release = sandbox.worlds.acquire(world);
    if (!route.open) callers.learn(req, CONTROL, world);
    noteRequest(res, () => ({ world }));
    if (!route.open || route.worldInQuery) res.setHeader('X-Sandbox-World', recreated ? `${world};recreated` : world);
    const disconnected = new AbortController();
    res.once('close', () => disconnected.abort());
    const { json, text } = await readBody(route, req, received);
    const response = await handled(route, res, {
      sandbox,
      world,
      authority,
      organization,
      params: parametersOf(req),
      query: checked(route.query ?? noQuery, { ...req.query }, 'query'),
      body: route.body && json !== undefined ? checked(route.body, withoutUnset(route.body, json), 'body') : undefined,
      text,
      controls,
      arrived: () => arrivedRequest(req, received),
      address: addressOf(req),
      signal: disconnected.signal,
    });
    await writeControlResponse(res, route.answer.statuses[0], response, { turns: sandbox.turns, world });
  } catch (error) {
    if (error instanceof ClientGone) return;
    writeError(req, res, asApiError(sandbox, req, error));
  } finally {
    sandbox.metrics.controlRequests.of(route.id).addStatus(res.headersSent ? res.statusCode : 0);
    release?.();
  }
}

/** The answer of a route. Of those that take much memory, one at a time is made in a world. */
function handled(route: Route, res: Response, request: ControlRequest): Promise<ControlResponse> {
  const { sandbox, world } = request;
  const handle = async (): Promise<ControlResponse> => {
    if (res.destroyed) throw new ClientGone();
    const response = await route.handle(request);
    await holdAnswer(route, request, res, response);
    return response;
  };
  return route.readsMuch || route.answer.shape === 'journal' ? sandbox.reads.run(world, handle) : handle();
}

/** The world that a request is about. */
async function entered(sandbox: SandboxContext, route: Route, req: Request): Promise<EnteredWorld> {
  if (!route.open) return enterWorld(sandbox, route, req);
  return route.worldInQuery ? enterQueriedWorld(sandbox, req.query.world) : defaultWorld;
}

async function arrivedRequest(req: Request, received: Promise<ReceivedBody>): Promise<ArrivedRequest> {
  const { bytes, tooLarge } = await received;
  if (tooLarge) throw bodyTooLarge();
  const { method, originalUrl } = req;
  const [path = ''] = originalUrl.split('?', 1);
  const query = redactedQuery(originalUrl.slice(path.length + 1));
  return { method, path: redactedPath(path), query, headers: headersOf(req), body: bytes };
}

/** The header that names the world, where it is read. */
const worldHeader = ({ settings }: SandboxContext): string | undefined =>
  settings.controlToken === null ? undefined : 'x-sandbox-world';

/** Browsers let any page send some requests, and with no key they would control the world `default`. */
export function foreignPage(): ApiError {
  return new ApiError('forbidden', {
    message: 'Web pages of other origins may not use the control API.',
    hint: 'Send the request from a program, such as the test itself, or from a page of this server.',
  });
}

/** The body as JSON, `{}` if there is none. A route that accepts YAML also gets the text; for a YAML body, only that. */
async function readBody(
  { body: schema, bodyMayBeYaml, needsBody }: Route,
  req: Request,
  received: Promise<ReceivedBody>,
): Promise<{ json?: unknown; text?: string | undefined }> {
  if (!schema) return { text: undefined };
  const body = await received;
  const yaml = bodyMayBeYaml ? yamlIn(req, body) : undefined;
  if (yaml !== undefined) return { text: yaml };
  const json = readJson(req, body, undefined, bodyMayBeYaml ? YAML : undefined);
  if (json === undefined && needsBody) throw invalidField('body', 'is required: a JSON object');
  return { json: json === undefined ? {} : json, text: bodyMayBeYaml ? body.bytes.toString('utf8') : undefined };
}

/** The body as text if its Content-Type is YAML. */
function yamlIn(req: Request, body: ReceivedBody): string | undefined {
  const type = req.headers['content-type']?.slice(0, 100).split(';')[0]?.trim().toLowerCase() ?? '';
  if (!/^(application|text)\/(x-)?yaml$/.test(type) || body.tooLarge) return undefined;
  if (!isUtf8(body.bytes)) throw invalidField('body', 'is not valid UTF-8');
  return body.bytes.toString('utf8');
}

/** The parameters of the path. Express types them as possibly arrays, which they are only for wildcards. */
function parametersOf({ params }: Request): Record<string, string> {
  const read = (name: string, text: string): string => (name === 'id' ? recordId(text) : text);
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, read(name, String(value))]));
}

/** The query of a route that takes none. */
const noQuery = z.strictObject({});

/** The value as its schema returns it; `validation_error` that lists every field that does not fit. */
export function checked<Value>(schema: z.ZodType<Value>, value: unknown, part: 'query' | 'body'): Value {
  const isKnown = (name: PropertyKey): boolean => schema instanceof z.ZodObject && name in schema.shape;
  const isRepeated = ([name = '']: readonly PropertyKey[]): boolean =>
    part === 'query' && isKnown(name) && Array.isArray((value as Readonly<Record<PropertyKey, unknown>>)[name]);
  return parseWith(
    schema,
    value,
    (faults) =>
      new ApiError(
        'validation_error',
        faultsOf(
          faults,
          ({ path }) => path.join('.') || part,
          ({ path, reason }) => (isRepeated(path) ? REPEATED : reason),
        ),
      ),
  );
}

function asApiError(sandbox: SandboxContext, req: Request, error: unknown): ApiError {
  const known = clientErrorOf(error);
  if (known) return known;
  if (error instanceof NoSuchWorld) {
    return new ApiError('not_found', { message: 'The world was deleted while the request was in progress.' });
  }
  sandbox.log.error({ err: error, method: req.method, path: req.path }, 'a control request failed');
  return new ApiError('internal_error');
}
