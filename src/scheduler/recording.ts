// Records what happens in a world while its clock is advanced. However long that takes, it keeps only as much as the
// answer lists and counts the rest.
import { type DeliveryEntry, isOpen, type StepEntry } from '../model.ts';
import type { Appended } from '../store/history.ts';
import type { Commit, Store } from '../store/store.ts';
import type { MayList } from './advance.ts';

/** Steps and deliveries that are listed. */
export const MAX_LISTED = 1000;

/** The steps and finished deliveries of a world from now on, whatever causes them. */
export class Recording {
  /** The first ones. */
  readonly steps: StepEntry[] = [];
  /** The latest ones of all, at least as many as are listed. */
  readonly latestSteps: StepEntry[] = [];
  /** How many steps there were, for whomever. */
  ran = 0;
  /** Of what may be listed. */
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
  readonly #store: Store;
  readonly #world: string;
  /** Without it, everything may be listed. */
  readonly #mayList: MayList | undefined;
  /** What has not been asked about yet: that takes a transaction. */
  #undecided: Appended[] = [];

  constructor(store: Store, world: string, mayList?: MayList) {
    this.#store = store;
    this.#world = world;
    this.#mayList = mayList;
    this.end = store.watch(world, (commit) => {
      if (commit) this.#note(commit);
    });
  }

  /** To be called at each instant, while the records of what has happened are still there. */
  async decide(): Promise<void> {
    const [undecided, mayList] = [this.#undecided, this.#mayList];
    if (undecided.length === 0 || !mayList) return;
    this.#undecided = [];
    const listed = await this.#store.transaction(this.#world, (tx) => undecided.filter((each) => mayList(tx, each)));
    for (const each of listed) this.#list(each);
  }

  /** In the order in which they were created, as they were when their last attempt had ended. */
  deliveries(): DeliveryEntry[] {
    return [...this.#listed.values()].sort((a, b) => a.order - b.order).map(({ entry }) => entry);
  }

  #note({ appended }: Commit): void {
    for (const each of appended) {
      if (each.journal === 'steps') this.#noteStep(each.entry);
      if (each.journal === 'ticks' && !each.amended) this.totals.ticks = (this.totals.ticks ?? 0) + 1;
      if (!this.#mayList) this.#list(each);
      else if (each.journal === 'steps' || each.journal === 'deliveries') this.#undecided.push(each);
    }
  }

  #noteStep(step: StepEntry): void {
    this.ran += 1;
    this.latestSteps.push(step);
    if (this.latestSteps.length >= 2 * MAX_LISTED) this.latestSteps.splice(0, MAX_LISTED);
  }

  #list({ journal, entry }: Appended): void {
    if (journal === 'deliveries') this.#listDelivery(entry);
    if (journal !== 'steps') return;
    this.totals.steps += 1;
    if (this.steps.length < MAX_LISTED) this.steps.push(entry);
  }

  #listDelivery(entry: DeliveryEntry): void {
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
