// One transaction per request: replay or validate, choose what happens, run the operation, keep the reply. Records,
// counters and reply commit together or not at all.
import type { OperationId } from '../contract/document.ts';
import type { House } from '../engine/house.ts';
import type { Caller, OperationRequest, Reply } from '../engine/operation.ts';
import { transact } from '../engine/transact.ts';
import type { ApiError } from '../errors/api-error.ts';
import { implementationOf } from '../resources/index.ts';
import { choose } from '../scenarios/choose.ts';
import type { WorldScenarios } from '../scenarios/library.ts';
import { refusalOf } from '../scenarios/refusal.ts';
import { NoSuchWorld, type Tx } from '../store/store.ts';
import { scriptedError } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { keep, readKey, replay } from './idempotency.ts';
import type { Validator } from './validate.ts';

/** A reply, or an error that is an answer like another: what it counted stays counted. */
export type Outcome = Reply | { readonly refusal: ApiError };

/**
 * `settled` hears of the outcome while the transaction is still open, so that what it writes commits with it. Undefined
 * where the world that the request was admitted to has been reset since, or has gone; nothing has happened then.
 */
export function dispatch(
  house: House,
  validator: Validator,
  exchange: Exchange,
  query: Record<string, unknown>,
  json: unknown,
  settled: (tx: Tx, outcome: Outcome) => void,
): Promise<Outcome | undefined> {
  const contract = exchange.operation as NonNullable<Exchange['operation']>;
  const operation = implementationOf(contract.id);
  const key = readKey(exchange, json);
  const run = (prepared: unknown): Promise<Outcome | undefined> =>
    transact(house, exchange.world as string, exchange.id, (tx) => {
      if (tx.cell('epoch') !== exchange.epoch) return undefined;
      const settle = (outcome: Outcome): Outcome => {
        exchange.instant = tx.cell('clock').mode === 'instant';
        settled(tx, outcome);
        return outcome;
      };
      const kept = key && replay(tx, key);
      if (kept) {
        exchange.replayed = true;
        exchange.choice = kept.choice;
        return settle({ status: kept.status, body: kept.body });
      }
      operation.precheck?.check(json);
      validator.check(contract, { params: exchange.params, query, body: json });

      const scenarios = exchange.scenarios as WorldScenarios;
      const { sets } = operation;
      const destination = sets?.destination?.(json as never) ?? null;
      const chosen = sets ? choose(tx, scenarios, sets.kind, exchange.controls.scenario, destination) : null;
      exchange.choice = chosen?.choice ?? null;
      const refused = chosen && refusalOf(tx, chosen.scenario, destination);
      if (refused) {
        return settle({ refusal: scriptedError(refused.code, refused.fields) });
      }

      const request = {
        params: exchange.params,
        query,
        body: json,
        caller: exchange.caller as Caller,
        origin: exchange.origin,
        settings: house.settings,
        scenarios,
        chosen,
        prepared,
      } as unknown as OperationRequest<OperationId>;
      const finish = (reply: Reply): Outcome => {
        if (key) keep(tx, key, reply, exchange.choice);
        return settle(reply);
      };
      const reply = operation.handle(request, tx);
      return reply instanceof Promise ? reply.then(finish) : finish(reply);
    }).catch((error) => {
      if (error instanceof NoSuchWorld) return undefined;
      throw error;
    });
  return operation.prepare ? operation.prepare(json).then(run) : run(undefined);
}
