// What happens in a world while its clock is advanced. However long that takes, only so much of it is kept as the answer
// lists; the rest is counted.
import { type DeliveryEntry, isOpen, type StepEntry } from '../model.ts';
import type { Commit, Store } from '../store/store.ts';

/** Steps and deliveries that are listed. */
export const MAX_LISTED = 1000;

/** The steps and finished deliveries of a world from now on, whatever causes them. */
export class Recording {
  /** The first ones. */
  readonly steps: StepEntry[] = [];
  /** The latest ones, at least as many as are listed. */
  readonly latestSteps: StepEntry[] = [];
  readonly totals: { steps: number; deliveries: number; ticks?: number } = { steps: 0, deliveries: 0 };
  /** The world's time at which it began; until it is known, every delivery may be from before. */
  startedAt = '~';
  readonly end: () => void;
  readonly #listed = new Map<string, { readonly order: number; readonly entry: DeliveryEntry }>();
  /** The order in which open deliveries were first seen: receivers respond in another. */
  readonly #open = new Map<string, number>();
  /** Finished deliveries that may have been attempted before; the attempts of all others tell whether they are new. */
  readonly #earlier = new Set<string>();
  #seen = 0;

  constructor(store: Store, world: string) {
    this.end = store.onCommit((commit) => {
      if (commit.world === world) this.#note(commit);
    });
  }

  /** In the order in which they were created, as they were when their last attempt had ended. */
  deliveries(): DeliveryEntry[] {
    return [...this.#listed.values()].sort((a, b) => a.order - b.order).map(({ entry }) => entry);
  }

  #note({ appended }: Commit): void {
    for (const { journal, entry, amended } of appended) {
      if (journal === 'steps') this.#noteStep(entry);
      if (journal === 'deliveries') this.#noteDelivery(entry);
      if (journal === 'ticks' && !amended) this.totals.ticks = (this.totals.ticks ?? 0) + 1;
    }
  }

  #noteStep(step: StepEntry): void {
    this.totals.steps += 1;
    if (this.steps.length < MAX_LISTED) this.steps.push(step);
    this.latestSteps.push(step);
    if (this.latestSteps.length >= 2 * MAX_LISTED) this.latestSteps.splice(0, MAX_LISTED);
  }

  #noteDelivery(entry: DeliveryEntry): void {
    const { id, status } = entry;
    const listed = this.#listed.get(id);
    if (listed) {
      if (!isOpen(status)) this.#listed.set(id, { order: listed.order, entry });
      return;
    }
    const order = this.#open.get(id) ?? ++this.#seen;
    if (isOpen(status)) {
      this.#open.set(id, order);
      return;
    }
    this.#open.delete(id);
    if (!this.#isNew(entry)) return;
    this.totals.deliveries += 1;
    if (this.#listed.size < MAX_LISTED) this.#listed.set(id, { order, entry });
  }

  /** Whether a delivery has been attempted, and is not counted yet. */
  #isNew({ id, status, attempts }: DeliveryEntry): boolean {
    const [first, second] = attempts;
    if (!first) return false;
    // It was counted when its first attempt ended; only one that is sent twice was still open then.
    const isFirstEnd = second ? attempts.length === 2 && second.reason === 'duplicate' : status !== 'canceled';
    if (first.at > this.startedAt) return isFirstEnd;
    const before = this.#earlier.size;
    return this.#earlier.add(id).size > before;
  }
}
