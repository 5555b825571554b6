// Puts the worlds of a state file into the store.
import { broughtBack } from '../clock/clock.ts';
import { FileProblem } from '../file-problem.ts';
import { restore } from '../store/restore.ts';
import type { SavableStore } from '../store/savable-store.ts';
import type { WorldDump } from '../store/store.ts';
import { messageOf } from '../system-errors.ts';

/** Throws FileProblem about a world that cannot be restored. */
export async function restoreWorlds(
  file: string,
  worlds: Readonly<Record<string, WorldDump>>,
  store: SavableStore,
): Promise<void> {
  for (const [name, dump] of Object.entries(worlds)) {
    const { facts, state } = dump;
    const now = store.systemTime();
    const clock = broughtBack(state.clock, dump.systemTime, now, Math.max(0, now - dump.systemTime));
    try {
      await store.addWorld({ ...facts, clock: state.clock, assumptions: state.assumptions, epoch: state.epoch }, (tx) =>
        restore(tx, { ...dump, state: { ...state, clock } }),
      );
      store.restoreCoverage(name, Object.entries(dump.coverage ?? {}).flat());
    } catch (error) {
      // The form of the file is valid, but its content is not.
      throw FileProblem.at(file, 1, `worlds.${name}`, `cannot be restored: ${messageOf(error)}`);
    }
  }
}
