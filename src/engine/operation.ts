// What an operation is to the rest of the sandbox: a function from a request to a reply within a transaction. It sees
// neither Express nor the clock nor webhooks.
import type { OperationId, Schemas, Scope } from '../contract/document.ts';
import type { operations } from '../contract/wire.d.ts';
import { ApiError, notFound } from '../errors/api-error.ts';
import type { Row, TableName } from '../model.ts';
import type { WorldScenarios } from '../scenarios/library.ts';
import type { ScenarioSelection } from '../scenarios/select.ts';
import type { Tx } from '../store/store.ts';
import type { IndexOf } from '../store/tables.ts';
import type { PlatformSettings } from './settings.ts';

/** Who asks: a key, without its secret. */
export interface Caller {
  readonly id: string;
  readonly organization_id: string;
  readonly scopes: readonly Scope[];
  readonly is_demo: boolean;
  readonly requests_per_minute: number;
}

/** Whose records are looked for. */
export type Owner = Pick<Caller, 'organization_id'>;

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

export interface OperationRequest<Id extends OperationId = OperationId> {
  readonly params: ParametersOf<Id, 'path'>;
  readonly query: ParametersOf<Id, 'query'>;
  readonly body: BodyOf<Id>;
  readonly caller: Caller;
  /** The address by which the caller reached this server, `http://host:port`. */
  readonly origin: string;
  readonly settings: PlatformSettings;
  readonly scenarios: WorldScenarios;
  /** What was chosen to happen, for an operation that sets something going. */
  readonly selection: ScenarioSelection | null;
  /** What the operation's own `prepare` made. */
  readonly prepared: unknown;
}

/** What a reply is completed with as it leaves: the machine's time in milliseconds, and where the caller reached us. */
export interface CompletionContext {
  readonly now: number;
  readonly origin: string;
}

export interface OperationResult {
  readonly status: number;
  readonly body?: unknown;
}

export interface Operation<Id extends OperationId> {
  /** What it sets going: the kind of scenario, and the number called that a magic number is read from. */
  readonly plays?: { readonly kind: string; readonly destination?: (body: BodyOf<Id>) => string };
  /** Fields that the operation checks itself, before the contract is asked; reads nothing and consumes nothing. */
  readonly precheck?: { readonly fields: readonly string[]; readonly check: (body: unknown) => void };
  /**
   * Slow work that needs no record, done before the transaction so that the world does not wait for it. The body has
   * not been held against the contract yet.
   */
  readonly prepare?: (body: unknown) => Promise<unknown>;
  /** Loads what the first request would otherwise wait for, once a server has been ready for a while. */
  readonly warm?: () => Promise<unknown>;
  /** Whether it answers with a call; errors carry their category only then. */
  readonly placesCalls?: boolean;
  readonly handle: (request: OperationRequest<Id>, tx: Tx) => OperationResult;
  /**
   * Completes the body of a success outside the transaction with what is never kept: what is signed for the moment,
   * and this server's own address. Runs on a replay too.
   */
  readonly complete?: (body: unknown, leaving: CompletionContext) => Promise<unknown>;
}

/**
 * Any operation, as the engine runs it: that a request fits its operation is checked at run time, against the contract,
 * and not by the compiler. Declared as methods, whose parameters TypeScript compares in both directions: every
 * `Operation<Id>` is one of these without a cast.
 */
export interface RunnableOperation
  extends Pick<Operation<OperationId>, 'precheck' | 'prepare' | 'warm' | 'placesCalls'> {
  readonly plays?: { readonly kind: string; destination?(body: unknown): string };
  handle(request: RunnableRequest, tx: Tx): OperationResult;
  complete?(body: unknown, leaving: CompletionContext): Promise<unknown>;
}

export interface RunnableRequest extends Omit<OperationRequest, 'params' | 'query' | 'body'> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

export const ok = (data: unknown): OperationResult => ({ status: 200, body: { data } });
export const created = (data: unknown): OperationResult => ({ status: 201, body: { data } });

/** A record of the caller's organization by the id in the path; `not_found` for any other. */
export function findRecord<Table extends TableName>(
  tx: Tx,
  table: Table,
  id: string,
  caller: Owner,
  noun: string,
): Row<Table> {
  const record = tx.get(table, id);
  if (!record || record.private.organization_id !== caller.organization_id) throw notFound(noun, id);
  return record;
}

/**
 * A record of the caller's organization that a body names; `not_found`, with the field and where to look, for any other.
 * Of these tables, each has the name of its list in the URL.
 */
export function findReferenced<Table extends 'agents' | 'contacts'>(
  tx: Tx,
  table: Table,
  id: string,
  caller: Owner,
  noun: string,
  field: string,
): Row<Table> {
  const record = tx.get(table, id);
  if (record && record.private.organization_id === caller.organization_id) return record;
  const { message } = notFound(noun, id);
  throw new ApiError('not_found', {
    message,
    fields: { [field]: `names no ${noun} of this organization` },
    hint: `GET /v1/${table} lists them.`,
  });
}

/** All records under an index value that belong to the caller's organization. */
export function findAll<Table extends TableName>(
  tx: Tx,
  table: Table,
  index: IndexOf<Table>,
  value: string,
  caller: Owner,
): Row<Table>[] {
  const rows = tx.page(table, index, value);
  return rows.filter((row) => row.private.organization_id === caller.organization_id);
}

/** The block that a new record carries beside its wire fields. */
export function ownedBy(tx: Tx, caller: Owner): { organization_id: string; rank: number } {
  return { organization_id: caller.organization_id, rank: tx.ordinal('records') };
}

export interface Page<Table extends TableName> {
  readonly rows: Row<Table>[];
  readonly meta: Schemas['PageMeta'];
  readonly counted: Schemas['CountedPageMeta'];
}

const PAGE_SIZE = 25;

/**
 * One page of the records that an index gives to the caller's organization. `invalidField` on a cursor that no listing
 * of that table gave out.
 */
export function pageOf<Table extends TableName>(
  tx: Tx,
  table: Table,
  request: { readonly query: { cursor?: string; page_size?: number }; readonly caller: Caller },
  newestFirst: boolean,
  index: IndexOf<Table> = 'organization' as IndexOf<Table>,
): Page<Table> {
  const { organization_id } = request.caller;
  const page_size = request.query.page_size ?? PAGE_SIZE;
  const after = request.query.cursor === undefined ? undefined : readCursor(table, request.query.cursor);
  const found = tx.page(table, index, organization_id, {
    limit: page_size + 1,
    newestFirst,
    ...(after === undefined ? {} : { after }),
  });
  const rows = found.slice(0, page_size);
  const last = rows[rows.length - 1];
  const cursor = found.length > page_size && last ? writeCursor(table, last.private.rank) : null;
  const total_results = tx.count(table, index, organization_id);
  return { rows, meta: { page_size, cursor }, counted: { cursor, total_results, page_size } };
}

function writeCursor(table: TableName, rank: number): string {
  return Buffer.from(`${table} ${rank}`).toString('base64url');
}

function readCursor(table: TableName, cursor: string): number {
  const [, rank = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ');
  if (!/^-?\d{1,15}$/.test(rank) || writeCursor(table, Number(rank)) !== cursor) {
    throw new ApiError('validation_error', {
      fields: { cursor: 'is no cursor of this list; use `meta.cursor` of the page before, unchanged' },
      assumption: 'paging',
    });
  }
  return Number(rank);
}
