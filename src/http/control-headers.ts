// Reads the control headers of a request and checks their names and form. The scenario is looked up later, in the
// library of the world. `interface.md` section 3.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { parseDuration } from '../clock/duration.ts';
import { type ApiError, invalidField, quote } from '../errors/api-error.ts';
import { type SynchronousCode, synchronousCodes } from '../errors/catalogue.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { type ConnectionFault, connectionFaults, type ScenarioReference } from '../model.ts';
import { parseScenarioReference } from '../scenarios/reference.ts';

/** How the connection of a request breaks. */
export interface Break {
  readonly kind: ConnectionFault;
  /** Before the request takes effect, or after. */
  readonly when: 'before' | 'after';
}

export interface ControlHeaders {
  readonly scenario: ScenarioReference | null;
  readonly error: SynchronousCode | null;
  /** Real milliseconds. */
  readonly delayMs: number;
  readonly fault: Break | null;
}

export const noControlHeaders: ControlHeaders = { scenario: null, error: null, delayMs: 0, fault: null };

const PREFIX = 'x-sandbox-';
const MAX_DELAY_MS = 60_000;

/** The control headers, as the README's table lists them. */
export const controlHeaders = {
  'X-Sandbox-Scenario': 'plays that scenario for what this request starts, such as `busy` or `busy;ring=2s`',
  'X-Sandbox-Error': 'responds with that error code and changes nothing',
  'X-Sandbox-Delay': 'delays the response by that much real time (at most 60s), after the effect',
  'X-Sandbox-Fault': 'breaks the connection: `reset`, `empty`, `truncate` or `timeout`; `;when=before` changes nothing',
  'X-Sandbox-World': 'a world, on the control API and with the control token only',
} as const;

type ControlHeader = keyof typeof controlHeaders;
const isControlHeader = (name: string): name is ControlHeader => Object.hasOwn(controlHeaders, name);
const names = Object.keys(controlHeaders).filter(isControlHeader);
const byLowerCase: ReadonlyMap<string, ControlHeader> = new Map(names.map((name) => [name.toLowerCase(), name]));

/** `validation_error` for an unknown control header or a malformed value. `except` is one that is read elsewhere. */
export function readControlHeaders({ headers, rawHeaders }: IncomingMessage, except?: string): ControlHeaders {
  let found: { -readonly [Name in keyof ControlHeaders]: ControlHeaders[Name] } | undefined;
  for (const name in headers) {
    if (!name.startsWith(PREFIX) || name === except) continue;
    const header = byLowerCase.get(name);
    if (!header) throw unknownControl(rawHeaders.find((written) => written.toLowerCase() === name) ?? name, except);
    found ??= { ...noControlHeaders };
    const value = String(headers[name]);
    switch (header) {
      case 'X-Sandbox-Scenario':
        found.scenario = readScenario(header, value);
        break;
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
        throw invalidField(
          header,
          'is for the control API of a server with a control token; here the API key selects the world',
        );
      default:
        header satisfies never;
    }
  }
  return found ?? noControlHeaders;
}

function readScenario(header: ControlHeader, value: string): ScenarioReference {
  const reference = parseScenarioReference(asWritten(value));
  if (typeof reference === 'string') throw invalidField(header, reference);
  return reference;
}

/** Node decodes headers as Latin-1, but most clients write UTF-8; what is not valid UTF-8 stays as decoded. */
function asWritten(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : value;
}

/** `name` is as the client spelled it. `X-Sandbox-World` is offered only where it is read. */
function unknownControl(name: string, except: string | undefined): ApiError {
  const allowed = names.filter((known) => known !== 'X-Sandbox-World' || except !== undefined);
  const suggestion = didYouMean(name, allowed, PREFIX);
  return invalidField(name, `is not a known control header; must be one of ${allowed.join(', ')}${suggestion}`);
}

function readError(header: ControlHeader, value: string): SynchronousCode {
  const code = synchronousCodes.find((candidate) => candidate === value);
  if (code) return code;
  throw invalidField(
    header,
    `${quote(value)} is not an error code of a response; must be one of ${synchronousCodes.join(', ')}${didYouMean(value, synchronousCodes)}`,
  );
}

function readDelay(header: ControlHeader, value: string): number {
  const ms = parseDuration(value);
  if (ms !== undefined && ms <= MAX_DELAY_MS) return ms;
  throw invalidField(
    header,
    `${quote(value)} is not a valid delay; must be a duration such as 250ms or 2s, at most 60s`,
  );
}

const allowedFaults = connectionFaults.flatMap((kind) => [kind, `${kind};when=before`, `${kind};when=after`]);

function readFault(header: ControlHeader, value: string): Break {
  const [kind, when, ...rest] = value.split(';').map((part) => part.trim());
  const fault = connectionFaults.find((candidate) => candidate === kind);
  if (fault && rest.length === 0) {
    if (when === undefined || when === 'when=after') return { kind: fault, when: 'after' };
    if (when === 'when=before') return { kind: fault, when: 'before' };
  }
  throw invalidField(
    header,
    `${quote(value)} is not a known fault; must be one of ${connectionFaults.join(', ')}, alone or with ;when=before${didYouMean(value, allowedFaults)}`,
  );
}
