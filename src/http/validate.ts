// Checks requests against the contract with express-openapi-validator. Its middleware would look up the operation of
// every request again by scanning all routes. `match` has already found it, so only the library's request validator is
// called, with that result and with a plain object instead of Express's request.
import { type Contract, loadContract, type Operation } from '../contract/document.ts';
import { isJsonObject } from '../contract/json.ts';
import { childNodes, findNode, type Node, nodeAt, resolve } from '../contract/nodes.ts';
import { quickToCompile } from '../contract/quick-to-compile.ts';
import type { RequestContent, RequestValidator } from '../engine/check-request.ts';
import { ApiError, quote } from '../errors/api-error.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import {
  ajv,
  ajvFormats,
  openApiRequestValidator,
  openApiSchemaPreprocessor,
  openApiSerialization,
  openApiValidatorOptions,
} from '../lazy-modules.ts';
import { type OwnFields, requestContract } from './request-contract.ts';
import { assumptionsBehind, fieldsOf, type ValidatorError } from './request-errors.ts';

export interface Validator extends RequestValidator {
  /** Loads the library, so that the first request does not have to. */
  prepare(): void;
}

/** What the validator's middleware reads of a request. */
interface ValidatorRequest extends RequestContent {
  readonly method: string;
  readonly path: string;
  readonly originalUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly openapi: {
    readonly expressRoute: string;
    readonly openApiRoute: string;
    readonly pathParams: Readonly<Record<string, string>>;
    readonly schema: Node;
    readonly serial: number;
  };
}

export function createValidator(ownFields: OwnFields): Validator {
  const contract = loadContract();
  let loaded: Run | undefined;
  const run: Run = (operation, content) => {
    loaded ??= loadLibrary(contract, ownFields);
    loaded(operation, content);
  };
  return {
    prepare() {
      loaded ??= loadLibrary(contract, ownFields);
    },
    check(operation, request) {
      checkQuery(operation, request.query);
      checkBodyPresent(operation, request.body);
      try {
        run(operation, request);
      } catch (error) {
        throw refusalOf(operation, request, error);
      }
    },
  };
}

/** Throws what the library finds wrong with a request. */
type Run = (operation: Operation, content: RequestContent) => void;

/** Takes as long as a sixth of the server's start, which is why it is done on first use. */
function loadLibrary({ document: given, operations }: Contract, ownFields: OwnFields): Run {
  const document = requestContract(given, operations.values(), ownFields);
  const middleware = createMiddleware(document);
  const schemas = new Map(
    [...operations.values()].map(({ id, path, method }) => [id, nodeAt(document, 'paths', path, method.toLowerCase())]),
  );
  const limits = new Map([...operations.keys()].map((id) => [id, listLimits(document, schemas.get(id) ?? {})]));
  return (operation, content) => {
    const body = withListsCut(content.body, limits.get(operation.id) ?? []);
    middleware(validatorRequest(operation, schemas.get(operation.id) ?? {}, { ...content, body }));
  };
}

type ListLimit = readonly [field: string, most: number];

/** How long the lists in the body of an operation may be. */
function listLimits(document: Node, operation: Node): ListLimit[] {
  const body = resolve(document, findNode(operation, 'requestBody', 'content', 'application/json', 'schema') ?? {});
  return childNodes(findNode(body, 'properties') ?? {}).flatMap(([field, given]): ListLimit[] => {
    const { maxItems } = resolve(document, given);
    return typeof maxItems === 'number' ? [[field, maxItems]] : [];
  });
}

/** A body whose lists are at most one item too long, so that the validator refuses them without reading all of them. */
function withListsCut(body: unknown, limits: readonly ListLimit[]): unknown {
  if (limits.length === 0 || !isJsonObject(body)) return body;
  const cut = limits.flatMap(([field, most]): [string, unknown][] => {
    const list = body[field];
    return Array.isArray(list) && list.length > most + 1 ? [[field, list.slice(0, most + 1)]] : [];
  });
  return cut.length === 0 ? body : { ...body, ...Object.fromEntries(cut) };
}

/** Characters; a multiple of 4. */
const BASE64_PART = 64 * 1024;

function createMiddleware(document: Node): (request: ValidatorRequest) => void {
  const { AjvOptions } = openApiValidatorOptions();
  const { SchemaPreprocessor } = openApiSchemaPreprocessor();
  const { RequestValidator } = openApiRequestValidator();
  // It has loaded nearly all of these, which check events: the first one, too, where no more files may be opened.
  ajv();
  ajvFormats();
  const { preprocessor, request } = new AjvOptions({
    validateRequests: { allowUnknownQueryParameters: true, coerceTypes: false, allErrors: true },
    validateFormats: true,
    ajvFormats: { mode: 'full' },
    // The library's own pattern for base64 overflows the stack on a large document.
    formats: { byte: isBase64 },
    serDes: openApiSerialization().defaultSerDes,
  });
  new SchemaPreprocessor(document, preprocessor, false).preProcess();
  // Without the paths, which every compilation would walk again; each request carries its operation's own.
  const validator = new RequestValidator({ ...document, paths: {} }, { ...request, code: quickToCompile });
  return (request) =>
    validator.validate(request, undefined, (error) => {
      if (error) throw error;
    });
}

/** In parts that fit into the CPU's caches, which takes a third of the time. */
function isBase64(text: string): boolean {
  for (let at = 0; at < text.length; at += BASE64_PART) {
    const part = text.slice(at, at + BASE64_PART);
    if (part.endsWith('=') && at + BASE64_PART < text.length) return false;
    if (Buffer.from(part, 'base64').toString('base64') !== part) return false;
  }
  return text !== '';
}

function validatorRequest(
  operation: Operation,
  schema: Node,
  { params, query, body }: RequestContent,
): ValidatorRequest {
  const { method, path } = operation;
  return {
    method,
    path,
    originalUrl: path,
    headers: operation.takesBody ? { 'content-type': 'application/json' } : {},
    params,
    query,
    body,
    openapi: { expressRoute: path, openApiRoute: path, pathParams: params, schema, serial: 1 },
  };
}

function checkBodyPresent({ bodyRequired }: Operation, body: unknown): void {
  if (!bodyRequired || body !== undefined) return;
  throw new ApiError('validation_error', {
    fields: { body: 'is required: a JSON object' },
    hint: 'Send a JSON body with the header `Content-Type: application/json`.',
  });
}

/** Names that the operation knows, and numbers in plain digits; the validator would also read `1e1` or `Infinity`. */
function checkQuery(operation: Operation, query: Record<string, unknown>): void {
  for (const name in query) {
    if (!operation.query.includes(name)) {
      const allowed = operation.query.length > 0 ? `allowed: ${operation.query.join(', ')}` : 'it takes none';
      throw new ApiError('validation_error', {
        fields: {
          [name]: `is not a query parameter of this operation; ${allowed}${didYouMean(name, operation.query)}`,
        },
        assumption: 'unknown_body_fields',
      });
    }
    if (operation.queryIntegers.includes(name) && !/^-?\d{1,9}$/.test(String(query[name]))) {
      throw new ApiError('validation_error', {
        fields: { [name]: `is ${quote(query[name])}; must be an integer` },
        assumption: 'paging',
      });
    }
  }
}

/** `validation_error` for what the validator finds wrong; any other error is a bug and is returned unchanged. */
function refusalOf(operation: Operation, request: RequestContent, error: unknown): unknown {
  const errors = errorsOf(error);
  if (!errors) return error;
  return new ApiError('validation_error', {
    ...fieldsOf(operation, errors, request),
    ...assumptionsBehind(operation, errors),
  });
}

function errorsOf(error: unknown): readonly ValidatorError[] | undefined {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors) ? error.errors : undefined;
}
