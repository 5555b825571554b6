// Who is in a room: browsers, each connected to one of the processes that share the store. That is part of the room, so
// that all of them know when the last one has left.
import type { Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';

/** The processes that browsers may be connected to. */
export interface Processes {
  /** The name of this one, which no other has or had. */
  readonly own: string;
  /** Whether another one lives. */
  readonly lives: (process: string) => boolean;
}

/** The ids of those who are there: what a snapshot or a file of another process brings back is not. */
export function visitorsIn(tx: Tx, room: Row<'rooms'>, processes: Processes): string[] {
  return thereIn(tx, room, processes).map(({ id }) => id);
}

function thereIn(tx: Tx, { private: { visitors = [] } }: Row<'rooms'>, { own, lives }: Processes) {
  const epoch = tx.state('epoch');
  return visitors.filter((each) => each.epoch === epoch && (each.process === own || lives(each.process)));
}

/** Does nothing if there is no such room. */
export function addVisitor(tx: Tx, name: string, id: string, processes: Processes): void {
  const room = tx.get('rooms', name);
  if (!room) return;
  const visitor = { id, process: processes.own, epoch: tx.state('epoch') };
  put(tx, room, [...thereIn(tx, room, processes), visitor]);
}

/** Returns whether nobody is left in the room. */
export function removeVisitor(tx: Tx, name: string, id: string, processes: Processes): boolean {
  const room = tx.get('rooms', name);
  if (!room) return true;
  const left = thereIn(tx, room, processes).filter((each) => each.id !== id);
  put(tx, room, left);
  return left.length === 0;
}

function put(tx: Tx, room: Row<'rooms'>, visitors: NonNullable<Row<'rooms'>['private']['visitors']>): void {
  tx.put('rooms', { ...room, private: { ...room.private, visitors } });
}
