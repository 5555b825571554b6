// Serializes requests and events as the control API shows them, for a stream reader that gets thousands a second: much
// of an entry is JSON already, or is the same from one request to the next.
import { eventWith } from '../admin/events.ts';
import { bodyHash } from '../admin/requests.ts';
import type { EventEntry, RecordedMessage, RequestEntry } from '../model.ts';

/** Names of headers whose latest value is kept: clients can send any. */
const MAX_NAMES = 500;

interface Header {
  value: string;
  /** `,"name":"value"`. */
  text: string;
}

/** Headers as JSON. Most have the value that they had in the message before. */
export class HeaderJson {
  readonly #latest = new Map<string, Header>();

  of(headers: Readonly<Record<string, string>>): string {
    let text = '';
    for (const name in headers) text += this.#header(name, headers[name] ?? '');
    return `{${text.slice(1)}}`;
  }

  #header(name: string, value: string): string {
    const known = this.#latest.get(name);
    if (known?.value === value) return known.text;
    const text = `,${JSON.stringify(name)}:${JSON.stringify(value)}`;
    if (known) {
      known.value = value;
      known.text = text;
    } else {
      if (this.#latest.size >= MAX_NAMES) this.#latest.clear();
      this.#latest.set(name, { value, text });
    }
    return text;
  }
}

/** Its messages come last, as in the entry. */
export function requestJson(entry: RequestEntry, headers: HeaderJson): string {
  const { request, response } = entry;
  const rest = JSON.stringify({ ...entry, request: undefined, response: undefined });
  return `${rest.slice(0, -1)},"request":${messageJson(request, headers)},"response":${messageJson(response, headers)}}`;
}

function messageJson(message: RecordedMessage, headers: HeaderJson): string {
  const { body, body_bytes } = message;
  return `{"headers":${headers.of(message.headers)},"body":${JSON.stringify(body)},"body_bytes":${body_bytes},"body_sha256":"${bodyHash(message)}"}`;
}

const noPayload = {};

/** Its payload is its body, which is not parsed for that. Within a string, quotes are escaped. */
export const eventJson = (event: EventEntry): string =>
  JSON.stringify(eventWith(event, noPayload)).replace('"payload":{}', () => `"payload":${event.body}`);
