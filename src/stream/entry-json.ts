// Writes requests, steps and events as the control API shows them, for a stream reader that gets thousands a second: much
// of an entry is JSON already, or is the same from one request to the next. V8 takes twice as long for an object of the
// same parts, and as long again to put them together. Ids, timestamps and codes are of this server, and have nothing that
// JSON escapes.
import { eventHeaders } from '../admin/events.ts';
import { bodyHash } from '../admin/requests.ts';
import { sha256 } from '../identity/seeded.ts';
import type { EventEntry, RecordedMessage, RequestEntry, SelectionRecord, StepEntry, Subject } from '../model.ts';
import { latestOf } from '../repeated.ts';

interface Header {
  readonly name: string;
  readonly value: string;
  /** `,"name":"value"`. */
  readonly text: string;
}

type Headers = Readonly<Record<string, string>>;

/** Headers as JSON. Most are those that the message before had at the same place, and all of a client's often the same. */
export class HeaderJson {
  readonly #latest: Header[] = [];
  #headers: Headers = {};
  #text = '{}';

  of(headers: Headers): string {
    if (headers === this.#headers) return this.#text;
    let text = '';
    let at = 0;
    for (const name in headers) {
      text += this.#header(at, name, headers[name] ?? '');
      at += 1;
    }
    this.#headers = headers;
    this.#text = `{${text.slice(1)}}`;
    return this.#text;
  }

  #header(at: number, name: string, value: string): string {
    const known = this.#latest[at];
    if (known?.name === name && known.value === value) return known.text;
    const text = `,${JSON.stringify(name)}:${JSON.stringify(value)}`;
    this.#latest[at] = { name, value, text };
    return text;
  }
}

const json: (value: unknown) => string = JSON.stringify;
const code = (value: string | null): string => (value === null ? 'null' : `"${value}"`);
const subjectJson = ({ table, id }: Subject): string => `{"table":"${table}","id":${json(id)}}`;

/** Writes requests: they are the longest entries. */
export class RequestJson {
  readonly #requestHeaders = new HeaderJson();
  readonly #responseHeaders = new HeaderJson();
  readonly #scenario = latestOf<SelectionRecord | null>(json);
  readonly #path = latestOf<string>(json);
  /** Of bodies that are kept in full, a client often sends the same. */
  readonly #hash = latestOf<string>(sha256);

  of(entry: RequestEntry): string {
    const { id, at, method, path, query, operation, key_id, status, error_code, duration_ms, replayed } = entry;
    const { fault, faults, scenario, request, response } = entry;
    const asked = `${this.#requestHeaders.of(request.headers)}${afterHeaders(request, request.body_sha256 ?? this.#hash(request.body))}`;
    const told = `${this.#responseHeaders.of(response.headers)}${afterHeaders(response, bodyHash(response))}`;
    return `{"id":"${id}","at":"${at}","method":"${method}","path":${this.#path(path)},"query":${json(query)},"operation":${code(operation)},"key_id":${code(key_id)},"status":${status},"error_code":${code(error_code)},"duration_ms":${duration_ms},"replayed":${replayed},"fault":${code(fault)}${faults ? `,"faults":${json(faults)}` : ''},"scenario":${this.#scenario(scenario)},"request":{"headers":${asked},"response":{"headers":${told}}`;
  }
}

const afterHeaders = ({ body, body_bytes }: RecordedMessage, hash: string): string =>
  `,"body":${json(body)},"body_bytes":${body_bytes},"body_sha256":"${hash}"}`;

export function stepJson(step: StepEntry): string {
  // Those of a record that nobody asked for, and of a task that failed.
  if (step.scenario || step.error !== undefined) return json(step);
  const { id, at, subject, trigger, from, to, cause } = step;
  return `{"id":"${id}","at":"${at}","subject":${subjectJson(subject)},"trigger":"${trigger}","from":${code(from)},"to":${code(to)},"cause":${code(cause)}}`;
}

const unsigned = json(eventHeaders({ body: '' }));
const unheardJson = latestOf<EventEntry['unheard']>(json);

/** Its payload is its body, which is not parsed for that. */
export function eventJson(event: EventEntry): string {
  const { id, at, event_type, subject, body, signed, schema_violations, deliveries, unheard, cause } = event;
  const headers = signed ? json(eventHeaders(event)) : unsigned;
  const violations = schema_violations.length === 0 ? '[]' : json(schema_violations);
  return `{"id":"${id}","event_type":"${event_type}","created_at":"${at}","subject":${subject ? subjectJson(subject) : null},"payload":${body},"body":${json(body)},"headers":${headers},"schema_violations":${violations},"deliveries":${deliveries},"unheard":${unheardJson(unheard)},"cause":${code(cause)}}`;
}
