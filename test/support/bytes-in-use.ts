// What this process holds, in its heap or in buffers, once everything that nobody holds is gone.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export function bytesInUse(kind: 'heapUsed' | 'arrayBuffers' = 'heapUsed'): number {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  // V8 frees buffers on another thread, and counts them as free in the next collection.
  if (kind === 'arrayBuffers') collect();
  return process.memoryUsage()[kind];
}
