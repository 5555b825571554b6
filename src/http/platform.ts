// The pipeline of a platform request: the order of checks of `interface.md` section 3.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { assumed } from '../assumptions/catalogue.ts';
import { loadContract } from '../contract/document.ts';
import type { RequestValidator } from '../engine/check-request.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError } from '../errors/api-error.ts';
import { StoreAway } from '../store/store-away.ts';
import { type ArrivingBody, ClientGone } from './body.ts';
import type { Callers } from './callers.ts';
import { StoppedBefore } from './check-access.ts';
import { clientErrorOf } from './client-error.ts';
import { type Controls, noControls } from './controls.ts';
import { enterWorld } from './enter-world.ts';
import { completeResponse } from './execute-request.ts';
import { createOperationFinder } from './find-operation.ts';
import { HeldResources } from './held-resources.ts';
import { readControls, startBody, withBody } from './read-request.ts';
import { identify, recordRequest } from './request-journal.ts';
import { noteRequest, type RequestNote } from './request-log.ts';
import { errorResponse, type HttpResponse, noResponse, responseBefore, sizeOfResponse } from './response.ts';
import { serveAtOnce, serveInSteps } from './serve-request.ts';
import { type AnyStage, type JournalPlace, type ReceivedRequest, receive } from './stages.ts';
import { delay, writeError, writeResponse } from './write-response.ts';

export type PlatformHandler = (req: IncomingMessage, res: ServerResponse) => void;

export interface PlatformParts
  extends Pick<
    SandboxContext,
    | 'store'
    | 'worlds'
    | 'budget'
    | 'settings'
    | 'secrets'
    | 'scenarios'
    | 'scheduler'
    | 'runTask'
    | 'turns'
    | 'version'
    | 'metrics'
    | 'log'
  > {
  readonly validator: RequestValidator;
}

/** What to send: a response, or null if the connection is to be broken before the request has any effect. */
interface PendingResponse {
  readonly request: AnyStage;
  readonly world: string | null;
  readonly response: HttpResponse | null;
  readonly controls: Controls;
}

export function createPlatform(parts: PlatformParts, callers: Callers): PlatformHandler {
  const respond = createPipeline(parts, callers);

  async function handle(request: ReceivedRequest, held: HeldResources): Promise<void> {
    const pending = await respond(request, held);
    if (!pending) return;
    const { res } = request.received;
    noteRequest(res, () => noteOf(pending));
    count(parts, pending);
    const { world, response } = pending;
    if (world !== null && response?.errorCode === 'rate_limited') callers.refused(world);
    if (pending.controls.delayMs > 0) await delay(res, pending.controls.delayMs);
    writeResponse(res, pending.response, pending.controls.fault);
  }

  return (req, res) => {
    const request = receive(req, res);
    const held = new HeldResources(parts);
    handle(request, held)
      .catch((error) => {
        const known = clientErrorOf(error);
        if (known) return writeError(req, res, known);
        const { path } = request.received;
        parts.log.error({ err: error, method: req.method, path }, 'a request could not be answered');
        writeError(req, res, new ApiError('internal_error'));
      })
      .finally(() => held.release(res));
  };
}

/** Takes a request through its stages. Resolves to undefined if the client left before its body had arrived. */
function createPipeline(
  parts: PlatformParts,
  callers: Callers,
): (request: ReceivedRequest, held: HeldResources) => Promise<PendingResponse | undefined> {
  const operations = createOperationFinder(loadContract());

  return async (request, held) => {
    let reached: AnyStage = request;
    let arriving: ArrivingBody | null = null;
    try {
      const matched = operations.find(request);
      reached = matched;
      const controlled = readControls(matched, parts.settings.strict);
      reached = controlled;
      const body = startBody(controlled);
      arriving = body;
      await callers.turnOf(controlled.received.req, controlled.received.path);
      // Repeats if the world is reset or deleted while the body arrives: the request then enters the world as it is now.
      for (;;) {
        const entered = await enterWorld(parts, controlled, serveAtOnce(parts, controlled, body));
        const { request: authenticated } = entered;
        reached = authenticated;
        const { world } = authenticated.entered;
        held.moveTo(world);
        callers.learn(authenticated.received.req, authenticated.received.path, world);
        const served = entered.served ?? (await serveInSteps(parts, authenticated, body, held));
        reached = served.reached;
        const { execution } = served;
        if (execution.status === 'reset') continue;
        if (execution.status === 'failed') throw execution.error;
        const executed = execution.concluded.request;
        reached = executed;
        const response = await completeResponse(parts, execution.concluded, execution.outcome, held);
        held.takeForResponse(world, sizeOfResponse(response), request.received.method);
        const { implementation } = executed.route;
        if (implementation.leavesTasks && !parts.scheduler.isAdvancing(world)) await parts.scheduler.catchUp(world);
        if (execution.outcome.instant) await parts.scheduler.runUntilIdle(world);
        return { request: executed, world, response, controls: executed.controls };
      }
    } catch (error) {
      if (error instanceof ClientGone) return undefined;
      const told = await withSmallBody(reached, arriving);
      return respondToFailure(parts, told, operations.suggest(told, error));
    }
  };
}

/**
 * For the journal, with the body of a request that is refused before it is read: after the key is known, and unless it
 * needs leave to arrive. Without it if the client leaves before it has arrived.
 */
async function withSmallBody(request: AnyStage, arriving: ArrivingBody | null): Promise<AnyStage> {
  if (!arriving || arriving.excess > 0 || !('entered' in request) || 'body' in request) return request;
  return arriving.received.then(
    (body) => withBody(request, body),
    () => request,
  );
}

/** A retired path is found before the world is known, which can assume another status for it. */
function asAssumed(place: JournalPlace | null, error: ApiError): ApiError {
  if (!place || error.detail.assumption !== 'retired_status') return error;
  return new ApiError(error.code, { ...error.detail, status: assumed(place.assumptions, 'retired_status') });
}

/** Responds to a request that failed at that stage, and journals it. */
async function respondToFailure(parts: PlatformParts, reached: AnyStage, error: unknown): Promise<PendingResponse> {
  // It cannot be journaled either.
  if (error instanceof StoreAway) throw error;
  const { identity, place } = await identify(parts, reached);
  const controls = 'controls' in reached ? reached.controls : noControls;
  if (error instanceof StoppedBefore) {
    const response = responseBefore(parts, reached, identity);
    await recordRequest(parts, reached, place, response ?? noResponse);
    return { request: reached, world: identity.world, response, controls };
  }
  if (!(error instanceof ApiError)) {
    const operation = 'route' in reached ? reached.route.contract.id : undefined;
    parts.log.error({ err: error, request: identity.id, operation }, 'an operation failed');
  }
  const apiError = error instanceof ApiError ? asAssumed(place, error) : new ApiError('internal_error');
  const response = errorResponse(parts, reached, identity, apiError);
  await recordRequest(parts, reached, place, response);
  return { request: reached, world: identity.world, response, controls };
}

function count({ metrics }: Pick<PlatformParts, 'metrics'>, { request, response }: PendingResponse): void {
  const counts = metrics.requests.of('route' in request ? request.route.contract.id : 'none');
  counts.addStatus(response?.status ?? 0);
  counts.addLatency(performance.now() - request.received.began);
}

/** What the log shows of a request beyond its response. */
function noteOf({ request, world, response }: PendingResponse): RequestNote {
  const selection = 'outcome' in request ? request.outcome.selection : null;
  return {
    world,
    error_code: response?.errorCode ?? null,
    scenario: selection?.name ?? null,
    source: selection?.source ?? null,
  };
}
