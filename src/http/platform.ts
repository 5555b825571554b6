// The pipeline of a platform request, on one screen: the order of checks of `interface.md` section 3.
import type { Request, Response } from 'express';
import { assumed } from '../assumptions/catalogue.ts';
import { systemNow } from '../clock/clock.ts';
import { type Contract, loadContract } from '../contract/document.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError } from '../errors/api-error.ts';
import { INVALID_TOKEN, insufficientScope } from '../errors/bearer.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { operationFor } from '../operations/index.ts';
import { ClientGone, readJson, receiveBody } from './body.ts';
import { noControlHeaders, readControlHeaders } from './control-headers.ts';
import { authorize, checkScenario, enterWorld } from './enter-world.ts';
import { execute, type Outcome } from './execute.ts';
import { createMatcher, type Matcher } from './match.ts';
import { readQuery } from './query.ts';
import { refuseExceeded } from './rate-limit.ts';
import { RequestContext } from './request-context.ts';
import { appendRequest, identify, recordRequest } from './request-journal.ts';
import {
  breakConnection,
  errorResponse,
  type HttpResponse,
  scriptedError,
  successResponse,
  writeResponse,
} from './response.ts';
import { createRetired } from './retired.ts';
import { createTickBarrier } from './tick-barrier.ts';
import type { Validator } from './validate.ts';

export type PlatformHandler = (req: Request, res: Response) => void;

/** The connection is to be broken before anything has happened. */
class BrokenBefore extends Error {}

/** What the journal says of a request that got no answer. */
const unanswered: HttpResponse = { status: 0, headers: {}, body: null, errorCode: null };

export function createPlatform(sandbox: SandboxContext, validator: Validator): PlatformHandler {
  const contract = loadContract();
  const match = createMatcher(contract.operations.values());
  const retired = createRetired(contract);
  const turn = createTickBarrier();

  async function serve(context: RequestContext): Promise<HttpResponse> {
    const { req } = context;
    findOperation(contract, match, retired, context);
    const operation = context.operation as NonNullable<RequestContext['operation']>;
    const implementation = operationFor(operation.id);
    context.controls = sandbox.settings.strict ? noControlHeaders : readControlHeaders(req);
    const body = operation.takesBody ? receiveBody(req, context.bodyLimit) : null;
    // Awaited only once everything before it has passed; until then its failure is not an unhandled one.
    body?.catch(() => {});
    await turn();
    let answer = unanswered;
    let outcome: Outcome | undefined;
    while (!outcome) {
      await enterWorld(sandbox, context);
      checkScenario(context, implementation.plays?.kind);
      const { error, fault } = context.controls;
      if (fault?.when === 'before') throw new BrokenBefore();
      if (error) throw injected(context, error);
      if (context.rate) refuseExceeded(context.rate);
      authorize(context, scopeStatus(context));
      let json: unknown;
      if (body) {
        context.body = await body;
        json = readJson(req, context.body, context.bodyLimit);
      }
      const query = context.query === '' ? {} : readQuery(context.query);
      // None where the world was reset or went while a body came: whoever asks is admitted to what it is by now.
      outcome = await execute(sandbox, validator, context, query, json, (tx, outcome) => {
        answer =
          'refusal' in outcome
            ? errorResponse(sandbox, context, outcome.refusal)
            : successResponse(sandbox, context, outcome);
        appendRequest(tx, context, answer);
      });
    }
    if (implementation.complete && !('refusal' in outcome)) {
      const { origin } = context;
      const body = await implementation.complete(outcome.body, { now: systemNow(), origin });
      answer = successResponse(sandbox, context, { ...outcome, body });
      await recordRequest(sandbox, context, answer);
    }
    if (context.instant) await sandbox.scheduler.runUntilIdle(context.world as string);
    return answer;
  }

  async function handle(context: RequestContext): Promise<void> {
    let answer: HttpResponse;
    try {
      answer = await serve(context);
    } catch (error) {
      if (error instanceof ClientGone) return;
      await identify(sandbox, context);
      if (error instanceof BrokenBefore) {
        await recordRequest(sandbox, context, unanswered);
        await delayed(context);
        return breakConnection(context.res, context.controls.fault?.kind ?? 'reset', null);
      }
      answer = errorResponse(sandbox, context, asApiError(sandbox, context, error));
      await recordRequest(sandbox, context, answer);
    }
    if (context.controls.delayMs > 0) await delayed(context);
    writeResponse(context.res, answer, context.controls.fault);
  }

  return (req, res) => {
    const context = new RequestContext(req, res);
    handle(context)
      .catch((error) => {
        sandbox.log.error({ err: error, method: req.method, path: context.path }, 'a request could not be answered');
        res.destroy();
      })
      .finally(() => context.release?.());
  };
}

/** 404 for an unknown path, 405 with `Allow` for an unknown method. */
function findOperation(
  contract: Contract,
  match: Matcher,
  retired: ReturnType<typeof createRetired>,
  context: RequestContext,
): void {
  const { method } = context.req;
  const found = match(method, context.path);
  if (!found) {
    const refusal = retired(context.path);
    if (refusal) throw refusal;
    const paths = [...new Set([...contract.operations.values()].map(({ path }) => path))];
    throw new ApiError('not_found', {
      message: `There is no path ${context.path.slice(0, 200)}${didYouMean(context.path, paths)}`,
      hint: 'GET /openapi.yaml lists every path.',
    });
  }
  if ('allow' in found) {
    throw new ApiError('method_not_allowed', {
      message: `${context.path.slice(0, 200)} does not take ${method}; it takes ${found.allow.join(', ')}.`,
      headers: { Allow: found.allow.join(', ') },
    });
  }
  context.operation = found.operation;
  context.params = found.params;
}

/** The error that `X-Sandbox-Error` asks for, as if it had come by its natural cause. */
function injected(context: RequestContext, code: NonNullable<RequestContext['controls']['error']>): ApiError {
  switch (code) {
    case 'unauthorized':
      return new ApiError(code, { headers: { 'WWW-Authenticate': INVALID_TOKEN } });
    case 'scope_missing': {
      const challenge = insufficientScope(context.operation?.scopes ?? []);
      return new ApiError(code, {
        status: scopeStatus(context),
        headers: { 'WWW-Authenticate': challenge },
        assumption: 'scope_missing_status',
      });
    }
    default:
      return scriptedError(code);
  }
}

function scopeStatus({ assumptions }: RequestContext): number {
  return Number(assumed(assumptions, 'scope_missing_status'));
}

function asApiError(sandbox: SandboxContext, context: RequestContext, error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const { id, operation } = context;
  sandbox.log.error({ err: error, request: id, operation: operation?.id }, 'an operation failed');
  return new ApiError('internal_error');
}

/** `X-Sandbox-Delay`: real time, after the effect, before a fault; no longer than there is someone who waits. */
function delayed({ controls, res }: RequestContext): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(end, res.closed ? 0 : controls.delayMs);
    res.once('close', end);
  });
}
