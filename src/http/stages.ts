// The request context, one type per stage of the pipeline: received → matched → controlled → authenticated → read →
// parsed → executed. Each holds what the stage before it established and adds what is known from then on.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AssumptionValues } from '../assumptions/catalogue.ts';
import type { Outcome, Runnable } from '../engine/execute.ts';
import type { Caller, Files } from '../engine/operation.ts';
import type { WorldScenarios } from '../scenarios/library.ts';
import { BODY_LIMIT, type ReceivedBody } from './body.ts';
import type { Controls } from './controls.ts';
import type { RateStatus } from './rate-limit.ts';

export interface Received {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly rawQuery: string;
  /** When it arrived, by `performance.now()`. */
  readonly began: number;
}

/** The operation that method and path name, and the parameters of the path. */
export interface Route extends Runnable {
  readonly params: Readonly<Record<string, string>>;
  /** The largest body, in bytes, that this operation reads. */
  readonly bodyLimit: number;
}

/** The id and the world of a request that its response names; null if not known. */
export interface RequestIdentity {
  readonly world: string | null;
  readonly id: string | null;
}

/** A request's place in its world's journal: its id there, the world's time at which it came, and the epoch of both. */
export interface JournalPlace extends RequestIdentity {
  readonly world: string;
  readonly id: string;
  readonly at: number;
  readonly epoch: number;
  /** What the world has set in the assumption ledger. */
  readonly assumptions: AssumptionValues;
}

/** What is known once a request has entered its world and been counted there. */
export interface Entered extends JournalPlace {
  readonly caller: Caller;
  /** Whether the world had expired and was created again for this request. */
  readonly recreated: boolean;
  readonly rate: RateStatus;
  readonly scenarios: WorldScenarios;
  /** Whether the world has faults that the request may meet. */
  readonly hasFaults: boolean;
}

// The stages hold references instead of copying fields: spreading an object of this size costs microseconds.
export interface ReceivedRequest {
  readonly received: Received;
}

export interface MatchedRequest extends ReceivedRequest {
  readonly route: Route;
}

export interface ControlledRequest extends MatchedRequest {
  readonly controls: Controls;
}

export interface AuthenticatedRequest extends ControlledRequest {
  readonly entered: Entered;
}

export interface ReadRequest extends AuthenticatedRequest {
  /** Null for an operation that takes none. */
  readonly body: ReceivedBody | null;
}

export interface ParsedRequest extends ReadRequest {
  readonly json: unknown;
  /** What the fields of a large body that are files hold. */
  readonly files: Files;
  readonly query: Record<string, unknown>;
}

/** Its operation has run, or failed after a scenario may have been selected. */
export interface ExecutedRequest extends ParsedRequest {
  readonly outcome: Pick<Outcome, 'selection' | 'replayed'>;
}

/** A request at any stage; checks such as `'entered' in request` narrow it. */
export type AnyStage =
  | ReceivedRequest
  | MatchedRequest
  | ControlledRequest
  | AuthenticatedRequest
  | ReadRequest
  | ParsedRequest
  | ExecutedRequest;

export function receive(req: IncomingMessage, res: ServerResponse): ReceivedRequest {
  const { method = '', url = '/' } = req;
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const rawQuery = mark < 0 ? '' : url.slice(mark + 1);
  return { received: { req, res, method, path, rawQuery, began: performance.now() } };
}

/** Whether more of the body may arrive than is ever read; the connection cannot be used again then. */
export function mayLeaveBytes(request: AnyStage): boolean {
  if ('body' in request && request.body?.tooLarge) return true;
  const { req } = request.received;
  const { 'content-length': length, 'transfer-encoding': encoding } = req.headers;
  // Only an admitted body is read beyond BODY_LIMIT.
  const limit = 'body' in request ? request.route.bodyLimit : BODY_LIMIT;
  return Number(length) > limit || (encoding !== undefined && !req.complete);
}
