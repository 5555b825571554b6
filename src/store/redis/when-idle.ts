// When the deliveries of a world have ended, whichever replica sends them.
import { NoSuchWorld, type Store } from '../store.ts';
import { openIn } from './left-work.ts';

/** Whoever sends them says so in the world. */
export async function whenIdle(store: Store, world: string, epoch: number): Promise<void> {
  let changed = (): void => {};
  let hasChanged = new Promise<void>((resolve) => {
    changed = resolve;
  });
  const unwatch = store.watch(world, () => changed());
  try {
    while (await store.transaction(world, (tx) => tx.state('epoch') === epoch && openIn(tx).length > 0)) {
      await hasChanged;
      hasChanged = new Promise((resolve) => {
        changed = resolve;
      });
    }
  } catch (error) {
    if (!(error instanceof NoSuchWorld)) throw error;
  } finally {
    unwatch();
  }
}
