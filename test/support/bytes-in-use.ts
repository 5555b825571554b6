// What the heap of this process holds, once everything that nobody holds is gone.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export function bytesInUse(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
