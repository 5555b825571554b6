// The form of a fault of a world, and the combinations that are refused. `interface.md` section 5.
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';
import { durationForm, parseDuration, parseDurationRange } from '../clock/duration.ts';
import { loadContract } from '../contract/document.ts';
import { ApiError, faultsOf, quote } from '../errors/api-error.ts';
import { synchronousCodes } from '../errors/catalogue.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { type FieldError, parseWith, validate } from '../errors/schema-errors.ts';
import { withoutUnset } from '../errors/unset-fields.ts';
import { canMatch, globForm, MAX_GLOB_LENGTH } from '../glob.ts';
import { connectionFaults, drifts, type FaultSpec } from '../model.ts';

/** As for X-Sandbox-Delay. */
const MAX_LATENCY_MS = 60_000;
const MAX_HEADERS = 50;

/** A longer one is compared with nothing. */
const glob = z.string().min(1).max(MAX_GLOB_LENGTH, { abort: true }).optional();

/** HTTP itself decides on these. */
const framing: readonly string[] = [
  'connection',
  'content-length',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

export const respond = z
  .strictObject({
    status: z.int().min(200).max(599).describe('The status, from 200 to 599.'),
    headers: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .optional()
      .describe('The headers, such as `Retry-After`.'),
    body: z.unknown().optional().describe('A string is sent as it is, anything else as JSON.'),
    content_type: z
      .string()
      .optional()
      .describe('By default `text/html` for a string that begins with `<`, `text/plain` for another, else JSON.'),
  })
  .superRefine(({ status, headers = {}, body, content_type }, { addIssue }) => {
    const refuse = (path: PropertyKey[], message: string): void => addIssue({ code: 'custom', path, message });
    const names = Object.keys(headers);
    if (names.length > MAX_HEADERS) refuse(['headers'], `must be at most ${MAX_HEADERS} headers`);
    const seen = new Set<string>();
    for (const [name, value] of Object.entries(headers)) {
      const isRepeated = seen.size === seen.add(name.toLowerCase()).size;
      const problem = isRepeated
        ? 'is given twice: names of headers differ in more than case'
        : headerProblem(name, String(value));
      if (problem) refuse(['headers', name], problem);
    }
    if (content_type !== undefined) {
      const problem = names.some((name) => name.toLowerCase() === 'content-type')
        ? 'is in headers too; give it once'
        : headerProblem('Content-Type', content_type);
      if (problem) refuse(['content_type'], problem);
    }
    const isEmpty = body === undefined || body === null || body === '';
    if ((status === 204 || status === 304) && !isEmpty) refuse(['body'], `must be left out: a ${status} has none`);
  })
  .describe("A gateway's answer.");

function headerProblem(name: string, value: string): string | undefined {
  const lower = name.toLowerCase();
  if (framing.includes(lower) || lower.startsWith('x-sandbox-')) return 'must be left out: the server sets it';
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return undefined;
  } catch {
    return 'is not a valid HTTP header';
  }
}

/** What a client sends; the document of the control API shows it. */
export const faultForm = z
  .strictObject({
    operation: glob.describe(`The operation, such as \`dialCall\` or \`list*\`: ${globForm}.`),
    method: glob.describe('The HTTP method, in any case.'),
    path: glob.describe(`The path without the query: ${globForm}.`),
    error: z.enum(synchronousCodes).optional().describe('The platform answers with this error.'),
    fault: z.enum(connectionFaults).optional().describe('The connection breaks in this way.'),
    respond: respond.optional().describe('A gateway answers in place of the platform.'),
    drift: z
      .array(z.enum(drifts))
      .min(1)
      .max(drifts.length)
      .optional()
      .describe('The answer changes as the platform may change without notice; it means the same.'),
    latency: z
      .string()
      .optional()
      .describe('The answer is that much later, in real time: `2s` or `200ms..2s`, at most 60s.'),
    when: z
      .enum(['before', 'after'])
      .optional()
      .describe('Before the effect of the request, which then has none, or after it.'),
    probability: z.number().min(0).max(1).optional().describe('How likely it happens to a request; 1 by default.'),
    nth: z.int().min(1).optional().describe('Happens only to the request with this number, counted after `skip`.'),
    skip: z.int().min(0).optional().describe('How many matching requests it leaves alone first.'),
    times: z.int().min(1).optional().describe('How often it happens at most.'),
    ttl: z.string().optional().describe("How long it lasts, on the world's clock."),
  })
  .superRefine((fault, { addIssue }) => {
    for (const [field, message] of problemsOf(fault)) {
      addIssue({ code: 'custom', path: field === '' ? [] : [field], message });
    }
  })
  .describe('Which requests it meets, and what happens to them.') satisfies z.ZodType<FaultSpec>;

const exclusive = ['error', 'fault', 'respond', 'drift'] as const;

function* problemsOf(fault: FaultSpec): Generator<readonly [field: string, message: string]> {
  const [first, second] = exclusive.filter((effect) => fault[effect] !== undefined);
  if (first && second) yield [second, `cannot be combined with ${first}; set a fault for each`];
  if (!first && fault.latency === undefined) yield ['', `must have one of ${exclusive.join(', ')}, latency`];
  if (fault.drift && fault.when === 'before')
    yield ['when', 'must be after: before the effect there is no answer to change'];
  if (fault.drift && new Set(fault.drift).size < fault.drift.length) yield ['drift', 'must not have an entry twice'];
  const latency = fault.latency === undefined ? undefined : parseDurationRange(fault.latency);
  if (fault.latency !== undefined && !(latency && latency.max <= MAX_LATENCY_MS)) {
    yield [
      'latency',
      'must be a duration such as 250ms, or a range such as 200ms..2s, the shorter one first, at most 60s',
    ];
  }
  if (fault.ttl !== undefined && !parseDuration(fault.ttl)) yield ['ttl', `must be ${durationForm}, and more than 0`];
  yield* problemsOfRoute(fault);
}

/** Whether any operation of the platform meets all that is given. */
function* problemsOfRoute(fault: FaultSpec): Generator<readonly [field: string, message: string]> {
  const operations = [...loadContract().operations.values()];
  const named = operations.filter(({ id }) => fault.operation === undefined || canMatch(fault.operation, id));
  if (fault.operation !== undefined && named.length === 0) {
    const suggestion = didYouMean(
      fault.operation,
      operations.map(({ id }) => id),
    );
    yield ['operation', `${quote(fault.operation)} is not an operation of the platform${suggestion}`];
    return;
  }
  const method = fault.method?.toUpperCase();
  const sent = named.filter((each) => method === undefined || canMatch(method, each.method));
  if (sent.length === 0) yield ['method', `must be that of an operation: ${listed(named.map((each) => each.method))}`];
  else if (fault.path !== undefined && !sent.some(({ path }) => canMatch(fault.path ?? '', path))) {
    const paths = fault.operation === undefined ? ', such as /v1/calls/*' : `: ${listed(sent.map(({ path }) => path))}`;
    yield ['path', `${quote(fault.path)} meets no path of an operation${paths}; it is without the query`];
  }
}

const listed = (names: readonly string[]): string => [...new Set(names)].slice(0, 10).join(', ');

/** What sets faults: one that is added, or a list that replaces all. */
export type FaultsToSet = { readonly added: FaultSpec } | { readonly all: readonly FaultSpec[] };

/** How many faults a world can have. */
export const MAX_FAULTS = 100;

const list = z.strictObject({ faults: z.array(z.unknown()).max(MAX_FAULTS) });

/** Reads one fault, or `{ faults }`, a piece for each; `validation_error` with each field that is wrong. */
export function* readFaults(given: unknown): Generator<void, FaultsToSet> {
  const isList = typeof given === 'object' && given !== null && 'faults' in given;
  if (!isList) return { added: parseWith(faultForm, withoutUnset(faultForm, given), refusal) };
  const all: FaultSpec[] = [];
  const problems: FieldError[] = [];
  for (const [index, each] of parseWith(list, given, refusal).faults.entries()) {
    const { data, errors } = validate(faultForm, withoutUnset(faultForm, each));
    if (data) all.push(data);
    problems.push(...errors.map(({ path, reason }) => ({ path: ['faults', index, ...path], reason })));
    yield;
  }
  if (problems.length > 0) throw refusal(problems);
  return { all };
}

function refusal(problems: readonly FieldError[]): ApiError {
  const fields = faultsOf(
    problems,
    ({ path }) => path.map(String).join('.') || 'body',
    ({ reason }) => reason,
  );
  return new ApiError('validation_error', fields);
}
