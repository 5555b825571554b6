// A progress line on stderr; prints nothing if stderr is not a terminal.

export interface Progress {
  show(text: string): void;
  /** Takes the line away. */
  end(): void;
}

const NOTHING: Progress = { show: () => {}, end: () => {} };

export function startProgress(): Progress {
  const { stderr } = process;
  if (!stderr.isTTY) return NOTHING;
  const clear = (): void => {
    stderr.write('\r\u001b[K');
  };
  return {
    show(text) {
      clear();
      stderr.write(text.slice(0, Math.max(0, (stderr.columns ?? 80) - 1)));
    },
    end: clear,
  };
}
