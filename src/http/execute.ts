// One transaction per request: replay or validate, choose what happens, run the operation, keep the reply. Records,
// counters and reply commit together or not at all.
import type { OperationId } from '../contract/document.ts';
import type { Caller, OperationRequest, OperationResult } from '../engine/operation.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { transact } from '../engine/transact.ts';
import type { ApiError } from '../errors/api-error.ts';
import { operationFor } from '../operations/index.ts';
import type { WorldScenarios } from '../scenarios/library.ts';
import { refusalOf } from '../scenarios/refusal.ts';
import { selectScenario } from '../scenarios/select.ts';
import { NoSuchWorld, type Tx } from '../store/store.ts';
import { findReplay, keepResult, readKey } from './idempotency.ts';
import type { RequestContext } from './request-context.ts';
import { scriptedError } from './response.ts';
import type { Validator } from './validate.ts';

/** A reply, or an error that is an answer like another: what it counted stays counted. */
export type Outcome = OperationResult | { readonly refusal: ApiError };

/**
 * `settled` hears of the outcome while the transaction is still open, so that what it writes commits with it. Undefined
 * where the world that the request was admitted to has been reset since, or has gone; nothing has happened then.
 */
export function execute(
  sandbox: SandboxContext,
  validator: Validator,
  context: RequestContext,
  query: Record<string, unknown>,
  json: unknown,
  settled: (tx: Tx, outcome: Outcome) => void,
): Promise<Outcome | undefined> {
  const contract = context.operation as NonNullable<RequestContext['operation']>;
  const operation = operationFor(contract.id);
  const key = readKey(context, json);
  const run = (prepared: unknown): Promise<Outcome | undefined> =>
    transact(sandbox, context.world as string, context.id, (tx) => {
      if (tx.state('epoch') !== context.epoch) return undefined;
      const settle = (outcome: Outcome): Outcome => {
        context.instant = tx.state('clock').mode === 'instant';
        settled(tx, outcome);
        return outcome;
      };
      const kept = key && findReplay(tx, key);
      if (kept) {
        context.replayed = true;
        context.selection = kept.choice;
        return settle({ status: kept.status, body: kept.body });
      }
      operation.precheck?.check(json);
      validator.check(contract, { params: context.params, query, body: json });

      const scenarios = context.scenarios as WorldScenarios;
      const { plays } = operation;
      const destination = plays?.destination?.(json as never) ?? null;
      const chosen = plays ? selectScenario(tx, scenarios, plays.kind, context.controls.scenario, destination) : null;
      context.selection = chosen?.choice ?? null;
      const refused = chosen && refusalOf(tx, chosen.scenario, destination);
      if (refused) {
        return settle({ refusal: scriptedError(refused.code, refused.fields) });
      }

      const request = {
        params: context.params,
        query,
        body: json,
        caller: context.caller as Caller,
        origin: context.origin,
        settings: sandbox.settings,
        scenarios,
        selection: chosen,
        prepared,
      } as unknown as OperationRequest<OperationId>;
      const finish = (reply: OperationResult): Outcome => {
        if (key) keepResult(tx, key, reply, context.selection);
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
