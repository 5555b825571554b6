// The pipeline of a platform request, on one screen: the order of checks of `interface.md` section 3.
import type { Request, Response } from 'express';
import { assumed } from '../assumptions/catalogue.ts';
import { wall } from '../clock/clock.ts';
import { type Contract, loadContract } from '../contract/document.ts';
import type { House } from '../engine/house.ts';
import { ApiError } from '../errors/api-error.ts';
import { INVALID_TOKEN, insufficientScope } from '../errors/bearer.ts';
import { nearest } from '../errors/nearest.ts';
import { implementationOf } from '../resources/index.ts';
import { admit, authorize, checkScenario } from './admit.ts';
import { type Answer, answerOf, breakOff, errorAnswerOf, scriptedError, write } from './answer.ts';
import { ClientGone, readJson, receiveBody } from './body.ts';
import { noControls, readControls } from './controls.ts';
import { dispatch, type Outcome } from './dispatch.ts';
import { Exchange } from './exchange.ts';
import { createMatcher, type Matcher } from './match.ts';
import { readQuery } from './query.ts';
import { refuseExceeded } from './rate-limit.ts';
import { identify, record, recordIn } from './record.ts';
import { createRetired } from './retired.ts';
import { createTurn } from './turn.ts';
import type { Validator } from './validate.ts';

export type PlatformHandler = (req: Request, res: Response) => void;

/** The connection is to be broken before anything has happened. */
class BrokenBefore extends Error {}

/** What the journal says of a request that got no answer. */
const unanswered: Answer = { status: 0, headers: {}, body: null, errorCode: null };

export function createPlatform(house: House, validator: Validator): PlatformHandler {
  const contract = loadContract();
  const match = createMatcher(contract.operations.values());
  const retired = createRetired(contract);
  const turn = createTurn();

  async function serve(exchange: Exchange): Promise<Answer> {
    const { req } = exchange;
    findOperation(contract, match, retired, exchange);
    const operation = exchange.operation as NonNullable<Exchange['operation']>;
    const implementation = implementationOf(operation.id);
    exchange.controls = house.settings.strict ? noControls : readControls(req);
    const body = operation.takesBody ? receiveBody(req, exchange.bodyLimit) : null;
    // Awaited only once everything before it has passed; until then its failure is not an unhandled one.
    body?.catch(() => {});
    await turn();
    let answer = unanswered;
    let outcome: Outcome | undefined;
    while (!outcome) {
      await admit(house, exchange);
      checkScenario(exchange, implementation.sets?.kind);
      const { error, fault } = exchange.controls;
      if (fault?.when === 'before') throw new BrokenBefore();
      if (error) throw injected(exchange, error);
      if (exchange.rate) refuseExceeded(exchange.rate);
      authorize(exchange, scopeStatus(exchange));
      let json: unknown;
      if (body) {
        exchange.body = await body;
        json = readJson(req, exchange.body, exchange.bodyLimit);
      }
      const query = exchange.query === '' ? {} : readQuery(exchange.query);
      // None where the world was reset or went while a body came: whoever asks is admitted to what it is by now.
      outcome = await dispatch(house, validator, exchange, query, json, (tx, outcome) => {
        answer =
          'refusal' in outcome ? errorAnswerOf(house, exchange, outcome.refusal) : answerOf(house, exchange, outcome);
        recordIn(tx, exchange, answer);
      });
    }
    if (implementation.complete && !('refusal' in outcome)) {
      const { origin } = exchange;
      const body = await implementation.complete(outcome.body, { now: wall(), origin });
      answer = answerOf(house, exchange, { ...outcome, body });
      await record(house, exchange, answer);
    }
    if (exchange.instant) await house.pacer.runOut(exchange.world as string);
    return answer;
  }

  async function handle(exchange: Exchange): Promise<void> {
    let answer: Answer;
    try {
      answer = await serve(exchange);
    } catch (error) {
      if (error instanceof ClientGone) return;
      await identify(house, exchange);
      if (error instanceof BrokenBefore) {
        await record(house, exchange, unanswered);
        await delayed(exchange);
        return breakOff(exchange.res, exchange.controls.fault?.kind ?? 'reset', null);
      }
      answer = errorAnswerOf(house, exchange, asApiError(house, exchange, error));
      await record(house, exchange, answer);
    }
    if (exchange.controls.delayMs > 0) await delayed(exchange);
    write(exchange.res, answer, exchange.controls.fault);
  }

  return (req, res) => {
    const exchange = new Exchange(req, res);
    handle(exchange)
      .catch((error) => {
        house.log.error({ err: error, method: req.method, path: exchange.path }, 'a request could not be answered');
        res.destroy();
      })
      .finally(() => exchange.leave?.());
  };
}

/** 404 for an unknown path, 405 with `Allow` for an unknown method. */
function findOperation(
  contract: Contract,
  match: Matcher,
  retired: ReturnType<typeof createRetired>,
  exchange: Exchange,
): void {
  const { method } = exchange.req;
  const found = match(method, exchange.path);
  if (!found) {
    const refusal = retired(exchange.path);
    if (refusal) throw refusal;
    const paths = [...new Set([...contract.operations.values()].map(({ path }) => path))];
    throw new ApiError('not_found', {
      message: `There is no path ${exchange.path.slice(0, 200)}${nearest(exchange.path, paths)}`,
      hint: 'GET /openapi.yaml lists every path.',
    });
  }
  if ('allow' in found) {
    throw new ApiError('method_not_allowed', {
      message: `${exchange.path.slice(0, 200)} does not take ${method}; it takes ${found.allow.join(', ')}.`,
      headers: { Allow: found.allow.join(', ') },
    });
  }
  exchange.operation = found.operation;
  exchange.params = found.params;
}

/** The error that `X-Sandbox-Error` asks for, as if it had come by its natural cause. */
function injected(exchange: Exchange, code: NonNullable<Exchange['controls']['error']>): ApiError {
  switch (code) {
    case 'unauthorized':
      return new ApiError(code, { headers: { 'WWW-Authenticate': INVALID_TOKEN } });
    case 'scope_missing': {
      const challenge = insufficientScope(exchange.operation?.scopes ?? []);
      return new ApiError(code, {
        status: scopeStatus(exchange),
        headers: { 'WWW-Authenticate': challenge },
        assumption: 'scope_missing_status',
      });
    }
    default:
      return scriptedError(code);
  }
}

function scopeStatus({ assumptions }: Exchange): number {
  return Number(assumed(assumptions, 'scope_missing_status'));
}

function asApiError(house: House, exchange: Exchange, error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const { id, operation } = exchange;
  house.log.error({ err: error, request: id, operation: operation?.id }, 'an operation failed');
  return new ApiError('internal_error');
}

/** `X-Sandbox-Delay`: real time, after the effect, before a fault; no longer than there is someone who waits. */
function delayed({ controls, res }: Exchange): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(end, res.closed ? 0 : controls.delayMs);
    res.once('close', end);
  });
}
