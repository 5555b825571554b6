// Reads something of the server for a component, and again whenever `key` or what it is about changes.
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
  const latest = useRef(read);
  latest.current = read;
  useEffect(() => {
    const gone = new AbortController();
    latest.current(gone.signal).then(
      (value) => !gone.signal.aborted && setResult({ key, again, value }),
      (error) => !gone.signal.aborted && setResult({ key, again, error }),
    );
    return () => gone.abort();
  }, [key, again]);
  if (result?.key !== key) return { state: 'reading' };
  if ('error' in result) return { state: 'failed', error: result.error };
  return { state: 'read', value: result.value, isFormer: result.again !== again };
}

type Result<Value> = { readonly key: string; readonly again: unknown } & (
  | { readonly value: Value }
  | { readonly error: unknown }
);
