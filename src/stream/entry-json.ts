// Serializes requests and events as the control API shows them, for a stream reader that gets thousands a second: much
// of an entry is JSON already, or is the same from one request to the next.
import { eventHeaders } from '../admin/events.ts';
import { bodyHash } from '../admin/requests.ts';
import type { EventEntry, RecordedMessage, RequestEntry, SelectionRecord, StepEntry, Subject } from '../model.ts';

/** Names of headers whose latest value is kept: clients can send any. */
const MAX_NAMES = 500;

interface Header {
  /** `,"name":`. */
  readonly name: string;
  value: string;
  /** `,"name":"value"`. */
  text: string;
}

type Headers = Readonly<Record<string, string>>;

/** Headers as JSON. Most have the value that they had in the message before, and those of a client are often the same. */
export class HeaderJson {
  readonly #latest = new Map<string, Header>();
  #headers: Headers = {};
  #text = '{}';

  of(headers: Headers): string {
    if (headers === this.#headers) return this.#text;
    let text = '';
    for (const name in headers) text += this.#header(name, headers[name] ?? '');
    return `{${text.slice(1)}}`;
  }

  /** The same for headers that come again as one object. */
  ofKept(headers: Headers): string {
    const text = this.of(headers);
    this.#headers = headers;
    this.#text = text;
    return text;
  }

  #header(name: string, value: string): string {
    const known = this.#latest.get(name);
    if (known?.value === value) return known.text;
    if (known) {
      known.value = value;
      known.text = known.name + JSON.stringify(value);
      return known.text;
    }
    if (this.#latest.size >= MAX_NAMES) this.#latest.clear();
    const json = `,${JSON.stringify(name)}:`;
    const text = json + JSON.stringify(value);
    this.#latest.set(name, { name: json, value, text });
    return text;
  }
}

/**
 * Its parts, one after another: V8 takes twice as long for an object of them. Ids, timestamps and codes are of this
 * server, and have nothing that JSON escapes.
 */
export function requestJson(entry: RequestEntry, headers: HeaderJson): string {
  const { id, at, method, path, query, operation, key_id, status, error_code, duration_ms, replayed } = entry;
  const { fault, faults, scenario, request, response } = entry;
  return `{"id":"${id}","at":"${at}","method":${text(method)},"path":${text(path)},"query":${text(query)},"operation":${code(operation)},"key_id":${code(key_id)},"status":${status},"error_code":${code(error_code)},"duration_ms":${duration_ms},"replayed":${replayed},"fault":${code(fault)},${faults ? `"faults":${text(faults)},` : ''}"scenario":${selectionJson(scenario)},"request":${messageJson(request, headers.ofKept(request.headers))},"response":${messageJson(response, headers.of(response.headers))}}`;
}

const text: (value: unknown) => string = JSON.stringify;
const code = (value: string | null): string => (value === null ? 'null' : `"${value}"`);

const latestSelection: { of: SelectionRecord | null; json: string } = { of: null, json: 'null' };

/** One scenario is often played many times in a row. */
function selectionJson(selection: SelectionRecord | null): string {
  if (selection !== latestSelection.of) {
    latestSelection.of = selection;
    latestSelection.json = JSON.stringify(selection);
  }
  return latestSelection.json;
}

function messageJson(message: RecordedMessage, headers: string): string {
  const { body, body_bytes } = message;
  return `{"headers":${headers},"body":${text(body)},"body_bytes":${body_bytes},"body_sha256":"${bodyHash(message)}"}`;
}

export function stepJson(step: StepEntry): string {
  // The error of a task that failed.
  if (step.scenario || step.error !== undefined) return JSON.stringify(step);
  const { id, at, subject, trigger, from, to, cause } = step;
  return `{"id":"${id}","at":"${at}","subject":${subjectJson(subject)},"trigger":"${trigger}","from":${code(from)},"to":${code(to)},"cause":${code(cause)}}`;
}

const subjectJson = ({ table, id }: Subject): string => `{"table":"${table}","id":${text(id)}}`;

const UNSIGNED = JSON.stringify(eventHeaders({ body: '' }));

/** Its payload is its body, which is not parsed for that. */
export function eventJson(event: EventEntry): string {
  const { id, at, event_type, subject, body, signed, schema_violations, deliveries, unheard, cause } = event;
  const headers = signed ? JSON.stringify(eventHeaders(event)) : UNSIGNED;
  return `{"id":"${id}","event_type":"${event_type}","created_at":"${at}","subject":${subject ? subjectJson(subject) : null},"payload":${body},"body":${text(body)},"headers":${headers},"schema_violations":${text(schema_violations)},"deliveries":${deliveries},"unheard":${text(unheard)},"cause":${code(cause)}}`;
}
