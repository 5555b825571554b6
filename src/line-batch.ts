// Collects the JSON lines of the log and writes many at once while the server is busy, since a write costs more than a
// line. Requests, deliveries and events are turned into text only then, so that a request does not wait for its log
// line.
import { type LogLine, textOf } from './log-lines.ts';
import { redactedBody } from './redaction/text.ts';

/** A line with what pino adds to its records. */
interface StampedLine {
  readonly level: number;
  readonly time: number;
  readonly line: LogLine;
}

/** How long lines wait for others after a write. The first of a quiet time is written at once. */
const PAUSE_MS = 20;

export class LineBatch {
  readonly #write: (text: string) => void;
  #waiting: (string | StampedLine)[] = [];
  #isPlanned = false;
  #written = Number.NEGATIVE_INFINITY;
  readonly #onTime = (): void => {
    this.#isPlanned = false;
    this.flush();
  };

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  add(line: string | StampedLine): void {
    this.#waiting.push(line);
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    const rest = this.#written + PAUSE_MS - performance.now();
    if (rest > 0) setTimeout(this.#onTime, rest);
    else setImmediate(this.#onTime);
  }

  flush(): void {
    const lines = this.#waiting;
    if (lines.length === 0) return;
    this.#waiting = [];
    this.#written = performance.now();
    this.#write(lines.map((line) => (typeof line === 'string' ? line : jsonOf(line))).join(''));
  }
}

/** As pino writes it. */
function jsonOf({ level, time, line }: StampedLine): string {
  return `${redactedBody(JSON.stringify({ level, time, ...line, msg: textOf(line) }))}\n`;
}
