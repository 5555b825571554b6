// What is left to send in a world: what a replica that begins to run it is told, in the order in which it is to go.
import { type DeliveryEntry, isOpen } from '../../model.ts';
import type { Appended } from '../history.ts';
import type { Commit, Tx } from '../store.ts';
import type { Copy } from './copy.ts';
import { fallsDue } from './news.ts';

type Sendable = Extract<Appended, { readonly journal: 'deliveries' | 'ticks' }>;

/** The deliveries and ticks that are pending or in flight. */
export const openIn = ({ history }: Tx): Sendable[] => [
  ...history
    .open('deliveries')
    .flatMap((each) => (isDue(each.entry) ? { journal: 'deliveries' as const, ...each } : [])),
  ...history.open('ticks').flatMap((each) => (isOpen(each.entry.status) ? { journal: 'ticks' as const, ...each } : [])),
];

const isDue = ({ status, held_by }: DeliveryEntry): boolean => isOpen(status) && held_by === undefined;

/** Whether anything falls due in a world by itself, or is to be sent, in a transaction on its copy. */
export const hasWork = (tx: Tx, { world }: Copy): boolean => fallsDue(world) || openIn(tx).length > 0;

/** The same in the order in which they are to be sent: what was held, from when it was released. */
function openInOrder(tx: Tx): Sendable[] {
  // Of its queue, what is in flight was the first, also if the replica that took it over has not come to it.
  const turnOf = ({ entry: { status, resumed }, position }: Sendable): number =>
    status === 'in_flight' || resumed ? 0 : position;
  return openIn(tx).sort((a, b) => turnOf(a) - turnOf(b));
}

const resumed = { status: 'pending', resumed: true } as const;

/** Up to where a runner knows what is left to do. */
export interface Known {
  readonly epoch: number;
  readonly position: number;
}

/** What a new runner finds to do. What was in flight may have arrived, or not: it is sent again, under the same id. */
export function leftIn(tx: Tx): { readonly commit: Commit; readonly known: Known } {
  const appended = openInOrder(tx).map((each): Sendable => {
    if (each.entry.status !== 'in_flight') return each;
    if (each.journal === 'deliveries') {
      const entry = { ...each.entry, ...resumed };
      tx.amend('deliveries', entry);
      return { ...each, entry };
    }
    const entry = { ...each.entry, ...resumed };
    tx.amend('ticks', entry);
    return { ...each, entry };
  });
  const schedule = { nextAt: tx.nextTask()?.at ?? null, clock: tx.state('clock') };
  const epoch = tx.state('epoch');
  const known = { epoch, position: tx.history.position };
  return { commit: { world: tx.world.name, epoch, appended, schedule }, known };
}

/** What of a commit is later than that, in whose epoch the world is at least. */
export const after = (commit: Commit, { epoch, position }: Known): Commit => ({
  ...commit,
  epoch: Math.max(commit.epoch, epoch),
  appended: commit.appended.filter((each) => each.position > position),
});
