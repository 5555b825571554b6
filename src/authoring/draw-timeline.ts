// Draws a played scenario for a terminal: instants on the left, then the statuses of the record, and next to each the
// events it emits with their deliveries.
import type { TimelineEntry } from '../admin/timeline/entries.ts';
import type { Timeline } from '../admin/timeline/timeline.ts';
import { formatOffset, nounOf } from '../admin/timeline/words.ts';
import type { PlayedScenario } from './play-scenario.ts';

/** A status, or a request, and what it emits. */
interface Node {
  readonly offset: string;
  readonly title: string;
  /** What led to it. */
  readonly cause: string;
  readonly branches: readonly string[];
}

export function drawPlayed({ name, kind, summary, parameters, refused, timeline }: PlayedScenario): string {
  const given = Object.entries(parameters).map(([key, value]) => `${key}=${value}`);
  const refusals = refused.map(
    ({ method, path, status, code }): Node => ({
      offset: formatOffset(0),
      title: `${method} ${path}`,
      cause: `refused: ${status} ${code}`,
      branches: [],
    }),
  );
  const nodes = [...refusals, ...(timeline ? nodesOf(timeline) : [])];
  const heading = [`${name} (${kind})${given.length > 0 ? `: ${given.join(', ')}` : ''}`, summary, ''];
  return [...heading, ...drawn(nodes), ''].join('\n');
}

function nodesOf(timeline: Timeline): Node[] {
  const { entries, subject } = timeline;
  const deliveries = new Map<string, TimelineEntry[]>();
  for (const entry of entries)
    if (entry.delivery && entry.cause !== null)
      deliveries.set(entry.cause, [...(deliveries.get(entry.cause) ?? []), entry]);
  const nodes: Node[] = [];
  /** The branches of what has been drawn, by its id. */
  const branchesOf = new Map<string, string[]>();
  for (const entry of entries) {
    const { id, cause, event, offset_ms } = entry;
    if (entry.delivery) continue;
    if (event) {
      // Next to what emitted it; an event of nothing that is shown stands alone.
      const branch = `${event.event_type}${heardBy(deliveries.get(id) ?? [])}`;
      const branches = branchesOf.get(cause ?? '');
      if (branches) branches.push(branch);
      else nodes.push({ offset: formatOffset(offset_ms), title: branch, cause: '', branches: [] });
      continue;
    }
    const branches: string[] = [];
    branchesOf.set(id, branches);
    nodes.push({ ...titleOf(entry, subject.table), offset: formatOffset(offset_ms), branches });
  }
  return nodes;
}

function titleOf({ request, step, subject }: TimelineEntry, main: string): Pick<Node, 'title' | 'cause'> {
  if (request) {
    const { method, path, status, error_code } = request;
    return { title: `${method} ${path}`, cause: `${status}${error_code === null ? '' : ` ${error_code}`}` };
  }
  const owner = subject && subject.table !== main ? `${nounOf(subject.table)} ` : '';
  const { trigger = '', from = null, to = null, error = null } = step ?? {};
  if (error !== null) return { title: `${owner}${trigger} failed`, cause: error };
  return { title: `${owner}${to}`, cause: from === null ? 'created' : trigger };
}

/** How the receivers answered. */
function heardBy(deliveries: readonly TimelineEntry[]): string {
  const answers = deliveries.map(({ delivery }) => {
    const last = delivery?.attempts.at(-1);
    return `${delivery?.status}${last?.status ? ` (${last.status})` : ''}`;
  });
  return answers.length === 0 ? '' : ` → ${answers.join(', ')}`;
}

function drawn(nodes: readonly Node[]): string[] {
  const left = Math.max(...nodes.map(({ offset }) => offset.length), 0);
  const title = Math.max(...nodes.map((node) => node.title.length), 0);
  return nodes.flatMap((node, index) => {
    const isLast = index === nodes.length - 1;
    const repeats = index > 0 && nodes[index - 1]?.offset === node.offset;
    const at = (repeats ? '' : node.offset).padStart(left);
    const head = `  ${at}  ●  ${node.title.padEnd(title)}  ${node.cause}`.trimEnd();
    const blank = ' '.repeat(left);
    const rail = isLast ? ' ' : '│';
    const branches = node.branches.map((branch, n) => {
      const corner = n === node.branches.length - 1 ? '└' : '├';
      return `  ${blank}  ${rail}  ${corner} ${branch}`;
    });
    return [head, ...branches, ...(isLast ? [] : [`  ${blank}  │`])];
  });
}
