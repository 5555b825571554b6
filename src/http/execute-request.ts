// Executes a parsed request and turns its outcome into a response. The journal entry commits with the effect.
import { assumed } from '../assumptions/catalogue.ts';
import type { Operation as ContractOperation } from '../contract/document.ts';
import { isJsonObject } from '../contract/json.ts';
import {
  type ExecutableRequest,
  type ExecuteOptions,
  type Execution,
  execute,
  executeIn,
  type Outcome,
} from '../engine/execute.ts';
import { type IdempotencyKey, readIdempotencyKey } from '../engine/idempotency.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Tx } from '../store/store.ts';
import type { HeldResources } from './held-resources.ts';
import { longJson } from './long-body.ts';
import { addressOf } from './own-address.ts';
import { appendRequest, recordRequest, timeTaken } from './request-journal.ts';
import { type HttpResponse, responseTo, withLongBody } from './response.ts';
import type { ExecutedRequest, ParsedRequest } from './stages.ts';

export interface Executed {
  readonly request: ExecutedRequest;
  readonly response: HttpResponse;
}

export type ExecutionParts = ExecuteOptions & Pick<SandboxContext, 'version'>;

export function executeRequest(parts: ExecutionParts, request: ParsedRequest): Promise<Execution<Executed>> {
  return execute(parts, request.route, executableOf(request), conclusionOf(parts, request, timeTaken(request)));
}

/** The same in a transaction that has begun; `took` is the same each time that it runs. */
export function executeRequestIn(
  tx: Tx,
  parts: Pick<ExecutionParts, 'settings' | 'secrets' | 'validator' | 'version'>,
  request: ParsedRequest,
  took: () => number,
): Execution<Executed> {
  return executeIn(tx, parts, request.route, executableOf(request), conclusionOf(parts, request, took));
}

function executableOf(request: ParsedRequest): ExecutableRequest {
  const { received, route, controls, entered, json, files, query } = request;
  return {
    world: entered.world,
    epoch: entered.epoch,
    cause: entered.id,
    params: route.params,
    query,
    body: withoutUnset(route.contract, json),
    files,
    caller: entered.caller,
    address: addressOf(received.req),
    scenarios: entered.scenarios,
    scenario: controls.scenario,
    idempotencyKey: keyOf(request),
  };
}

/** Turns the outcome into a response, and journals both. */
function conclusionOf(
  parts: Pick<ExecutionParts, 'settings' | 'version'>,
  request: ParsedRequest,
  took: () => number,
): (tx: Tx, outcome: Outcome) => Executed {
  return (tx, outcome) => {
    const executed = withOutcome(request, outcome);
    const response = responseTo(parts, executed, outcome.result);
    appendRequest(tx, executed, request.entered, response, took);
    return { request: executed, response };
  };
}

/** A body without the optional fields that its client has not set, but sends as null or as an empty list. */
function withoutUnset({ optionalFields }: ContractOperation, body: unknown): unknown {
  if (optionalFields.length === 0 || !isJsonObject(body)) return body;
  const unset = optionalFields.filter(({ name, isList }) => {
    const value = body[name];
    return value === null || (isList && Array.isArray(value) && value.length === 0);
  });
  if (unset.length === 0) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !unset.some((field) => field.name === name)));
}

export function withOutcome(
  { received, route, controls, entered, body, json, files, query }: ParsedRequest,
  outcome: ExecutedRequest['outcome'],
): ExecutedRequest {
  return { received, route, controls, entered, body, json, files, query, outcome };
}

function keyOf({ received, route, entered, json }: ParsedRequest): IdempotencyKey | null {
  const given = received.req.headers['idempotency-key'];
  const { takesIdempotencyKey, method } = route.contract;
  if (given === undefined || !takesIdempotencyKey) return null;
  return readIdempotencyKey(String(given), entered.caller, method, received.path, json, entered.assumptions);
}

/**
 * Completes the body of a success, outside the transaction, with what is never stored, or makes a long one in turns; journals
 * the completed response.
 */
export async function completeResponse(
  parts: ExecutionParts,
  { request, response }: Executed,
  { result }: Outcome,
  held: Pick<HeldResources, 'takeForResponse'>,
): Promise<HttpResponse> {
  const { implementation } = request.route;
  if (response.toBeMade !== undefined) {
    const { world } = request.entered;
    const take = (bytes: number): void => held.takeForResponse(world, bytes, request.received.method);
    const long = withLongBody(response, await parts.turns.workThrough(world, longJson(response.toBeMade, take)));
    await recordRequest(parts, request, request.entered, long);
    return long;
  }
  if (!implementation.complete || result instanceof ApiError) return response;
  const address = addressOf(request.received.req);
  const { assumptions, at, caller } = request.entered;
  const now = assumed(assumptions, 'token_clock') === 'world' ? at : parts.store.systemTime();
  const body = await implementation.complete(result.body, { now, address, caller, secrets: parts.secrets });
  const completed = responseTo(parts, request, { status: result.status, body });
  await recordRequest(parts, request, request.entered, completed);
  return completed;
}
