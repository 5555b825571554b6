// The HTTP server: Express (tuned for speed) with the platform's API, the control API, and pages for people.
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { loadContract } from './contract/document.ts';
import { openapi30 } from './contract/openapi-3.0.ts';
import { dashboardPath, serveDashboard } from './control/dashboard.ts';
import { contractText, errorsPage } from './control/docs.ts';
import { referencePages, serveReference } from './control/reference.ts';
import { controlRoutes } from './control/routes.ts';
import { routerOf, type Served } from './control/serve-routes.ts';
import type { RequestValidator } from './engine/check-request.ts';
import type { SandboxContext } from './engine/sandbox-context.ts';
import { ApiError } from './errors/api-error.ts';
import { didYouMeanPath } from './errors/did-you-mean.ts';
import type { Callers } from './http/callers.ts';
import type { HeaderCheck } from './http/check-headers.ts';
import { isPreflight, writePreflight } from './http/cors.ts';
import { addressOf, type OwnAddresses } from './http/own-address.ts';
import { createPlatform } from './http/platform.ts';
import { readQuery } from './http/query.ts';
import {
  afterEarlier,
  MAX_HEADER_BYTES,
  parserError,
  responseOn,
  stopReading,
  takeOver,
  writeRaw,
} from './http/raw-response.ts';
import { createRequestLog, logBareRequest } from './http/request-log.ts';
import { writeError } from './http/write-response.ts';
import type { Log } from './log.ts';
import { prefixOf } from './public-url.ts';

/** The part of an absolute URL before its path. */
const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;
const platformPath = /^\/(?:api\/)?v1(?:[/?]|$)/;

const served = new WeakMap<Express, Served>();
const controlRouter = routerOf(controlRoutes, served);

export function createApp(sandbox: SandboxContext, validator: RequestValidator, callers: Callers): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', readQuery);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  served.set(app, { sandbox, callers });
  const platform = createPlatform({ ...sandbox, validator }, callers);
  app.use((req: Request, res: Response, next: NextFunction) => {
    if (!platformPath.test(req.url)) return next();
    if (isPreflight(req)) return writePreflight(req, res);
    platform(req, res);
  });
  app.use('/_sandbox', serveDashboard(), controlRouter);
  app.use(serveReference());
  app.use(servePages(sandbox.version));
  app.use('/rooms', refuseRoom);
  app.use(refusePath);
  app.use((error: unknown, req: Request, res: Response, _next: NextFunction) => {
    // For a path that cannot be decoded, Express throws its own 400.
    const isMalformed = error instanceof Error && 'status' in error && error.status === 400;
    if (isMalformed) return refusePath(req, res);
    sandbox.log.error({ err: error, path: req.path }, 'a request failed');
    writeError(req, res, new ApiError('internal_error'));
  });
  return app;
}

/** `prefix` is the path under which a proxy serves this server, empty without one. */
type Page = (res: Response, version: string, prefix: string) => void;

/** The pages for people and tools, by path. */
const pages: ReadonlyMap<string, Page> = new Map<string, Page>([
  [
    '/',
    (res, version, prefix) => {
      res.setHeader('Vary', 'Accept');
      if (isAskedForPage(res.req)) return void res.redirect(302, dashboardPath(res.req));
      const [dashboard, reference] = [`${prefix}/_sandbox/ui/`, `${prefix}/docs`];
      const [contract, errors] = [`${prefix}/openapi.yaml`, `${prefix}/docs/errors`];
      res.json({ data: { name: 'ringback', version, dashboard, reference, contract, errors } });
    },
  ],
  ['/docs/errors', (res) => res.type('html').send(errorsPage())],
  ['/openapi.yaml', (res, _, prefix) => res.type('application/yaml').send(servedUnder(prefix, contractText()))],
  [
    '/openapi-3.0.yaml',
    (res, _, prefix) => res.type('application/yaml').send(servedUnder(prefix, openapi30(contractText()))),
  ],
]);

/** Browsers name HTML when they open an address; programs do not, or take anything. */
const isAskedForPage = ({ headers }: Request): boolean => headers.accept?.includes('text/html') ?? false;

/** A contract whose paths are those of this server, as its reader reaches it. */
const servedUnder = (prefix: string, contract: string): string =>
  prefix === '' ? contract : contract.replace(/^servers:\n {2}- url: \/$/m, `servers:\n  - url: ${prefix}`);

function servePages(version: string): RequestHandler {
  return (req, res, next) => {
    const { method, path } = req;
    const send = pages.get(path);
    if (!send) return next();
    if (method === 'GET' || method === 'HEAD') return send(res, version, prefixOf(addressOf(req)));
    const message = `${path} does not support ${method}; allowed: GET, HEAD.`;
    writeError(req, res, new ApiError('method_not_allowed', { message, headers: { Allow: 'GET, HEAD' } }));
  };
}

function refuseRoom(req: Request, res: Response): void {
  const message = 'A room takes WebSocket connections only.';
  const hint = 'Open the room_url of POST /v1/agents/{id}/web-call with a WebSocket client.';
  const headers = { Connection: 'Upgrade', Upgrade: 'websocket' };
  const fields = { Upgrade: 'must be websocket' };
  writeError(req, res, new ApiError('validation_error', { status: 426, message, hint, fields, headers }));
}

function refusePath(req: Request, res: Response): void {
  const method = req.method === 'HEAD' ? 'get' : req.method.toLowerCase();
  const control = controlRoutes.filter((route) => route.method === method).map(({ path }) => `/_sandbox${path}`);
  const platform = [...loadContract().operations.values()].filter((each) => each.method.toLowerCase() === method);
  const templates = [
    ...(method === 'get' ? [...referencePages, ...pages.keys()] : []),
    ...control,
    ...platform.map(({ path }) => path),
  ];
  const message = `There is no path ${req.path.slice(0, 200)}${didYouMeanPath(req.path, templates) || '.'}`;
  const hint = 'Send platform requests below /v1 or /api/v1, control requests below /_sandbox.';
  writeError(req, res, new ApiError('not_found', { message, hint }));
}

/** A client that uses this server as its proxy sends an absolute URL, which Express would not route. */
const pathOf = (url: string): string =>
  url.startsWith('/') ? url : url.replace(origin, '').replace(/^(?=[?#]|$)/, '/');

/** What is done with each request before it is routed. */
export interface Entrance {
  readonly addresses: OwnAddresses;
  readonly checkHeaders: HeaderCheck;
}

/**
 * Express sets the prototype of every request and response to `app.request` and `app.response`, which spoils V8's
 * caches; here every object is created with the prototype that Express will set.
 */
export function createHttpServer(app: Express, log: Log, { addresses, checkHeaders }: Entrance): Server {
  class Incoming extends IncomingMessage {}
  class Outgoing<Message extends IncomingMessage = IncomingMessage> extends ServerResponse<Message> {}
  Object.setPrototypeOf(Incoming.prototype, app.request);
  Object.setPrototypeOf(Outgoing.prototype, app.response);
  Object.assign(app, { request: Incoming.prototype, response: Outgoing.prototype });
  const options = {
    IncomingMessage: Incoming,
    ServerResponse: Outgoing,
    maxHeaderSize: MAX_HEADER_BYTES,
    requestTimeout: 30_000,
    headersTimeout: 10_000,
    keepAliveTimeout: 65_000,
    // How often Node looks for requests past these times.
    connectionsCheckingInterval: 1000,
    // Refused in the error envelope, not with Node's bare 400.
    requireHostHeader: false,
  };
  const logRequest = createRequestLog(log);
  const serve = (req: IncomingMessage, res: ServerResponse): void => {
    const refusal = checkHeaders(req);
    req.url = pathOf(req.url ?? '/');
    addresses.note(req);
    // A failed response concerns only its client, which has usually gone.
    res.on('error', endResponse);
    logRequest(req, res);
    if (refusal) refuseHeaders(req, res, refusal);
    else app(req, res);
  };
  const server = createServer(options, (req, res) => {
    try {
      serve(req, res);
    } catch (error) {
      // Later, nobody knows which request it was.
      log.error({ err: error, method: req.method, path: req.url }, 'a request could not be answered');
      writeError(req, res, new ApiError('internal_error'));
    }
  });
  // Node would silently drop headers beyond the thousandth; maxHeaderSize limits them already.
  server.maxHeadersCount = 0;
  server.on('checkExpectation', (req, res) => {
    addresses.note(req);
    logRequest(req, res);
    refuseExpectation(req, res);
  });
  server.on('connect', (req, socket: Socket) => refuseTunnel(log, addresses, req, socket));
  server.on('clientError', (error, socket: Socket) => refuseMalformed(log, addresses, error, socket));
  return server;
}

function endResponse(this: ServerResponse): void {
  this.destroy();
}

/** The connection is not used again: what follows on it may be meant for another request, or another server. */
function refuseHeaders(req: IncomingMessage, res: ServerResponse, refusal: ApiError): void {
  res.setHeader('Connection', 'close');
  // A refused host is not the address of this server's pages either.
  delete req.headers.host;
  writeError(req, res, refusal);
}

/** 400, the status of its code, although HTTP allows 417: clients of the platform map statuses to codes. */
function refuseExpectation(req: IncomingMessage, res: ServerResponse): void {
  res.setHeader('Connection', 'close');
  const fields = { Expect: 'is not supported, except for 100-continue' };
  writeError(req, res, new ApiError('validation_error', { fields, hint: 'Leave the header out.' }));
}

/** What the HTTP parser rejects never becomes a request. */
function refuseMalformed(log: Log, addresses: OwnAddresses, error: NodeJS.ErrnoException, socket: Socket): void {
  takeOver(socket);
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  stopReading(socket);
  answerMalformed(log, addresses, error, socket);
}

function answerMalformed(log: Log, addresses: OwnAddresses, error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) return void socket.destroy();
  const response = responseOn(socket);
  // The bytes may follow a request that is still being answered; responses keep their order.
  if (response?.req.complete) return void response.once('close', () => answerMalformed(log, addresses, error, socket));
  if (response?.headersSent) return void socket.destroy();
  const refusal = parserError(error);
  writeRaw(socket, refusal, addresses.ofConnection(socket));
  logBareRequest(log, null, refusal.status, { error_code: refusal.code });
}

function refuseTunnel(log: Log, addresses: OwnAddresses, req: IncomingMessage, socket: Socket): void {
  takeOver(socket);
  const message = 'This server is not a proxy and does not support CONNECT.';
  const hint = 'Request a path of this server.';
  const refusal = new ApiError('method_not_allowed', { message, hint });
  afterEarlier(socket, () => {
    writeRaw(socket, refusal, addresses.ofConnection(socket));
    logBareRequest(log, req, refusal.status, { error_code: refusal.code });
  });
}
