// Runs an operation: one transaction that replays a stored result, or validates, selects a scenario, runs the handler
// and stores its result. Records, counters and result commit together or not at all. It knows nothing of HTTP.
import type { Operation as ContractOperation } from '../contract/document.ts';
import { ApiError } from '../errors/api-error.ts';
import { QuickError } from '../errors/quick-error.ts';
import { scriptedError } from '../errors/scripted-error.ts';
import type { ScenarioReference, SelectionRecord } from '../model.ts';
import type { WorldScenarios } from '../scenarios/library.ts';
import { refusalOf } from '../scenarios/refusal.ts';
import { refusedByRule, selectionRecord, selectScenario } from '../scenarios/select.ts';
import { NoSuchWorld, type Tx } from '../store/store.ts';
import { checkRequest, precheck, type RequestContent, type RequestValidator } from './check-request.ts';
import { findReplay, type IdempotencyKey, keepResult } from './idempotency.ts';
import type { Caller, Files, InTurns, OperationResult, RunnableOperation, RunnableRequest } from './operation.ts';
import type { SandboxContext } from './sandbox-context.ts';
import { isUpToDate, transact } from './transact.ts';

/** An operation as the contract describes it and as the code implements it. */
export interface Runnable {
  readonly contract: ContractOperation;
  readonly implementation: RunnableOperation;
}

export interface ExecuteOptions extends Pick<SandboxContext, 'store' | 'runTask' | 'turns' | 'settings' | 'secrets'> {
  readonly validator: RequestValidator;
}

export interface ExecutableRequest extends RequestContent {
  readonly files: Files;
  readonly world: string;
  /** The world's epoch when the request entered it; after a reset the request must enter again. */
  readonly epoch: number;
  /** The journal entry that causes the effects of this request. */
  readonly cause: string;
  readonly caller: Caller;
  /** The address by which the caller reached this server, `http://host:port`. */
  readonly address: string;
  readonly scenarios: WorldScenarios;
  /** The scenario that the request asks for by name. */
  readonly scenario: ScenarioReference | null;
  readonly idempotencyKey: IdempotencyKey | null;
}

/** A result, or a refusal scripted by the scenario: a refusal commits its counters, as a result does. */
export interface Outcome {
  readonly result: OperationResult | ApiError;
  readonly selection: SelectionRecord | null;
  /** Whether the result was kept under the request's idempotency key. */
  readonly replayed: boolean;
  /** Whether the world's clock is instant: everything scheduled runs before the response leaves. */
  readonly instant: boolean;
}

/**
 * How a request ended. `reset`: the world was reset or deleted after the request entered it; nothing happened.
 * `failed`: nothing happened either, for the reason in `error`; `selection` is set if a scenario had been selected.
 */
export type Execution<T> =
  | { readonly status: 'committed'; readonly outcome: Outcome; readonly concluded: T }
  | { readonly status: 'reset' }
  | { readonly status: 'failed'; readonly error: unknown; readonly selection: SelectionRecord | null };

const reset = { status: 'reset' } as const;

/** `conclude` runs in the transaction, so that what it writes about the outcome commits with it. */
export async function execute<T>(
  options: ExecuteOptions,
  operation: Runnable,
  request: ExecutableRequest,
  conclude: (tx: Tx, outcome: Outcome) => T,
): Promise<Execution<T>> {
  const { prepare } = operation.implementation;
  try {
    const inTurns: InTurns = (pieces) => options.turns.workThrough(request.world, pieces);
    const prepared = prepare ? await prepare(request.body, request.files, inTurns) : undefined;
    return await transact(options, request.world, request.cause, (tx): Execution<T> => {
      if (tx.state('epoch') !== request.epoch) return reset;
      const outcome = outcomeOf(tx, options, operation, request, prepared);
      return { status: 'committed', outcome, concluded: conclude(tx, outcome) };
    });
  } catch (error) {
    if (error instanceof NoSuchWorld) return reset;
    return failed(error);
  }
}

/** Whether `executeIn` can run an operation now: it need not prepare anything, and no scheduled task is due before it. */
export function canExecuteIn(tx: Tx, { implementation }: Runnable): boolean {
  return !implementation.prepare && isUpToDate(tx);
}

/** The same in a transaction that has begun; an operation that fails undoes what it wrote itself, and nothing else. */
export function executeIn<T>(
  tx: Tx,
  options: Pick<ExecuteOptions, 'settings' | 'secrets' | 'validator'>,
  operation: Runnable,
  request: ExecutableRequest,
  conclude: (tx: Tx, outcome: Outcome) => T,
): Execution<T> {
  let execution: Execution<T> = reset;
  const run = (): void => {
    const outcome = outcomeOf(tx, options, operation, request, undefined);
    execution = { status: 'committed', outcome, concluded: conclude(tx, outcome) };
  };
  const thrown = tx.attempt(() => tx.causedBy(request.cause, () => tx.withinBounds(run)));
  return thrown ? failed(thrown.error) : execution;
}

function failed<T>(error: unknown): Execution<T> {
  if (error instanceof HandlerError) return { status: 'failed', error: error.cause, selection: error.selection };
  return { status: 'failed', error, selection: null };
}

/** What a handler threw, with the scenario that had been selected for it. Undoes the transaction like any error. */
class HandlerError extends QuickError {
  readonly selection: SelectionRecord | null;

  constructor(cause: unknown, selection: SelectionRecord | null) {
    super('a handler threw', { cause });
    this.selection = selection;
  }
}

function outcomeOf(
  tx: Tx,
  { settings, secrets, validator }: Pick<ExecuteOptions, 'settings' | 'secrets' | 'validator'>,
  { contract, implementation }: Runnable,
  request: ExecutableRequest,
  prepared: unknown,
): Outcome {
  const { idempotencyKey, params, query, caller, address, scenarios } = request;
  const instant = tx.state('clock').mode === 'instant';
  const kept = idempotencyKey && findReplay(tx, idempotencyKey);
  if (kept) {
    implementation.checkReplay?.(kept.body, caller, tx);
    const result = { status: kept.status, body: kept.body };
    return { result, selection: kept.selection, replayed: true, instant };
  }
  const check = (): unknown => checkRequest(tx, validator, contract, request);
  precheck(implementation, request.body, prepared, check);
  const body = check();
  const { plays } = implementation;
  const destination = plays?.destination?.(body) ?? null;
  const selection = plays ? selectScenario(tx, scenarios, plays.kind, request.scenario, destination) : null;
  const selected = selection && selectionRecord(selection);
  const refused = selection && refusalOf(tx, selection.scenario, destination);
  if (refused) {
    return { result: scriptedError(refused.code, refused.fields), selection: selected, replayed: false, instant };
  }
  const result = handle(implementation, tx, selected, {
    params,
    query,
    body,
    caller,
    address,
    settings,
    secrets,
    scenarios,
    selection,
    prepared,
  });
  if (idempotencyKey && !(result instanceof ApiError)) keepResult(tx, idempotencyKey, result, selected);
  return { result, selection: selected, replayed: false, instant };
}

function handle(
  operation: RunnableOperation,
  tx: Tx,
  selected: SelectionRecord | null,
  request: RunnableRequest,
): OperationResult | ApiError {
  try {
    return operation.handle(request, tx);
  } catch (error) {
    if (error instanceof ApiError && error.detail.keepsEffects) return error;
    const rule = error instanceof ApiError ? error.detail.callingRule : undefined;
    throw new HandlerError(error, selected && rule !== undefined ? refusedByRule(rule, selected) : selected);
  }
}
