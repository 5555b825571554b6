// CORS: a preflight on the platform's paths is answered before all checks and grants what the API accepts.
import type { IncomingMessage, ServerResponse } from 'node:http';

const ALLOW_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const ALLOW_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, X-Source-Secret, X-Sandbox-Scenario, X-Sandbox-Error, X-Sandbox-Delay, X-Sandbox-Fault';

export function isPreflight(req: IncomingMessage): boolean {
  const { origin, 'access-control-request-method': method } = req.headers;
  return req.method === 'OPTIONS' && origin !== undefined && method !== undefined;
}

export function writePreflight(req: IncomingMessage, res: ServerResponse): void {
  const requested = req.headers['access-control-request-headers'];
  res.writeHead(204, {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': ALLOW_METHODS,
    'Access-Control-Allow-Headers':
      requested !== undefined && /^[\w, -]{1,1000}$/.test(requested) ? requested : ALLOW_HEADERS,
    'Access-Control-Max-Age': '600',
  });
  res.end();
}
