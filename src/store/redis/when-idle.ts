// When the deliveries of a world have ended, whichever replica sends them.
import { NoSuchWorld, type Store } from '../store.ts';
import { openIn } from './left-work.ts';

/** Whoever sends them says so in the world. The signal ends the wait. */
export async function whenIdle(store: Store, world: string, epoch: number, signal: AbortSignal): Promise<void> {
  let changed = (): void => {};
  let hasChanged = new Promise<void>((resolve) => {
    changed = resolve;
  });
  const wake = (): void => changed();
  const unwatch = store.watch(world, wake);
  signal.addEventListener('abort', wake);
  const isBusy = (): Promise<boolean> =>
    store.transaction(world, (tx) => tx.state('epoch') === epoch && openIn(tx).length > 0);
  try {
    while (!signal.aborted && (await isBusy())) {
      await hasChanged;
      hasChanged = new Promise((resolve) => {
        changed = resolve;
      });
    }
  } catch (error) {
    if (!(error instanceof NoSuchWorld)) throw error;
  } finally {
    unwatch();
    signal.removeEventListener('abort', wake);
  }
}
