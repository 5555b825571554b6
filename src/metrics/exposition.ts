// The counters of a server as Prometheus text, by prom-client: its own, and those of the process. No label has a value
// that a caller controls.
import type { Counter, Gauge, Metric, Registry } from 'prom-client';
import type { MemoryBudget } from '../budget/budget.ts';
import { promClient } from '../lazy-modules.ts';
import type { WorldOrigin } from '../store/store.ts';
import { type Counted, latencyBuckets, type OperationCounts, statusClasses } from './counts.ts';

/** What is read when someone asks, rather than counted. */
export interface Readings {
  readonly version: string;
  /** The name of this process among those that share the store; null where none does. */
  readonly replica: string | null;
  /** How many worlds this process does the work of; null where no other could. */
  readonly worldsRun: number | null;
  readonly worlds: Readonly<Record<WorldOrigin, number>>;
  readonly keys: number;
  /** Scheduled tasks, and deliveries that are pending or in flight. */
  readonly tasks: number;
  readonly openDeliveries: number;
  readonly connections: number;
  readonly budget: MemoryBudget;
  readonly logLinesDropped: number;
}

export type Exposition = (readings: Readings) => Promise<string>;

type Client = typeof import('prom-client');

/** What makes metrics in one registry, by their names and what they are. */
interface Maker {
  readonly counter: <Label extends string>(name: string, help: string, ...labels: Label[]) => Counter<Label>;
  readonly gauge: <Label extends string>(name: string, help: string, ...labels: Label[]) => Gauge<Label>;
  readonly histogram: (name: string, help: string, read: () => Iterable<readonly [string, OperationCounts]>) => void;
}

function makerIn(client: Client, registry: Registry): Maker {
  const registers = [registry];
  return {
    counter: (name, help, ...labelNames) => new client.Counter({ name, help, labelNames, registers }),
    gauge: (name, help, ...labelNames) => new client.Gauge({ name, help, labelNames, registers }),
    histogram: (name, help, read) => registry.registerMetric(histogramOf(name, help, read)),
  };
}

/** The library's own histogram takes one observation at a time, and would cost each request more than its counters. */
function histogramOf(name: string, help: string, read: () => Iterable<readonly [string, OperationCounts]>): Metric {
  const described = { name, help, type: 'histogram', aggregator: 'sum' };
  const values = () => [...read()].flatMap(([operation, counts]) => exposed(name, operation, counts));
  const metric = { ...described, get: async () => ({ ...described, values: values() }) };
  // A registry asks a metric for its name and its values, and for nothing else of the class.
  return metric as unknown as Metric;
}

/** Buckets as Prometheus has them: each with all that are below it. */
function exposed(name: string, operation: string, { latencies, seconds }: OperationCounts): object[] {
  let count = 0;
  const buckets = [...latencies].map((observed, index) => {
    count += observed;
    const le = latencyBuckets[index] ?? '+Inf';
    return { metricName: `${name}_bucket`, labels: { operation, le }, value: count };
  });
  const labels = { operation };
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: seconds },
    { metricName: `${name}_count`, labels, value: count },
  ];
}

/** What is counted stays plain until it is asked for; then the library's metrics are set to it. */
export function createExposition(counted: Counted): Exposition {
  const client = promClient();
  const registry = new client.Registry();
  client.collectDefaultMetrics({ register: registry });
  const make = makerIn(client, registry);
  const updates = [requestUpdates(make, counted), countUpdates(make, counted)];
  const read = readingUpdates(make);
  return (readings) => {
    for (const update of updates) update();
    read(readings);
    return registry.metrics();
  };
}

function requestUpdates(make: Maker, { requests, controlRequests }: Counted): () => void {
  const platform = make.counter(
    'ringback_requests_total',
    'Requests of the platform by operation (none if none matched) and class of the status (none if the connection was broken).',
    'operation',
    'status',
  );
  const control = make.counter(
    'ringback_control_requests_total',
    'Requests of the control API by operation and class of the status.',
    'operation',
    'status',
  );
  make.histogram(
    'ringback_request_duration_seconds',
    'How long requests of the platform took until they were answered, without delays that were asked for.',
    () => requests.entries(),
  );
  return () => {
    platform.reset();
    control.reset();
    for (const [operation, counts] of requests.entries()) setStatuses(platform, operation, counts);
    for (const [operation, counts] of controlRequests.entries()) setStatuses(control, operation, counts);
  };
}

function countUpdates(make: Maker, { events, deliveries }: Counted): () => void {
  const emitted = make.counter('ringback_events_total', 'Events by type.', 'type');
  const sent = make.counter(
    'ringback_delivery_attempts_total',
    'Attempts of deliveries by how they ended: delivered, canceled, or an error class.',
    'outcome',
  );
  return () => {
    emitted.reset();
    sent.reset();
    for (const [type, count] of events.entries()) emitted.inc({ type }, count);
    for (const [outcome, count] of deliveries.entries()) sent.inc({ outcome }, count);
  };
}

function readingUpdates(make: Maker): (readings: Readings) => void {
  const info = make.gauge(
    'ringback_info',
    'The version of the server, and its name among replicas; the value is 1.',
    'version',
    'replica',
  );
  const run = make.gauge('ringback_worlds_run', 'Worlds whose tasks and deliveries are done by this server.');
  const worlds = make.gauge('ringback_worlds', 'Worlds by how they were created.', 'origin');
  const keys = make.gauge(
    'ringback_keys',
    'API keys of all worlds, revoked ones aside; of those that this replica runs, where there are several.',
  );
  const tasks = make.gauge(
    'ringback_scheduled_tasks',
    'Tasks on the schedules of all worlds; of those that this replica runs, where there are several.',
  );
  const open = make.gauge('ringback_open_deliveries', 'Deliveries that are on their way.');
  const connections = make.gauge('ringback_connections', 'Open connections.');
  const used = make.gauge('ringback_memory_used_bytes', 'What is used of each share of the memory budget.', 'share');
  const limit = make.gauge('ringback_memory_limit_bytes', 'The shares of the memory budget.', 'share');
  const dropped = make.counter('ringback_dropped_total', 'What went before its time to make room.', 'share');
  const refused = make.counter('ringback_refused_total', 'What was refused for lack of room.', 'share');
  const lines = make.counter('ringback_log_lines_dropped_total', 'Lines that the log could not write.');
  return (readings) => {
    info.set({ version: readings.version, replica: readings.replica ?? '' }, 1);
    let all = 0;
    for (const [origin, count] of Object.entries(readings.worlds)) {
      worlds.set({ origin }, count);
      all += count;
    }
    run.set(readings.worldsRun ?? all);
    keys.set(readings.keys);
    tasks.set(readings.tasks);
    open.set(readings.openDeliveries);
    connections.set(readings.connections);
    for (const each of [dropped, refused, lines]) each.reset();
    for (const share of Object.values(readings.budget.shares)) {
      const label = { share: share.name };
      used.set(label, share.used);
      limit.set(label, share.limit);
      dropped.inc(label, share.dropped);
      refused.inc(label, share.refused);
    }
    lines.inc(readings.logLinesDropped);
  };
}

function setStatuses(counter: Counter<'operation' | 'status'>, operation: string, { statuses }: OperationCounts): void {
  for (const [index, count] of statuses.entries()) {
    if (count > 0) counter.inc({ operation, status: statusClasses[index] ?? 'none' }, count);
  }
}
