// The destination of the log. Nothing that happens there stops the server or delays its answers: lines that cannot be
// written, because nobody reads them or the disk is full, are dropped and counted.
import { fstatSync, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';

/** How much text, in characters, may wait for an output that is slow. */
const MAX_WAITING = 1024 * 1024;
const NEWLINE = 10;

/** Writes a text, and then says how many of its lines were lost. */
export type Sink = (text: string, done: (lost: number) => void) => void;

export class LogOutput {
  readonly #sink: Sink;
  /** Called with how many lines were lost, once lines are written again. */
  readonly #onRecovered: (lost: number) => void;
  #waiting: string[] = [];
  #waitingLength = 0;
  #isWriting = false;
  #dropped = 0;
  /** Lines that were dropped since the log last said so. */
  #untold = 0;
  #onIdle = (): void => {};

  constructor(sink: Sink, onRecovered: (lost: number) => void) {
    this.#sink = sink;
    this.#onRecovered = onRecovered;
  }

  /** How many lines were dropped so far. */
  get dropped(): number {
    return this.#dropped;
  }

  write(text: string): void {
    if (!this.#isWriting) return this.#send(text);
    if (this.#waitingLength + text.length > MAX_WAITING) return this.#drop(linesIn(text));
    this.#waiting.push(text);
    this.#waitingLength += text.length;
  }

  /** Resolves when everything is written, or when that many milliseconds have passed. */
  async flush(ms: number): Promise<void> {
    if (!this.#isWriting) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #send(text: string): void {
    this.#isWriting = true;
    try {
      this.#sink(text, (lost) => this.#sent(lost));
    } catch {
      this.#sent(linesIn(text));
    }
  }

  #sent(lost: number): void {
    this.#isWriting = false;
    this.#drop(lost);
    const next = this.#waiting.join('');
    this.#waiting = [];
    this.#waitingLength = 0;
    if (next !== '') this.#send(next);
    else if (lost === 0 && this.#untold > 0) this.#tell();
    else this.#onIdle();
  }

  #tell(): void {
    const untold = this.#untold;
    this.#untold = 0;
    this.#onRecovered(untold);
  }

  #drop(lines: number): void {
    this.#dropped += lines;
    this.#untold += lines;
  }
}

/** A pipe, a socket or a terminal. A write waits for its reader without blocking the process. */
export function streamSink(stream: Writable): Sink {
  // Sandboxes of one process share its output.
  if (!stream.listeners('error').includes(toldToWrite)) stream.on('error', toldToWrite);
  return (text, done) => void stream.write(text, (error) => done(error ? linesIn(text) : 0));
}

/** Every failed write is reported to its callback; without a listener, the event would end the process. */
function toldToWrite(): void {}

/** A file or a device, which a write reaches at once or not at all. */
export function fileSink(descriptor: number): Sink {
  /** Whether a full disk has taken only the beginning of a line. */
  let isTorn = false;
  return (text, done) => {
    const bytes = Buffer.from(isTorn ? `\n${text}` : text);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(descriptor, bytes, written);
      isTorn = false;
    } catch {
      if (written > 0) isTorn = bytes[written - 1] !== NEWLINE;
    }
    done(linesIn(bytes.toString('utf8', written)));
  };
}

/** The output of this process. */
export function stdoutSink(): Sink {
  if (isFile(1)) return fileSink(1);
  if (process.stdout.isTTY) neverWaitFor(process.stdout);
  return streamSink(process.stdout);
}

/**
 * Node makes writes to a terminal wait, and one that is stopped with Ctrl-S would stop the server. The terminal has been
 * opened again for this process, so that others that write to it are not affected. Without this method, they wait.
 */
function neverWaitFor(terminal: object): void {
  const handle: unknown = Reflect.get(terminal, '_handle');
  if (typeof handle !== 'object' || handle === null || !('setBlocking' in handle)) return;
  if (typeof handle.setBlocking === 'function') handle.setBlocking(false);
}

function isFile(descriptor: number): boolean {
  if (process.stdout.isTTY) return false;
  try {
    const stat = fstatSync(descriptor);
    return stat.isFile() || stat.isCharacterDevice();
  } catch {
    return false;
  }
}

function linesIn(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
