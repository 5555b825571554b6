// The time of this machine, by which a replica waits: a moment that nobody sets, and timers. A simulation has its own.
import { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from 'node:timers';

export interface MachineTime {
  /** A moment, in milliseconds. */
  elapsed(): number;
  /** Calls once, after a while. Returns what cancels it. */
  after(ms: number, call: () => void): () => void;
  /** Calls again and again; does not keep the process alive. Returns what ends it. */
  every(ms: number, call: () => void): () => void;
  /** Calls once, when requests that have arrived have been served. */
  afterRequests(call: () => void): void;
}

export const machineTime: MachineTime = {
  elapsed: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
  every(ms, call) {
    const timer = setInterval(call, ms).unref();
    return () => clearInterval(timer);
  },
  afterRequests: (call) => void setImmediate(call),
};
