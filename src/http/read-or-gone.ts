// How long answers wait for their clients.
import type { ServerResponse } from 'node:http';

/** Resolves when what was written has been read, or its client has gone. */
export function readOrGone(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      res.off('drain', settle).off('close', settle);
      resolve();
    };
    res.on('drain', settle).on('close', settle);
  });
}
