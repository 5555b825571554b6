// A client of an API by operation id, typed by its contract: builds requests, unwraps `data`, turns error envelopes
// into SandboxErrors, and follows cursors. The clients of the control API and of the platform's API are both built on
// it.
import type { ClientAnswer, Transport } from './connections.ts';
import type { DataOf, InputArguments, ItemOf, ListId, OperationsShape, PageOf } from './operation-types.ts';
import { SandboxError } from './sandbox-error.ts';

/** Method and path of each operation, such as `PUT /_sandbox/clock`. */
export type OperationTable<Operations> = Readonly<Record<keyof Operations & string, string>>;

export interface OperationsClient<Operations extends OperationsShape<Operations>> {
  /** The address of the server, without a slash at its end. */
  readonly url: string;
  /** Resolves to the `data` of the answer; rejects with a SandboxError. */
  call<Id extends keyof Operations & string>(
    id: Id,
    ...input: InputArguments<Operations[Id]>
  ): Promise<DataOf<Operations[Id]>>;
  /** One page of a list: `data` and `meta`. */
  page<Id extends ListId<Operations> & string>(
    id: Id,
    ...input: InputArguments<Operations[Id]>
  ): Promise<PageOf<Operations[Id]>>;
  /** Every item of a list, page by page, in the order of the server: journals have the newest first. */
  all<Id extends ListId<Operations> & string>(
    id: Id,
    ...input: InputArguments<Operations[Id]>
  ): Promise<ItemOf<Operations[Id]>[]>;
  /** The answer as text, for other forms: `text('getTimeline', { query: { subject_id, format: 'mermaid' } })`. */
  text<Id extends keyof Operations & string>(id: Id, ...input: InputArguments<Operations[Id]>): Promise<string>;
  bytes<Id extends keyof Operations & string>(id: Id, ...input: InputArguments<Operations[Id]>): Promise<Buffer>;
}

/** An input without its types. */
interface Input {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

export function operationsClient<Operations extends OperationsShape<Operations>>(
  connections: Transport,
  table: OperationTable<Operations>,
  /** Sent with every request. */
  credentials: Readonly<Record<string, string>>,
  /** How many items `all` asks for at once; as the server likes by default. */
  pageSize?: number,
): OperationsClient<Operations> {
  const send = async (id: keyof Operations & string, input: Input = {}): Promise<ClientAnswer> => {
    if (!Object.hasOwn(table, id)) throw new TypeError(`"${id}" is not the id of an operation`);
    const [method = '', template = ''] = table[id].split(' ');
    const path = `${filled(template, input.path)}${queryOf(input.query)}`;
    const { body, type } = bodyOf(input.body);
    const headers = { Accept: '*/*', ...type, ...credentials, ...given(input.headers) };
    const answer = await connections.send({ method, path, headers, body, signal: input.signal });
    if (answer.status >= 400 && !hasData(answer)) throw errorOf(answer, `${method} ${connections.url}${path}`);
    return answer;
  };
  const json = async (id: keyof Operations & string, input?: Input) => {
    const answer = await send(id, input);
    if (answer.body.length > 0 && !isJson(answer))
      throw errorOf(answer, `${table[id].split(' ')[0]} ${connections.url}`);
    return parsed(answer);
  };
  async function all(id: keyof Operations & string, input: Input = {}): Promise<unknown[]> {
    const items: unknown[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await json(id, { ...input, query: { page_size: pageSize, ...input.query, cursor } });
      items.push(...page.data);
      cursor = page.meta?.cursor ?? null;
    }
    return items;
  }
  const untyped = {
    url: connections.url,
    async call(id: keyof Operations & string, input?: Input) {
      const body = await json(id, input);
      return body?.data === undefined ? body : body.data;
    },
    page: json,
    all,
    text: async (id: keyof Operations & string, input?: Input) => (await send(id, input)).body.toString(),
    bytes: async (id: keyof Operations & string, input?: Input) => (await send(id, input)).body,
  };
  // What is sent and answered is what the contract says, which the compiler cannot see.
  return untyped as unknown as OperationsClient<Operations>;
}

function filled(template: string, values: Readonly<Record<string, unknown>> = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined || value === '') throw new TypeError(`${template} needs a value for ${name}`);
    return encodeURIComponent(String(value));
  });
}

/** A list is sent with commas between its items. */
function queryOf(query: Readonly<Record<string, unknown>> = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** Text is YAML, which is what the operations that take text take it as. */
function bodyOf(body: unknown): { readonly body: string | undefined; readonly type: Record<string, string> } {
  if (body === undefined) return { body, type: {} };
  return typeof body === 'string'
    ? { body, type: { 'Content-Type': 'application/yaml' } }
    : { body: JSON.stringify(body), type: { 'Content-Type': 'application/json' } };
}

const given = (headers: Input['headers'] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

const isJson = ({ headers }: ClientAnswer): boolean => headers['content-type']?.includes('json') ?? false;

/** Undefined for an answer without a body. */
const parsed = (answer: ClientAnswer) => (answer.body.length === 0 ? undefined : JSON.parse(answer.body.toString()));

/** Some answers that report a failure, such as that of a verification, are results all the same. */
const hasData = (answer: ClientAnswer): boolean => isJson(answer) && parsed(answer)?.data !== undefined;

function errorOf(answer: ClientAnswer, what: string): SandboxError {
  const { status, headers } = answer;
  const requestId = headers['x-sandbox-request-id'];
  const detail = isJson(answer) ? parsed(answer)?.error : undefined;
  if (typeof detail?.code === 'string') {
    return SandboxError.fromEnvelope(status, detail, typeof requestId === 'string' ? requestId : undefined);
  }
  const form = headers['content-type'] ?? 'no body';
  const message = `${what} was answered with ${status} (${form}), which is not the answer of a Ringback server`;
  return new SandboxError({ code: 'unexpected_answer', status, message });
}
