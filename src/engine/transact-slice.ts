// Work on much data in several transactions, between which requests and other worlds have their turns.
import type { Tx } from '../store/store.ts';
import type { SandboxContext } from './sandbox-context.ts';

/** What work in slices needs. */
export type Slicing = Pick<SandboxContext, 'store' | 'turns'>;

/** Runs one of them, when it is that world's turn. */
export async function transactSlice<Result>(
  { store, turns }: Slicing,
  world: string,
  body: (tx: Tx) => Result,
): Promise<Result> {
  if (turns.isOver) await turns.next(world);
  return turns.work(() => store.transaction(world, body), world);
}
