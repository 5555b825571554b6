// The deliveries of a subscription that wait to be sent, in their order. One that is canceled goes at once, wherever it
// stands, with what it waits for: a world that is reset again and again keeps nothing of its former deliveries.
import type { SlotWait } from './receiver.ts';

export interface QueuedDelivery {
  readonly world: string;
  /** The run of the world in which it was queued. */
  readonly run: object | undefined;
  readonly id: string;
  readonly epoch: number;
  readonly receiver: string;
  /** Resolves when the earlier events of the ordered group have been delivered, or have failed. */
  readonly earlier: Promise<unknown> | null;
  /** To be called once, when it has been sent or has left the queue unsent. */
  readonly finish: () => void;
  /** The first waits for a slot, unless there is one at once. */
  slot?: SlotWait | undefined;
}

/** How many are looked up at once: the first of a map is found behind the places of those that have gone. */
const LOOK_AHEAD = 64;

export class DeliveryQueue {
  readonly #byId = new Map<string, QueuedDelivery>();
  /** The first ones, in reverse. Some may have gone, and may have come again at the end since. */
  #ahead: QueuedDelivery[] = [];

  /**
   * Adds a delivery at the end. One that is told of again keeps the place that it has, and what it waits for: the new one may
   * have to wait for what is behind it.
   */
  add(queued: QueuedDelivery): void {
    if (this.#byId.has(queued.id)) queued.finish();
    else this.#byId.set(queued.id, queued);
  }

  get first(): QueuedDelivery | undefined {
    while (this.#byId.size > 0) {
      const queued = this.#ahead.at(-1);
      if (queued && this.has(queued)) return queued;
      if (queued) this.#ahead.pop();
      else this.#lookAhead();
    }
    return undefined;
  }

  has(queued: QueuedDelivery): boolean {
    return this.#byId.get(queued.id) === queued;
  }

  /** Takes a delivery out that is to be sent now; false if it has gone. */
  take(queued: QueuedDelivery): boolean {
    return this.has(queued) && this.#byId.delete(queued.id);
  }

  /** Takes a delivery out that is not to be sent. */
  drop(id: string): void {
    const queued = this.#byId.get(id);
    this.#byId.delete(id);
    queued?.slot?.withdraw();
    queued?.finish();
  }

  /** Takes out all that wait; who takes them finishes them. */
  takeAll(): QueuedDelivery[] {
    const all = [...this.#byId.values()];
    this.#byId.clear();
    this.#ahead = [];
    for (const { slot } of all) slot?.withdraw();
    return all;
  }

  #lookAhead(): void {
    for (const queued of this.#byId.values()) if (this.#ahead.push(queued) === LOOK_AHEAD) break;
    this.#ahead.reverse();
  }
}
