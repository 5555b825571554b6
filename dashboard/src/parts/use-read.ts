// Reads something of the server for a component, and again whenever `key` or what it is about changes.
import { useEffect, useRef, useState } from 'preact/hooks';

export type Read<Value> =
  | { readonly state: 'reading' }
  | { readonly state: 'read'; readonly value: Value }
  | { readonly state: 'failed'; readonly error: unknown };

/** `again`: changes when the value may have; the former one is shown meanwhile. */
export function useRead<Value>(
  key: string,
  again: unknown,
  read: (signal: AbortSignal) => Promise<Value>,
): Read<Value> {
  const [result, setResult] = useState<{ readonly key: string; readonly read: Read<Value> } | null>(null);
  const latest = useRef(read);
  latest.current = read;
  useEffect(() => {
    const gone = new AbortController();
    latest.current(gone.signal).then(
      (value) => !gone.signal.aborted && setResult({ key, read: { state: 'read', value } }),
      (error) => !gone.signal.aborted && setResult({ key, read: { state: 'failed', error } }),
    );
    return () => gone.abort();
  }, [key, again]);
  return result?.key === key ? result.read : { state: 'reading' };
}
