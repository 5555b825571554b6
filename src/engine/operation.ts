// The interface of an operation: a function from a request to a result within a transaction. It sees neither Express nor
// the clock nor webhooks.
import type { OtherAnswers } from '../assumptions/other-answers.ts';
import type { OperationId, Scope } from '../contract/document.ts';
import type { operations } from '../contract/wire.d.ts';
import type { Secrets } from '../identity/secrets.ts';
import type { WorldScenarios } from '../scenarios/library.ts';
import type { ScenarioSelection } from '../scenarios/select.ts';
import type { Tx } from '../store/store.ts';
import type { FileContent } from '../stored-bytes.ts';
import type { PlatformSettings } from './settings.ts';

/** The key that a request is sent with, without its secret. */
export interface Caller {
  readonly id: string;
  readonly organization_id: string;
  readonly scopes: readonly Scope[];
  readonly is_demo: boolean;
  readonly requests_per_minute: number;
  /** When the client token expires that the request is sent with, in Unix seconds; absent for a key. */
  readonly expires?: number;
}

type Shape<Id extends OperationId> = operations[Id];
type ParametersOf<Id extends OperationId, Where extends string> =
  Shape<Id> extends { parameters: infer P }
    ? Where extends keyof P
      ? NonNullable<P[Where]>
      : Record<never, never>
    : never;
export type BodyOf<Id extends OperationId> =
  Shape<Id> extends { requestBody: { content: { 'application/json': infer Body } } }
    ? Body
    : Shape<Id> extends { requestBody?: { content: { 'application/json': infer Body } } }
      ? Body | undefined
      : undefined;

/** The body of a success, according to the contract. */
export type ResponseBodyOf<Id extends OperationId> =
  ResultOf<Id> extends { readonly body: infer Body } ? Body : undefined;
/** A success: a status and the body that belongs to it, according to the contract or as a world can assume otherwise. */
export type ResultOf<Id extends OperationId> = ContractResultOf<Id> | OtherResultOf<Id>;

type ContractResultOf<Id extends OperationId> = {
  [Status in keyof Shape<Id>['responses'] & (200 | 201 | 202 | 204)]: Shape<Id>['responses'][Status] extends {
    content: { 'application/json': infer Body };
  }
    ? { readonly status: Status; readonly body: Body }
    : { readonly status: Status; readonly body?: undefined };
}[keyof Shape<Id>['responses'] & (200 | 201 | 202 | 204)];

type OtherResultOf<Id extends OperationId> = Id extends keyof OtherAnswers ? OtherAnswers[Id] : never;

/** The result of any operation. */
export interface OperationResult {
  readonly status: number;
  readonly body?: unknown;
}

/**
 * What a handler receives. `Selection` is the scenario that the operation plays, null if it plays none; `Prepared` is
 * what its own `prepare` returned.
 */
export interface OperationRequest<Id extends OperationId, Selection = null, Prepared = undefined> {
  readonly params: ParametersOf<Id, 'path'>;
  readonly query: ParametersOf<Id, 'query'>;
  readonly body: BodyOf<Id>;
  readonly caller: Caller;
  /** Where the caller reached this server: `http://host:port`, or what a proxy or `--public-url` says. */
  readonly address: string;
  readonly settings: PlatformSettings;
  readonly secrets: Secrets;
  readonly scenarios: WorldScenarios;
  readonly selection: Selection;
  readonly prepared: Prepared;
}

/** What completing a response takes. */
export interface CompletionContext {
  /** The present of the clock of tokens, in milliseconds. */
  readonly now: number;
  /** Where the caller reached this server. */
  readonly address: string;
  readonly caller: Caller;
  readonly secrets: Secrets;
}

/** What an operation plays: the kind of scenario, and the number called, which may be a magic number. */
interface Plays<Body> {
  readonly kind: string;
  destination?(body: Body): string;
}

/** What all operations have in common. */
interface OperationBase<Request, Result, Prepared = unknown> {
  /** Fields that the operation checks itself, before the contract is checked; `check` has no access to records. */
  readonly precheck?: { readonly fields: readonly string[]; check(body: unknown, prepared: Prepared): void };
  /** Whether it places a call; only then do errors carry their category. */
  readonly placesCalls?: boolean;
  /** Whether it leaves work on much data to tasks of the same instant, which run before the response is sent. */
  readonly leavesTasks?: boolean;
  handle(request: Request, tx: Tx): Result;
}

/** Files of a large body, by the text that stands for each in it. */
export type Files = ReadonlyMap<string, FileContent>;
export const noFiles: Files = new Map();

/** Does pieces of work in turns with the background work of all worlds. */
export type InTurns = <Result>(pieces: Iterator<void, Result>) => Promise<Result>;

/**
 * Slow work that needs no record, done before the transaction so that the world does not wait for it. The body has not
 * been validated yet.
 */
type Preparation<Prepared> = [Prepared] extends [undefined]
  ? { readonly prepare?: never }
  : { prepare(body: unknown, files: Files, inTurns: InTurns): Promise<Prepared> };

/** An operation that plays no scenario. */
export type Operation<Id extends OperationId, Prepared = undefined> = OperationBase<
  OperationRequest<Id, null, Prepared>,
  ResultOf<Id>,
  Prepared
> &
  Preparation<Prepared>;

/** An operation that plays a scenario, which can refuse the request or set the record's timeline. */
export type ScenarioOperation<Id extends OperationId, Prepared = undefined> = OperationBase<
  OperationRequest<Id, ScenarioSelection, Prepared>,
  ResultOf<Id>,
  Prepared
> &
  Preparation<Prepared> & { readonly plays: Plays<BodyOf<Id>> };

/**
 * An operation whose body is completed outside the transaction with what is never stored: signatures, and this server's
 * own address. `Draft` is the `data` that is stored; `complete` runs on an idempotent replay too, for which `checkReplay`
 * throws if that caller must not get it.
 */
export type CompletedOperation<Id extends OperationId, Draft> = OperationBase<
  OperationRequest<Id>,
  { readonly status: ResultOf<Id>['status']; readonly body: { readonly data: Draft } }
> & {
  checkReplay?(body: { readonly data: Draft }, caller: Caller, tx: Tx): void;
  complete(body: { readonly data: Draft }, context: CompletionContext): Promise<ResponseBodyOf<Id>>;
};

/** An implementation of this operation of the contract. */
export type Implementation<Id extends OperationId> =
  | Operation<Id>
  | Operation<Id, unknown>
  | ScenarioOperation<Id>
  | ScenarioOperation<Id, unknown>
  | CompletedOperation<Id, unknown>;

/**
 * Any operation, as the engine runs it: that a request fits its operation is checked against the contract at run time,
 * not by the compiler. Its functions are declared as methods, whose parameters TypeScript compares in both directions,
 * so every operation is assignable without a cast. The engine passes a selection if the operation has `plays`.
 */
export interface RunnableOperation extends OperationBase<RunnableRequest, OperationResult> {
  readonly plays?: { readonly kind: string; destination?(body: unknown): string };
  prepare?(body: unknown, files: Files, inTurns: InTurns): Promise<unknown>;
  checkReplay?(body: unknown, caller: Caller, tx: Tx): void;
  complete?(body: unknown, context: CompletionContext): Promise<unknown>;
}

export interface RunnableRequest
  extends Omit<OperationRequest<OperationId, ScenarioSelection | null, unknown>, 'params' | 'query' | 'body'> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** 200 with `data`, and with the `meta` of a list. */
export function ok<Data>(data: Data): { status: 200; body: { data: Data } };
export function ok<Data, Meta>(data: Data, meta: Meta): { status: 200; body: { data: Data; meta: Meta } };
export function ok(data: unknown, meta?: unknown): OperationResult {
  return { status: 200, body: meta === undefined ? { data } : { data, meta } };
}

export const created = <Data>(data: Data): { status: 201; body: { data: Data } } => ({ status: 201, body: { data } });
export const accepted = <Data>(data: Data): { status: 202; body: { data: Data } } => ({ status: 202, body: { data } });
