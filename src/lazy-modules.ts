// Packages that are loaded on first use: nothing needs them before the first request, and loading them took a third of
// the start. Node never retries a package that failed to load, so none is loaded while this process cannot open more
// files.
import { closeSync, openSync } from 'node:fs';
import { requirePackage } from './require-package.ts';
import { hasCode } from './system-errors.ts';

/** How many files loading a module has open at one time, with some to spare. */
const FILES = 16;

/** The YAML parser; the package's own files are parsed at build time. */
export const yaml = required<typeof import('yaml')>('yaml');

/** The HTTP client that delivers webhooks over kept connections. */
export const undici = required<typeof import('undici')>('undici');

/** Phone number rules of all countries. */
export const phoneNumbers = required<typeof import('libphonenumber-js/min')>('libphonenumber-js/min');

const joseModule = required<typeof import('jose')>('jose');

/** Signs and verifies JWTs. Not imported: that opens many files at one time, which may fail in the middle. */
export const jose = async (): Promise<typeof import('jose')> => {
  try {
    return joseModule();
  } catch (error) {
    // Node 22 before 22.12 requires no such package.
    if (hasCode(error, 'ERR_REQUIRE_ESM')) return import('jose');
    throw error;
  }
};

/** Writes PDFs. */
export const pdfkit = required<typeof import('pdfkit')>('pdfkit');

/** Writes metrics as Prometheus reads them. */
export const promClient = required<typeof import('prom-client')>('prom-client');

/** English names and addresses; loading all languages takes five times as long. */
export const englishFaker = required<typeof import('@faker-js/faker/locale/en')>('@faker-js/faker/locale/en');

/** Compiles JSON Schemas of the dialect that OpenAPI 3.1 uses. */
export const ajv = required<typeof import('ajv/dist/2020.js')>('ajv/dist/2020.js');

/** The formats of strings, for ajv. */
export const ajvFormats = required<typeof import('ajv-formats')>('ajv-formats');

type RequestMiddleware = (request: object, response: undefined, next: (error?: unknown) => void) => void;

/**
 * The parts of express-openapi-validator that check a request, typed as they are used: on plain objects. By their paths,
 * since the package's index loads all its other middlewares; the version is pinned, and a test checks how they behave.
 */
export const openApiRequestValidator = required<{
  readonly RequestValidator: new (document: object, options: object) => { readonly validate: RequestMiddleware };
}>('express-openapi-validator/dist/middlewares/openapi.request.validator.js');

export const openApiSchemaPreprocessor = required<{
  readonly SchemaPreprocessor: new (document: object, options: object, responses: boolean) => { preProcess(): unknown };
}>('express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js');

export const openApiValidatorOptions = required<{
  readonly AjvOptions: new (options: object) => { readonly preprocessor: object; readonly request: object };
}>('express-openapi-validator/dist/framework/ajv/options.js');

/** How the validator writes dates in responses; its request schemas are prepared with it too. */
export const openApiSerialization = required<{ readonly defaultSerDes: readonly object[] }>(
  'express-openapi-validator/dist/framework/base.serdes.js',
);

/** The modules that most servers need; loaded in the background soon after the start. */
export const preloadedModules: readonly (() => unknown)[] = [phoneNumbers, jose];

function required<Module>(name: string): () => Module {
  let loaded: Module | undefined;
  return () => {
    if (loaded === undefined) {
      expectDescriptors();
      loaded = requirePackage(name) as Module; // Nothing else says which package has which name.
    }
    return loaded;
  };
}

/** Returns a function that imports a module when it is first called. */
export function imported<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loaded: Promise<Module> | undefined;
  return async () => {
    if (loaded === undefined) {
      expectDescriptors();
      loaded = load().catch((error) => {
        loaded = undefined;
        throw error;
      });
    }
    return loaded;
  };
}

/** Throws the system's error if this process may open no more files. */
function expectDescriptors(): void {
  const opened: number[] = [];
  try {
    while (opened.length < FILES) opened.push(openSync(process.execPath, 'r'));
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}
