// The control headers of a request, decoded in one place: names and form. What they name is checked later, against
// the world's library. `interface.md` section 3.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { parseDuration } from '../clock/duration.ts';
import { type ApiError, invalidField, quote } from '../errors/api-error.ts';
import { type SynchronousCode, synchronousCodes } from '../errors/catalogue.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import type { ScenarioReference } from '../model.ts';
import { parseScenarioReference } from '../scenarios/reference.ts';

export const faults = ['reset', 'empty', 'truncate', 'timeout'] as const;
export interface Fault {
  readonly kind: (typeof faults)[number];
  /** Before the request takes effect, or after. */
  readonly when: 'before' | 'after';
}

export interface ControlHeaders {
  readonly scenario: ScenarioReference | null;
  readonly error: SynchronousCode | null;
  /** Real milliseconds. */
  readonly delayMs: number;
  readonly fault: Fault | null;
}

export const noControlHeaders: ControlHeaders = { scenario: null, error: null, delayMs: 0, fault: null };

const PREFIX = 'x-sandbox-';
const LONGEST_DELAY_MS = 60_000;

/** The control headers, as the README's table lists them. */
export const controlHeaders = {
  'X-Sandbox-Scenario': 'plays that scenario for what this request sets going, as in `busy` or `busy;ring=2s`',
  'X-Sandbox-Error': 'answers with that error code and changes nothing',
  'X-Sandbox-Delay': 'answers that much later on real time (at most 60s), after the effect',
  'X-Sandbox-Fault': 'breaks the connection: `reset`, `empty`, `truncate` or `timeout`; `;when=before` changes nothing',
  'X-Sandbox-World': 'a world, on the control API and with the control token only',
} as const;

const names = Object.keys(controlHeaders);
const byLowerCase = new Map(names.map((name) => [name.toLowerCase(), name]));

/** `validation_error` on an unknown control header or a malformed value. `except` is one that is read elsewhere. */
export function readControlHeaders({ headers, rawHeaders }: IncomingMessage, except?: string): ControlHeaders {
  let found: { -readonly [Name in keyof ControlHeaders]: ControlHeaders[Name] } | undefined;
  for (const name in headers) {
    if (!name.startsWith(PREFIX) || name === except) continue;
    const header = byLowerCase.get(name);
    if (!header) throw unknownControl(rawHeaders.find((each) => each.toLowerCase() === name) ?? name);
    found ??= { ...noControlHeaders };
    const value = String(headers[name]);
    switch (header as keyof typeof controlHeaders) {
      case 'X-Sandbox-Scenario': {
        const use = parseScenarioReference(asWritten(value));
        if (typeof use === 'string') throw invalidField(header, use);
        found.scenario = use;
        break;
      }
      case 'X-Sandbox-Error':
        found.error = readError(header, value);
        break;
      case 'X-Sandbox-Delay':
        found.delayMs = readDelay(header, value);
        break;
      case 'X-Sandbox-Fault':
        found.fault = readFault(header, value);
        break;
      case 'X-Sandbox-World':
        throw invalidField(header, 'is for the control API, with its token; here the API key decides the world');
    }
  }
  return found ?? noControlHeaders;
}

/** Node reads the bytes of a header as Latin-1; most clients write UTF-8, and whatever is none stays as it was read. */
function asWritten(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : value;
}

/** Named as the client has spelt it. */
function unknownControl(name: string): ApiError {
  return invalidField(name, `is no control header; one of ${names.join(', ')}${didYouMean(name, names)}`);
}

function readError(header: string, value: string): SynchronousCode {
  const code = synchronousCodes.find((known) => known === value);
  if (code) return code;
  throw invalidField(
    header,
    `${quote(value)} is no code that is answered synchronously; one of ${synchronousCodes.join(', ')}${didYouMean(value, synchronousCodes)}`,
  );
}

function readDelay(header: string, value: string): number {
  const ms = parseDuration(value);
  if (ms !== undefined && ms <= LONGEST_DELAY_MS) return ms;
  throw invalidField(header, `${quote(value)} is no delay; write a duration such as 250ms or 2s, at most 60s`);
}

function readFault(header: string, value: string): Fault {
  const [kind, when, ...rest] = value.split(';').map((part) => part.trim());
  const known = faults.find((fault) => fault === kind);
  if (known && rest.length === 0) {
    if (when === undefined || when === 'when=after') return { kind: known, when: 'after' };
    if (when === 'when=before') return { kind: known, when: 'before' };
  }
  throw invalidField(
    header,
    `${quote(value)} is no fault; one of ${faults.join(', ')}, alone or with ;when=before${didYouMean(kind ?? '', faults)}`,
  );
}
