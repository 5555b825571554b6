// The HTTP server: Express with what makes it fast, the platform's API, the control API, and the pages for people.
import { createServer, IncomingMessage, type Server, ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { contractText, errorsPage } from './control/docs.ts';
import { writeError } from './control/response.ts';
import { controlRoutes } from './control/routes.ts';
import { serveRoutes } from './control/serve-routes.ts';
import type { SandboxContext } from './engine/sandbox-context.ts';
import { ApiError } from './errors/api-error.ts';
import { isPreflight, writePreflight } from './http/cors.ts';
import { createPlatform } from './http/platform.ts';
import { readQuery } from './http/query.ts';
import { errorEnvelope } from './http/response.ts';
import type { Validator } from './http/validate.ts';

const MOST_HEADER_BYTES = 8 * 1024;
/** What comes before the path in a whole address, as it was written. */
const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;
const platformPath = /^\/(?:api\/)?v1(?:[/?]|$)/;

export function createApp(sandbox: SandboxContext, validator: Validator): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', readQuery);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  const platform = createPlatform({ ...sandbox, validator });
  app.use((req: Request, res: Response, next: NextFunction) => {
    if (req.headers.host === undefined && req.httpVersion === '1.1') return refuseHostless(req, res);
    if (!platformPath.test(req.url)) return next();
    if (isPreflight(req)) return writePreflight(req, res);
    platform(req, res);
  });
  app.use('/_sandbox', serveRoutes(sandbox, controlRoutes));
  app.get('/docs/errors', (_req, res) => {
    res.type('html').send(errorsPage());
  });
  app.get('/openapi.yaml', (_req, res) => {
    res.type('application/yaml').send(contractText());
  });
  app.get('/', (_req, res) => {
    res.json({
      data: { name: 'ringback', version: sandbox.version, contract: '/openapi.yaml', errors: '/docs/errors' },
    });
  });
  app.use('/rooms', (req: Request, res: Response) => {
    const message = 'A room is a WebSocket; it cannot be read.';
    const hint = 'Open the room_url of POST /v1/agents/{id}/web-call with a WebSocket client.';
    const headers = { Connection: 'Upgrade', Upgrade: 'websocket' };
    const fields = { Upgrade: 'must be websocket' };
    writeError(req, res, new ApiError('validation_error', { status: 426, message, hint, fields, headers }));
  });
  app.use((req: Request, res: Response) => {
    const message = `There is no ${req.method} ${req.path.slice(0, 200)} here.`;
    const hint = 'The platform is below /v1 and /api/v1, the control API below /_sandbox.';
    writeError(req, res, new ApiError('not_found', { message, hint }));
  });
  app.use((error: unknown, req: Request, res: Response, _next: NextFunction) => {
    const { status } = error as { status?: number };
    // Express refuses a path that cannot be decoded with a 400 of its own.
    if (status === 400) return writeError(req, res, new ApiError('not_found', { message: 'There is no such path.' }));
    sandbox.log.error({ err: error, path: req.path }, 'a request failed');
    writeError(req, res, new ApiError('internal_error'));
  });
  return app;
}

/**
 * Express sets the prototype of every request and response, which spoils the engine's caches; objects that are born
 * with that prototype are left as they are.
 */
export function createHttpServer(app: Express): Server {
  // Called as functions, which is four times as fast as Reflect.construct.
  function Incoming(this: IncomingMessage, socket: Socket): void {
    (IncomingMessage as unknown as (this: IncomingMessage, socket: Socket) => void).call(this, socket);
  }
  function Outgoing(this: ServerResponse, req: IncomingMessage, options?: object): void {
    (ServerResponse as unknown as (this: ServerResponse, ...args: unknown[]) => void).call(this, req, options);
  }
  Incoming.prototype = app.request;
  Outgoing.prototype = app.response;
  // The engine counts the fields that an instance will have along the constructors' own chain, and gives them room;
  // without it they end up in a dictionary, and every request is 5 µs slower.
  Object.setPrototypeOf(Incoming, IncomingMessage);
  Object.setPrototypeOf(Outgoing, ServerResponse);
  const server = createServer(
    {
      IncomingMessage: Incoming as unknown as typeof IncomingMessage,
      ServerResponse: Outgoing as unknown as typeof ServerResponse,
      maxHeaderSize: MOST_HEADER_BYTES,
      requestTimeout: 30_000,
      headersTimeout: 10_000,
      keepAliveTimeout: 65_000,
      // Answered in the envelope below, not by a bare 400.
      requireHostHeader: false,
    },
    (req, res) => {
      const { url } = req as Request;
      // A client that takes the server for its proxy sends the whole address. Express goes by the first form it sees.
      if (!url.startsWith('/')) req.url = url.replace(origin, '').replace(/^(?=[?#]|$)/, '/');
      app(req as Request, res as Response);
    },
  );
  // Past the thousandth they would be dropped without a word; their bytes have a limit of their own.
  server.maxHeadersCount = 0;
  server.on('checkExpectation', (req, res) => refuseExpectation(req as Request, res as Response));
  server.on('connect', (_req, socket) => refuseTunnel(socket as Socket));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuseRaw(error, socket));
  return server;
}

function refuseHostless(req: Request, res: Response): void {
  res.setHeader('Connection', 'close');
  const fields = { Host: 'is required in HTTP/1.1' };
  writeError(req, res, new ApiError('validation_error', { fields, hint: 'Send the header `Host`.' }));
}

/** 400, the status of its code, where HTTP would allow 417: clients of the platform read one by the other. */
function refuseExpectation(req: Request, res: Response): void {
  res.setHeader('Connection', 'close');
  const fields = { Expect: 'asks for what this server does not do; 100-continue is the one expectation it meets' };
  writeError(req, res, new ApiError('validation_error', { fields, hint: 'Leave the header out.' }));
}

/** What the parser refuses never becomes a request; it is answered on the bare socket, in the same envelope. */
function refuseRaw(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  writeRaw(socket, refusalOf(error));
}

function refuseTunnel(socket: Socket): void {
  const message = 'This server is no proxy; it does not take CONNECT.';
  writeRaw(socket, new ApiError('method_not_allowed', { message, hint: 'Ask for a path of this server.' }));
}

/** Answers on the bare socket, and says goodbye; `origin` is where the client reached this server, where that is known. */
export function writeRaw(
  socket: Socket,
  refusal: ApiError,
  origin: string = `http://127.0.0.1:${socket.localPort}`,
): void {
  const body = JSON.stringify(errorEnvelope(refusal, origin));
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Access-Control-Allow-Origin: *',
    'Connection: close',
    ...Object.entries(refusal.detail.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function refusalOf({ code }: NodeJS.ErrnoException): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ApiError('headers_too_large', {
      message: `The request line and headers are larger than ${MOST_HEADER_BYTES} bytes.`,
    });
  }
  const slow = code === 'ERR_HTTP_REQUEST_TIMEOUT';
  return new ApiError('validation_error', {
    message: slow ? 'The request did not come in time.' : 'The bytes that came are no HTTP/1.1 request.',
    hint: 'Send a well-formed HTTP/1.1 request.',
    fields: { request: slow ? 'took longer than the server waits' : 'could not be parsed' },
  });
}
