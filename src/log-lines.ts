// The one-line records of the log: requests, deliveries, and events without a subscriber. JSON and terminal show the
// same text; the terminal colors it.

export interface RequestLine {
  readonly kind: 'request';
  readonly world: string | null;
  /** Null, as the path, for bytes that are not an HTTP request. */
  readonly method: string | null;
  readonly path: string | null;
  /** Null if the connection closed before a response was sent. */
  readonly status: number | null;
  readonly error_code: string | null;
  readonly scenario: string | null;
  /** Which rule selected the scenario. */
  readonly source: string | null;
  readonly duration_ms: number;
}

export interface DeliveryLine {
  readonly kind: 'delivery';
  readonly world: string;
  readonly delivery: string;
  readonly event: string;
  readonly event_type: string;
  readonly target: string;
  /** Null if there was no response. */
  readonly status: number | null;
  readonly latency_ms: number;
  readonly error_class: string | null;
  readonly error: string | null;
  /** What to do about a failure. */
  readonly hint: string | null;
}

export interface UnheardLine {
  readonly kind: 'unheard';
  readonly world: string;
  readonly event: string;
  readonly event_type: string;
  readonly deliveries: 0;
  readonly unheard: readonly string[];
}

export type LogLine = RequestLine | DeliveryLine | UnheardLine;

export type Color = 'green' | 'cyan' | 'yellow' | 'red' | 'dim' | 'bold' | 'none';
/** Colors a part of a line; every part goes through it. */
export type Paint = (color: Color, text: string) => string;

const plain: Paint = (_, text) => text;

/** A line as text, such as `POST /v1/calls/dial 202 busy (number) 4 ms`. */
export function textOf(line: LogLine, paint: Paint = plain): string {
  const parts = partsOf(line, paint).filter((part) => part !== '');
  if (line.world !== null && line.world !== 'default') parts.push(paint('dim', `[${line.world}]`));
  return parts.join(' ');
}

function partsOf(line: LogLine, paint: Paint): string[] {
  switch (line.kind) {
    case 'request': {
      const ms = paint('dim', `${line.duration_ms} ms`);
      const status = statusOf(line.status, 'closed', paint);
      const asked = [paint('bold', line.method ?? 'malformed request'), paint('none', line.path ?? '')];
      return [...asked, status, paint('none', outcomeOf(line)), ms];
    }
    case 'delivery': {
      const { error, hint, error_class } = line;
      const status = statusOf(line.status, error_class ?? '', paint);
      const advice = error === null ? '' : `${error}. ${hint ?? ''}`.trim();
      const ms = paint('dim', `${line.latency_ms} ms`);
      return [paint('bold', `→ ${line.event_type}`), paint('none', line.target), status, ms, paint('yellow', advice)];
    }
    case 'unheard':
      return [paint('dim', `· ${line.event_type} no subscription (${line.unheard.join(', ').replaceAll('_', ' ')})`)];
    default:
      return line satisfies never;
  }
}

/** The error code, and the scenario with the rule that selected it; only once if they are the same. */
function outcomeOf({ error_code, scenario, source }: RequestLine): string {
  const selected = scenario === null ? '' : `${scenario} (${source})`;
  return error_code === null || error_code === scenario ? selected : `${error_code} ${selected}`.trim();
}

function statusOf(status: number | null, otherwise: string, paint: Paint): string {
  if (status === null) return paint('red', otherwise);
  const color = status >= 500 ? 'red' : status >= 400 ? 'yellow' : status >= 300 ? 'cyan' : 'green';
  return paint(color, String(status));
}

/** The beginning of a text of unknown length. */
export const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);
