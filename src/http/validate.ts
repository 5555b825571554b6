// Requests held against the contract by express-openapi-validator. Its middleware would look the operation up anew in
// every request, by scanning all routes; `match` has done that, so its request validator is handed what its own
// look-up step would have found, on a plain object in place of Express's request.
import { createRequire } from 'node:module';
import type { RequestHandler } from 'express';
import { loadContract, type Node, type Operation, resolve } from '../contract/document.ts';
import { ApiError, quote } from '../errors/api-error.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { assumptionsBehind, fieldsOf, type Validated, type ValidatorError } from './request-errors.ts';

export interface Validator {
  /** Throws `validation_error`, with every field that is wrong. */
  check(operation: Operation, request: Validated): void;
  /** Compiles the validators of an operation, so that its first request need not. */
  warm(operation: Operation): void;
}

interface Internals {
  readonly OpenApiValidator: new (
    options: object,
  ) => {
    ajvOpts: { preprocessor: object };
    requestValidationMiddleware(document: object): RequestHandler;
  };
  readonly SchemaPreprocessor: new (document: object, options: object, responses: boolean) => { preProcess(): unknown };
}

/** The two parts of the validator that are wanted; its version is pinned, and a test holds them to their behaviour. */
function internals(): Internals {
  const require = createRequire(import.meta.url);
  const { OpenApiValidator } = require('express-openapi-validator/dist/openapi.validator.js');
  const { SchemaPreprocessor } = require('express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js');
  return { OpenApiValidator, SchemaPreprocessor };
}

/** Fields that an operation checks itself, before the contract is asked. */
export type OwnFields = (operationId: string) => readonly string[];

export function createValidator(ownFields: OwnFields): Validator {
  const { OpenApiValidator, SchemaPreprocessor } = internals();
  const document = requestsOnly(loadContract().document, ownFields);
  const validator = new OpenApiValidator({
    apiSpec: document,
    validateApiSpec: false,
    validateRequests: { allowUnknownQueryParameters: true, coerceTypes: false, allErrors: true },
    validateResponses: false,
    validateSecurity: false,
    fileUploader: false,
    ajvFormats: { mode: 'full' },
    // The library's own pattern for base64 runs out of stack on a large document.
    formats: { byte: (text: string) => Buffer.from(text, 'base64').toString('base64') === text },
  });
  new SchemaPreprocessor(document, validator.ajvOpts.preprocessor, false).preProcess();
  // Without the paths, which every compilation would walk again; each request brings its operation's own.
  const middleware = validator.requestValidationMiddleware({ ...document, paths: {} });

  function run(operation: Operation, { params, query, body }: Validated): void {
    const schema = ((document.paths as Node)[operation.path] as Node)[operation.method.toLowerCase()];
    const request = {
      method: operation.method,
      path: operation.path,
      originalUrl: operation.path,
      headers: operation.takesBody ? { 'content-type': 'application/json' } : {},
      params,
      query,
      body,
      openapi: {
        expressRoute: operation.path,
        openApiRoute: operation.path,
        pathParams: params,
        schema,
        serial: 1,
      },
    };
    middleware(request as never, undefined as never, (error?: unknown) => {
      if (error) throw error;
    });
  }

  return {
    check(operation, request) {
      checkQuery(operation, request.query);
      if (operation.bodyRequired && request.body === undefined) {
        throw new ApiError('validation_error', {
          fields: { body: 'is required: a JSON object' },
          hint: 'Send a JSON body with the header `Content-Type: application/json`.',
        });
      }
      try {
        run(operation, request);
      } catch (error) {
        const { errors } = error as { errors?: ValidatorError[] };
        if (!Array.isArray(errors)) throw error;
        throw new ApiError('validation_error', {
          fields: fieldsOf(operation, errors, request),
          ...assumptionsBehind(errors),
        });
      }
    },
    warm(operation) {
      try {
        run(operation, { params: { id: 'x' }, query: {}, body: {} });
      } catch (error) {
        if (!Array.isArray((error as { errors?: unknown }).errors)) throw error;
      }
    },
  };
}

/** Names that the operation knows, and numbers in plain digits; the validator would also read `1e1` or `Infinity`. */
function checkQuery(operation: Operation, query: Record<string, unknown>): void {
  for (const name in query) {
    if (!operation.query.includes(name)) {
      const known = operation.query.length > 0 ? `it takes ${operation.query.join(', ')}` : 'it takes none';
      throw new ApiError('validation_error', {
        fields: { [name]: `is no query parameter of this operation; ${known}${didYouMean(name, operation.query)}` },
        assumption: 'unknown_body_fields',
      });
    }
    if (operation.queryIntegers.includes(name) && !/^-?\d{1,9}$/.test(String(query[name]))) {
      throw new ApiError('validation_error', {
        fields: { [name]: `is ${quote(query[name])}; must be a whole number` },
        assumption: 'paging',
      });
    }
  }
}

/**
 * The contract as far as requests go: no answers, no callbacks, no headers (they are checked by hand), and the fields
 * that an operation checks itself left open.
 */
function requestsOnly(document: Node, ownFields: OwnFields): Node {
  const copy = structuredClone(document);
  const used = new Set<string>();
  const collect = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { $ref } = node as Node;
    if (typeof $ref === 'string' && !used.has($ref)) {
      used.add($ref);
      collect(resolve(copy, node as Node));
    }
    for (const value of Object.values(node)) collect(value);
  };
  for (const item of Object.values(copy.paths as Node) as Node[]) {
    for (const operation of Object.values(item) as Node[]) {
      if (typeof operation.operationId !== 'string') continue;
      operation.responses = { default: { description: 'any' } };
      operation.callbacks = undefined;
      const parameters = ((operation.parameters ?? []) as Node[]).map((each) => resolve(copy, each));
      operation.parameters = parameters.filter((each) => each.in !== 'header');
      leaveOpen(copy, operation, ownFields(operation.operationId));
    }
  }
  collect(copy.paths);
  const { schemas, parameters } = copy.components as Record<string, Node>;
  const kept = (section: string, nodes: Node | undefined): Node =>
    Object.fromEntries(Object.entries(nodes ?? {}).filter(([name]) => used.has(`#/components/${section}/${name}`)));
  return { ...copy, components: { schemas: kept('schemas', schemas), parameters: kept('parameters', parameters) } };
}

function leaveOpen(document: Node, operation: Node, fields: readonly string[]): void {
  if (fields.length === 0) return;
  const content = (operation.requestBody as { content: Record<string, { schema: Node }> }).content;
  const media = content['application/json'] as { schema: Node };
  const schema = structuredClone(resolve(document, media.schema));
  schema.required = ((schema.required ?? []) as string[]).filter((name) => !fields.includes(name));
  for (const name of fields) (schema.properties as Node)[name] = {};
  media.schema = schema;
}
