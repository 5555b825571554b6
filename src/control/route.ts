// A route of the control API: method, path, the schemas that check its input, and a handler that calls a use case.
import type { z } from 'zod';
import type { Requester } from '../admin/worlds.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import type { ControlHeaders } from '../http/control-headers.ts';

/** The names of the parameters in a path such as `/keys/:id`. */
type ParameterNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type PathParameters<Path extends string> = Readonly<Record<ParameterNames<Path>, string>>;

export interface ControlRequest<Params = Readonly<Record<string, string>>, Query = unknown, Body = unknown> {
  readonly sandbox: SandboxContext;
  /** The world that the request is about. */
  readonly world: string;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The body as it was sent, if the route also accepts YAML. */
  readonly text: string | undefined;
  /** What the sender may do beyond this world. */
  readonly authority: Requester['authority'];
  /** Well-formed control headers, which only some routes use. */
  readonly controls: ControlHeaders;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** `data`, and `meta` for a list; 204 if there is no data. */
export interface ControlResponse {
  readonly status?: number;
  readonly data?: unknown;
  readonly meta?: unknown;
  /** Sent instead of JSON. */
  readonly raw?: { readonly type: string; readonly content: string | Buffer; readonly filename?: string };
}

interface RouteFacts<Path extends string> {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** In Express's notation, below `/_sandbox`. */
  readonly path: Path;
  readonly summary: string;
  /** Needs no key or control token, and ignores an Authorization header. */
  readonly open?: boolean;
  /** Responds to web pages of other origins too, which the control API otherwise refuses. */
  readonly anyOrigin?: boolean;
  /** Is about the server rather than a world, so the world of a test key is not created for it. */
  readonly aboutServer?: boolean;
  /** Whether the body may be YAML instead of JSON. */
  readonly bodyMayBeYaml?: boolean;
}

/** A route as the server sees it. */
export interface Route extends RouteFacts<string> {
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** A method, so that handlers with narrower input are accepted: the server passes to each what its own schemas return. */
  handle(request: ControlRequest): ControlResponse | Promise<ControlResponse>;
}

interface RouteDefinition<Path extends string, Query extends z.ZodType, Body extends z.ZodType>
  extends RouteFacts<Path> {
  readonly query?: Query;
  readonly body?: Body;
  handle(
    request: ControlRequest<PathParameters<Path>, z.output<Query>, z.output<Body>>,
  ): ControlResponse | Promise<ControlResponse>;
}

/** Defines a route. Its handler's input is typed by the path and the schemas. */
export function defineRoute<
  const Path extends string,
  Query extends z.ZodType = z.ZodUnknown,
  Body extends z.ZodType = z.ZodUnknown,
>(definition: RouteDefinition<Path, Query, Body>): Route {
  return definition;
}
