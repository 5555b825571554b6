// Shared by live commands: they read the stream of a world until a signal ends them, and report on stderr when the
// connection is lost and restored.
import type { ControlClient } from '../client/control-client.ts';
import type { StreamMessage, StreamType } from '../client/stream.ts';
import { hasCode } from '../system-errors.ts';
import { note } from './output.ts';

/** Aborted by the first signal to stop, and when the reader of the output has gone; a second signal ends the process at once. */
export function untilSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(1);
      controller.abort();
    });
  }
  // Such as by `| head -1`: nobody reads what follows.
  process.stdout.on('error', (error) => {
    if (hasCode(error, 'EPIPE')) controller.abort();
  });
  return controller.signal;
}

export interface WatchOptions {
  readonly types: readonly StreamType[];
  readonly since?: string | undefined;
  readonly signal: AbortSignal;
}

/** The messages of a stream, which go on after every loss of the connection. */
export function watch(control: ControlClient, options: WatchOptions): AsyncIterable<StreamMessage> {
  return control.stream({
    ...options,
    onLost: ({ message }) => note(`ringback: ${message}; reconnecting …`),
    onResumed: () => note('ringback: reconnected'),
  });
}
