// Counters as plain numbers: counting costs one addition, and they are read only when metrics are requested.

/** Numbers by label; labels are those of catalogues, never what a caller sends. */
export class Counts<Label extends string> {
  readonly #counts = new Map<Label, number>();

  add(label: Label): void {
    this.#counts.set(label, (this.#counts.get(label) ?? 0) + 1);
  }

  entries(): Iterable<readonly [Label, number]> {
    return this.#counts;
  }
}

/** Statuses by their first digit; `none` for a connection that was broken before any. */
export const statusClasses = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** Upper bounds in seconds. */
export const latencyBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;

export class OperationCounts {
  /** In the order of `statusClasses`. */
  readonly statuses = new Float64Array(statusClasses.length);
  /** In the order of `latencyBuckets`, each without those below it; the last one is for what takes longer. */
  readonly latencies = new Float64Array(latencyBuckets.length + 1);
  seconds = 0;

  addStatus(status: number): void {
    const statusClass = Math.floor(status / 100);
    this.statuses[statusClass] = (this.statuses[statusClass] ?? 0) + 1;
  }

  addLatency(ms: number): void {
    const seconds = ms / 1000;
    let bucket = 0;
    for (const bound of latencyBuckets) {
      if (seconds <= bound) break;
      bucket += 1;
    }
    this.latencies[bucket] = (this.latencies[bucket] ?? 0) + 1;
    this.seconds += seconds;
  }
}

/** Requests by operation. */
export class RequestCounts {
  readonly #operations = new Map<string, OperationCounts>();

  /** `operation` is one of the contract, or of the routes. */
  of(operation: string): OperationCounts {
    let counts = this.#operations.get(operation);
    if (!counts) {
      counts = new OperationCounts();
      this.#operations.set(operation, counts);
    }
    return counts;
  }

  entries(): Iterable<readonly [string, OperationCounts]> {
    return this.#operations;
  }
}

/** Everything that a server counts. */
export interface Counted {
  /** Of the platform, and of the control API. */
  readonly requests: RequestCounts;
  readonly controlRequests: RequestCounts;
  /** By event type. */
  readonly events: Counts<string>;
  /** Attempts by how they ended. */
  readonly deliveries: Counts<string>;
}
