// Reads something of the server for a component, and again whenever what it is about changes. That may be with every message
// of the stream, so one reading ends before the next begins, and there are at most four a second.
import { useEffect, useRef, useState } from 'preact/hooks';

export type Read<Value> =
  | { readonly state: 'reading' }
  | {
      readonly state: 'read';
      readonly value: Value;
      /** Whether it is being read again: what is shown may be a former one. */
      readonly isFormer: boolean;
    }
  | { readonly state: 'failed'; readonly error: unknown };

/** `again`: changes when the value may have; the former one is shown meanwhile. */
export function useRead<Value>(
  key: string,
  again: unknown,
  read: (signal: AbortSignal) => Promise<Value>,
): Read<Value> {
  const [result, setResult] = useState<Result<Value> | null>(null);
  const latest = useRef({ again, read });
  latest.current = { again, read };
  const readings = useRef<Readings | null>(null);
  useEffect(() => {
    const gone = new AbortController();
    const own = new Readings(async () => {
      // Only what is read now knows what it was read for.
      const { again: of, read: once } = latest.current;
      const outcome = await once(gone.signal).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
      if (!gone.signal.aborted) setResult({ key, again: of, ...outcome });
    });
    readings.current = own;
    own.want();
    return () => {
      gone.abort();
      own.close();
    };
  }, [key]);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) readings.current?.want();
    isFirst.current = false;
  }, [again]);
  if (result?.key !== key) return { state: 'reading' };
  if ('error' in result) return { state: 'failed', error: result.error };
  return { state: 'read', value: result.value, isFormer: result.again !== again };
}

type Result<Value> = { readonly key: string; readonly again: unknown } & (
  | { readonly value: Value }
  | { readonly error: unknown }
);

const BETWEEN_MS = 250;

/** Readings of one thing, one after the other. */
class Readings {
  readonly #read: () => Promise<void>;
  #isReading = false;
  #isWanted = false;
  #isClosed = false;
  #began = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(read: () => Promise<void>) {
    this.#read = read;
  }

  /** Reads it once more, soon. */
  want(): void {
    this.#isWanted = true;
    if (this.#isReading || this.#isClosed) return;
    const wait = Math.max(0, this.#began + BETWEEN_MS - performance.now());
    this.#timer ??= setTimeout(() => void this.#begin(), wait);
  }

  async #begin(): Promise<void> {
    this.#timer = undefined;
    this.#isWanted = false;
    this.#isReading = true;
    this.#began = performance.now();
    await this.#read();
    this.#isReading = false;
    if (this.#isWanted) this.want();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }
}
