// A route of the control API: method, path, the schemas that check its input, what it answers, and a handler that calls a
// use case.
import type { z } from 'zod';
import type { Requester } from '../admin/worlds.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import type { AnyCode } from '../errors/catalogue.ts';
import type { ControlHeaders } from '../http/control-headers.ts';
import type { AnswerName, Shown } from './answers/index.ts';

/** The names of the parameters in a path such as `/keys/:id`. */
type ParameterNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type PathParameters<Path extends string> = Readonly<Record<ParameterNames<Path>, string>>;

/** A request as it arrived, for a route that records it. */
export interface ArrivedRequest {
  readonly method: string;
  readonly path: string;
  /** Without its question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

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
  /** The organization of the sender's API key; undefined without one. */
  readonly organization: string | undefined;
  /** Well-formed control headers, which only some routes use. */
  readonly controls: ControlHeaders;
  /** What was received, secrets in the headers and the query aside; `payload_too_large` for a body past its limit. */
  readonly arrived: () => Promise<ArrivedRequest>;
  /** Where the sender reached this server. */
  readonly address: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** What a handler returns, whatever its route answers; nothing in it for a response without a body. */
export interface ControlResponse {
  /** The first of the route's statuses unless given. */
  readonly status?: number;
  readonly data?: unknown;
  readonly meta?: unknown;
  /** Sent instead of JSON. */
  readonly raw?: RawBody;
  readonly ranged?: RangedBody;
}

export interface RawBody {
  readonly type: string;
  readonly content: string | Buffer;
  readonly filename?: string;
}

/** Bytes that are made as they are sent, and of which a client can ask for a part. */
export interface RangedBody {
  readonly type: string;
  readonly length: number;
  /** What its ETag quotes: the same for the same bytes alone. */
  readonly tag: string;
  /** The bytes from `start` up to, but without, `end`. */
  readonly read: (start: number, end: number) => Iterable<Buffer>;
}

/**
 * What a route answers when it succeeds: one object or a list under `data` by its name in `answers/`, where a journal's
 * list also counts what it has dropped; bytes, whole or a range of them; or no body.
 */
export type Answer =
  | {
      readonly shape: 'one' | 'page' | 'journal';
      readonly name: AnswerName;
      readonly statuses: Statuses;
      /** The media types of other forms, which the request can ask for. */
      readonly formats?: readonly string[];
    }
  | { readonly shape: 'bytes' | 'ranges'; readonly type: string; readonly statuses: Statuses }
  | { readonly shape: 'nothing'; readonly statuses: Statuses };

/** The first one is meant unless the handler names another. */
type Statuses = readonly [number, ...number[]];

export const one = <const Name extends AnswerName>(name: Name, statuses: Statuses = [200]) =>
  ({ shape: 'one', name, statuses }) as const;
/** One object, or what it says in another form. */
export const oneOf = <const Name extends AnswerName>(name: Name, formats: readonly string[]) =>
  ({ shape: 'one', name, statuses: [200], formats }) as const;
export const created = <const Name extends AnswerName>(name: Name) => one(name, [201]);
export const page = <const Name extends AnswerName>(name: Name) => ({ shape: 'page', name, statuses: [200] }) as const;
export const journal = <const Name extends AnswerName>(name: Name) =>
  ({ shape: 'journal', name, statuses: [200] }) as const;
export const bytes = (type: string) => ({ shape: 'bytes', type, statuses: [200] }) as const;
export const ranges = (type: string) => ({ shape: 'ranges', type, statuses: [200, 206] }) as const;
/** The connection goes on as a WebSocket. */
export const upgraded = { shape: 'nothing', statuses: [101] } as const;
export const nothing = { shape: 'nothing', statuses: [204] } as const;

/** What the handler of a route with this answer returns. */
type ResponseOf<A extends Answer> =
  | JsonOf<A>
  | (A extends { readonly formats: readonly string[] } ? { readonly raw: RawBody } : never);

type JsonOf<A extends Answer> = A extends { shape: 'one'; name: infer Name extends AnswerName }
  ? { readonly status?: number; readonly data: Shown<Name> }
  : A extends { shape: 'page'; name: infer Name extends AnswerName }
    ? { readonly data: readonly Shown<Name>[]; readonly meta: Shown<'PageMeta'> }
    : A extends { shape: 'journal'; name: infer Name extends AnswerName }
      ? { readonly data: readonly Shown<Name>[]; readonly meta: Shown<'JournalMeta'> }
      : A extends { shape: 'bytes' }
        ? { readonly raw: RawBody }
        : A extends { shape: 'ranges' }
          ? { readonly ranged: RangedBody }
          : Readonly<Record<string, never>>;

interface RouteFacts<Path extends string> {
  /** The id of the operation, such as `getClock`. */
  readonly id: string;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** In Express's notation, below `/_sandbox`. */
  readonly path: Path;
  /** Less than 50 characters, no full stop. */
  readonly summary: string;
  /** What the summary leaves out, in sentences. */
  readonly description: string;
  /** The errors that its use case throws, besides those of every request with such input. */
  readonly errors?: readonly AnyCode[];
  /** Needs no key or control token, and ignores an Authorization header. */
  readonly open?: boolean;
  /** Responds to web pages of other origins too, which the control API otherwise refuses. */
  readonly anyOrigin?: boolean;
  /** Whether it takes every method that no other route of its path has; the document shows the one that is given. */
  readonly anyMethod?: boolean;
  /** Is about the world that its query names, which must exist; for an open route. */
  readonly worldInQuery?: boolean;
  /** Is about the server rather than a world, so the world of a test key is not created for it. */
  readonly aboutServer?: boolean;
  /** Whether the body may be YAML instead of JSON. */
  readonly bodyMayBeYaml?: boolean;
  /** Whether a request without a body is refused, where the schema of the body alone does not say so. */
  readonly needsBody?: boolean;
  /** Whether it reads whole journals, or makes an answer of a snapshot; where it lists a journal, it always does. */
  readonly readsMuch?: boolean;
  /** Control headers that it takes. */
  readonly headers?: readonly 'X-Sandbox-Scenario'[];
  /** What a path parameter is, by its name. */
  readonly parameters?: PathParameters<Path>;
}

/** A route as the server sees it. */
export interface Route extends RouteFacts<string> {
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** What the document shows as the body, by its name in `answers/`, where the use case checks it and not `body`. */
  readonly bodyName?: AnswerName;
  readonly answer: Answer;
  /** A method, so that handlers with narrower input are accepted: the server passes to each what its own schemas return. */
  handle(request: ControlRequest): ControlResponse | Promise<ControlResponse>;
}

/** A noun of the API: its routes, and how the document calls them. */
export interface ControlNoun {
  readonly name: string;
  readonly description: string;
  readonly routes: readonly Route[];
}

interface RouteDefinition<Path extends string, Query extends z.ZodType, Body extends z.ZodType, A extends Answer>
  extends Omit<Route, keyof RouteFacts<string> | 'query' | 'body' | 'answer' | 'handle'>,
    RouteFacts<Path> {
  readonly query?: Query;
  readonly body?: Body;
  readonly answer: A;
  handle(
    request: ControlRequest<PathParameters<Path>, z.output<Query>, z.output<Body>>,
  ): ResponseOf<A> | Promise<ResponseOf<A>>;
}

/** Defines a route. Its handler's input is typed by the path and the schemas, what it returns by the answer. */
export function defineRoute<
  const Path extends string,
  const A extends Answer,
  Query extends z.ZodType = z.ZodUnknown,
  Body extends z.ZodType = z.ZodUnknown,
>(definition: RouteDefinition<Path, Query, Body, A>): Route {
  return definition;
}
