// What an operation of an OpenAPI document takes and answers, as types of a call by its id. The documents' own types are
// written by `npm run generate`.

/** An operation as openapi-typescript describes it. */
export interface OperationShape {
  readonly parameters: { readonly path?: unknown; readonly query?: unknown };
  readonly requestBody?: unknown;
  readonly responses: object;
}

/** A document's operations by id; an interface of openapi-typescript has no index signature. */
export type OperationsShape<Operations> = { readonly [Id in keyof Operations]: OperationShape };

/** Optional fields may also be undefined, so that a caller can pass on what it may not have. */
type Loose<Value> = Value extends object ? { [Key in keyof Value]: Value[Key] | OptionalUndefined<Value, Key> } : Value;
type OptionalUndefined<Value, Key extends keyof Value> = undefined extends Value[Key] ? undefined : never;

/** A part of the input under its name: absent, optional or required, as the document says. */
type Part<Name extends string, Value> = [Exclude<Value, undefined>] extends [never]
  ? unknown
  : undefined extends Value
    ? { readonly [Key in Name]?: Loose<Exclude<Value, undefined>> | undefined }
    : { readonly [Key in Name]: Loose<Value> };

type BodyOf<Request> = Request extends { readonly content: infer Content } ? Content[keyof Content] : undefined;

interface AnyInput {
  /** More headers, such as `Idempotency-Key` or `X-Sandbox-Scenario`. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a call of an operation takes: `path`, `query`, `body`, `headers` and `signal`. */
export type InputOf<Operation extends OperationShape> = AnyInput &
  Part<'path', Operation['parameters']['path']> &
  Part<'query', Operation['parameters']['query']> &
  Part<'body', BodyOf<Operation['requestBody']>>;

/** The input may be left out if nothing in it is required. */
export type InputArguments<Operation extends OperationShape> =
  AnyInput extends InputOf<Operation> ? [input?: InputOf<Operation>] : [input: InputOf<Operation>];

type Success = 200 | 201 | 202 | 203;
type JsonOf<Response> = Response extends { readonly content: { readonly 'application/json': infer Body } }
  ? Body
  : never;
type BodyOfSuccess<Responses> = JsonOf<Responses[keyof Responses & Success]>;

/** What a call resolves to: the `data` of its answer, or a body that has none; nothing for an answer without a body. */
export type DataOf<Operation extends OperationShape> = [BodyOfSuccess<Operation['responses']>] extends [never]
  ? undefined
  : BodyOfSuccess<Operation['responses']> extends infer Body
    ? Body extends { readonly data: infer Data }
      ? Data
      : Body
    : never;

/** A page of a list, for an operation that answers one. */
export type PageOf<Operation extends OperationShape> = Extract<
  BodyOfSuccess<Operation['responses']>,
  { readonly data: readonly unknown[]; readonly meta: unknown }
>;
export type ItemOf<Operation extends OperationShape> = PageOf<Operation>['data'][number];

/** The ids of the operations that answer lists. */
export type ListId<Operations extends OperationsShape<Operations>> = {
  [Id in keyof Operations]: [PageOf<Operations[Id]>] extends [never] ? never : Id;
}[keyof Operations];
