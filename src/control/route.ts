// What a route of the control API is: a method, a path, the schemas that check what comes in, and a function that
// answers. Who may call it, reading and writing are done once, here in `serveRoutes`.
import { isUtf8 } from 'node:buffer';
import { timingSafeEqual } from 'node:crypto';
import express, { type Request, type Response, type Router } from 'express';
import { z } from 'zod';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError, invalidField } from '../errors/api-error.ts';
import { tokenOf } from '../errors/bearer.ts';
import { parseWith } from '../errors/schema-errors.ts';
import { ClientGone, endAfterBody, type ReceivedBody, readJson, receiveBody } from '../http/body.ts';
import { type ControlHeaders, noControlHeaders, readControlHeaders } from '../http/control-headers.ts';
import { enterControlWorld } from '../http/enter-world.ts';
import { originOf } from '../http/origin.ts';
import { errorEnvelope } from '../http/response.ts';
import { worldName } from '../identity/api-keys.ts';
import { sha256 } from '../identity/seeded.ts';
import { NoSuchWorld } from '../store/store.ts';

export interface ControlRequest<Query = unknown, Body = unknown> {
  readonly sandbox: SandboxContext;
  /** The world that it speaks of. */
  readonly world: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** The body as it came, where a route takes YAML too. */
  readonly text: string | undefined;
  /** The control headers of the request: well-formed, and else of no effect but for routes that look at them. */
  readonly controls: ControlHeaders;
  readonly origin: string;
  readonly signal: AbortSignal;
}

/** What a route answers: the content of `data`, and of `meta` for a list. 204 where there is no data. */
export interface ControlReply {
  readonly status?: number;
  readonly data?: unknown;
  readonly meta?: unknown;
  /** Instead of JSON. */
  readonly raw?: { readonly type: string; readonly content: string | Buffer; readonly filename?: string };
}

export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** As Express writes it, below `/_sandbox`. */
  readonly path: string;
  readonly summary: string;
  /** Answers whoever asks, with any Authorization or none. */
  readonly open?: boolean;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Whether YAML is taken beside JSON. */
  readonly bodyMayBeYaml?: boolean;
  readonly handle: (request: ControlRequest) => ControlReply | Promise<ControlReply>;
}

/** A route whose handler knows the types that its schemas give. */
export function route<Query extends z.ZodType = z.ZodUnknown, Body extends z.ZodType = z.ZodUnknown>(definition: {
  readonly method: Route['method'];
  readonly path: string;
  readonly summary: string;
  readonly open?: boolean;
  readonly query?: Query;
  readonly body?: Body;
  readonly bodyMayBeYaml?: boolean;
  readonly handle: (request: ControlRequest<z.output<Query>, z.output<Body>>) => ControlReply | Promise<ControlReply>;
}): Route {
  return definition as unknown as Route;
}

export function serveRoutes(sandbox: SandboxContext, routes: readonly Route[]): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const each of routes) {
    router[each.method](each.path, (req, res) => {
      serve(sandbox, each, req, res).catch((error) => {
        sandbox.log.error({ err: error, path: req.path }, 'a control request could not be answered');
        res.destroy();
      });
    });
  }
  const methods = new Map<string, string[]>();
  for (const { method, path } of routes) methods.set(path, [...(methods.get(path) ?? []), method.toUpperCase()]);
  for (const [path, allow] of methods) {
    router.all(path, (req, res) => {
      const message = `${req.baseUrl}${req.path} does not take ${req.method}; it takes ${allow.join(', ')}.`;
      writeError(req, res, new ApiError('method_not_allowed', { message, headers: { Allow: allow.join(', ') } }));
    });
  }
  return router;
}

async function serve(sandbox: SandboxContext, each: Route, req: Request, res: Response): Promise<void> {
  let leave: (() => void) | undefined;
  try {
    const body = receiveBody(req);
    body.catch(() => {});
    const controls = each.open ? noControlHeaders : readControlHeaders(req, 'x-sandbox-world');
    const { world, recreated } = each.open ? openWorld : await worldOf(sandbox, req);
    leave = sandbox.worlds.acquire(world);
    if (!each.open) res.setHeader('X-Sandbox-World', recreated ? `${world};recreated` : world);
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    const yaml = each.bodyMayBeYaml ? yamlIn(req, await body) : undefined;
    const json =
      each.body && yaml === undefined
        ? (readJson(req, await body, undefined, each.bodyMayBeYaml ? YAML : undefined) ?? {})
        : undefined;
    const reply = await each.handle({
      sandbox,
      world,
      params: req.params as Record<string, string>,
      query: checked(each.query ?? noQuery, { ...req.query }, 'query'),
      body: each.body && json !== undefined ? checked(each.body, json, 'body') : undefined,
      text: yaml ?? (each.bodyMayBeYaml ? (await body).bytes.toString('utf8') : undefined),
      controls,
      origin: originOf(req),
      signal: gone.signal,
    });
    writeReply(res, reply);
  } catch (error) {
    if (error instanceof ClientGone) return;
    writeError(req, res, asApiError(sandbox, req, error));
  } finally {
    leave?.();
  }
}

/** What some routes take beside JSON. */
export const YAML = 'application/yaml';

/** The body as text where it is declared as YAML. */
function yamlIn(req: Request, body: ReceivedBody): string | undefined {
  const type = req.headers['content-type']?.slice(0, 100).split(';')[0]?.trim().toLowerCase() ?? '';
  if (!/^(application|text)\/(x-)?yaml$/.test(type) || body.tooLarge) return undefined;
  if (!isUtf8(body.bytes)) throw invalidField('body', 'is not valid UTF-8');
  return body.bytes.toString('utf8');
}

const openWorld: EnteredWorld = { world: 'default', recreated: false };

interface EnteredWorld {
  readonly world: string;
  /** It had gone and was made anew for this request. */
  readonly recreated: boolean;
}

/** The world that a control request speaks of: by its key, or with a control token by header. */
async function worldOf(sandbox: SandboxContext, req: Request): Promise<EnteredWorld> {
  const { 'x-sandbox-world': named, authorization } = req.headers;
  const { controlToken } = sandbox.settings;
  if (controlToken !== null) {
    const given = tokenOf(authorization) ?? '';
    if (!timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(controlToken)))) {
      throw new ApiError('unauthorized', {
        message: 'The control API of this server takes its control token alone.',
        hint: 'Send `Authorization: Bearer <control token>`, and the world in X-Sandbox-World.',
        headers: { 'WWW-Authenticate': 'Bearer realm="ringback-control"' },
      });
    }
    return worldNamed(sandbox, named === undefined ? 'default' : String(named));
  }
  if (named !== undefined) {
    throw invalidField('X-Sandbox-World', 'is taken with a control token only; here the API key decides the world');
  }
  return enterControlWorld(sandbox, authorization);
}

async function worldNamed(sandbox: SandboxContext, name: string): Promise<EnteredWorld> {
  const entered = worldName.test(name) ? await sandbox.worlds.enterTestWorld(name) : undefined;
  if (entered) return { world: name, recreated: entered.recreated };
  throw new ApiError('not_found', { message: `There is no world "${name.slice(0, 80)}".` });
}

/** The query of a route that takes none. */
const noQuery = z.strictObject({});

/** What comes in, as its schema has it; `validation_error` with every field that is not. */
function checked(schema: z.ZodType, value: unknown, where: 'query' | 'body'): unknown {
  return parseWith(schema, value, (faults) => {
    // Whatever a client calls a field, it is an entry and nothing more.
    const fields = new Map<string, string>();
    for (const { path, reason } of faults) {
      const name = path.join('.') || where;
      if (!fields.has(name)) fields.set(name, reason);
    }
    return new ApiError('validation_error', { fields: Object.fromEntries(fields) });
  });
}

function asApiError(sandbox: SandboxContext, req: Request, error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof NoSuchWorld) return new ApiError('not_found', { message: 'The world is gone.' });
  sandbox.log.error({ err: error, method: req.method, path: req.path }, 'a control request failed');
  return new ApiError('internal_error');
}

function writeReply(res: Response, { status, data, meta, raw }: ControlReply): void {
  if (res.headersSent || res.destroyed) return;
  if (raw) {
    res.writeHead(status ?? 200, {
      'Content-Type': raw.type,
      'Content-Length': Buffer.byteLength(raw.content),
      // What someone else has made is saved under its name, and never run as a page of this server.
      ...(raw.filename === undefined ? {} : savedAs(raw.filename)),
    });
    res.end(raw.content);
    return;
  }
  if (data === undefined) {
    res.writeHead(status ?? 204).end();
    return;
  }
  const body = JSON.stringify(meta === undefined ? { data } : { data, meta });
  res.writeHead(status ?? 200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  res.end(body);
}

function savedAs(filename: string): Record<string, string> {
  // By way of bytes, which leaves no half of a surrogate pair; RFC 5987 reserves a few characters more.
  const name = encodeURIComponent(Buffer.from(filename).toString()).replace(
    /['()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16)}`,
  );
  return { 'Content-Disposition': `attachment; filename*=UTF-8''${name}`, 'X-Content-Type-Options': 'nosniff' };
}

/** An error outside the platform's pipeline, in the platform's envelope. */
export function writeError(req: Request, res: Response, error: ApiError): void {
  if (res.headersSent || res.destroyed) return;
  const body = JSON.stringify(errorEnvelope(error, originOf(req)));
  res.writeHead(error.status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...(error.code === 'payload_too_large' ? { Connection: 'close' } : {}),
    ...error.detail.headers,
  });
  if (error.code === 'payload_too_large') endAfterBody(req, res, body);
  else res.end(body);
}

/** A number of a query, in plain digits alone: what else can be read as one (`0x10`, nothing) was not meant as one. */
export function inDigits<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((text) => (typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : text), schema);
}

const whole = 'must be a whole number';

/** A whole number of a query. */
export const wholeNumber = inDigits(z.int({ error: whole }).min(0).max(999_999_999));

/** The paging that every list of the control API takes. */
export const paging = {
  cursor: z.string().optional(),
  page_size: inDigits(
    z
      .int({ error: `${whole} from 1 to 1000` })
      .min(1)
      .max(1000)
      .default(100),
  ),
};

/** One page of a list, newest first; the cursor is the id of the last entry of the page before. */
export function pageOfEntries<Entry extends { readonly id: string }>(
  newestFirst: readonly Entry[],
  { cursor, page_size }: { cursor?: string | undefined; page_size: number },
): { page: Entry[]; meta: { cursor: string | null; total_results: number; page_size: number } } {
  const start = cursor === undefined ? 0 : newestFirst.findIndex(({ id }) => id === cursor) + 1;
  if (cursor !== undefined && start === 0) {
    throw invalidField('cursor', 'is no cursor of this list, or what it stood for has been dropped');
  }
  const page = newestFirst.slice(start, start + page_size);
  const more = start + page_size < newestFirst.length;
  const last = page[page.length - 1];
  return { page, meta: { cursor: more && last ? last.id : null, total_results: newestFirst.length, page_size } };
}
