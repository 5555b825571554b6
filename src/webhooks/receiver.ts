// Receivers, the unit of order and concurrency: a scheme, a host and a port; a URL adds only a path.
import { FairQueue } from '../fair-queue.ts';
import { parseUrl } from '../parse-url.ts';

/** Concurrent POSTs to one receiver, so that one that never responds takes only its share of connections. */
const RECEIVER_CONCURRENCY = 64;
/** Concurrent POSTs past which each world has one at a time to each receiver. */
const TOTAL_CONCURRENCY = 1024;

/** Scheme, host and port in one form: lower case, without the default port and without the dot that may end a host. */
export function receiverOf(url: string): string {
  // A subscription has been checked, but not one of a state file.
  return parseUrl(url)?.origin.replace(/\.(?=$|:\d+$)/, '') ?? url;
}

interface Receiver {
  inFlight: number;
  /** How many of them are a world's. */
  readonly byWorld: Map<string, number>;
  readonly waiting: FairQueue<Waiting>;
}

interface Waiting {
  readonly world: string;
  /** Resolves the wait: true with a slot, false without. */
  readonly end: (hasSlot: boolean) => void;
}

/** A wait for a slot. */
export interface SlotWait {
  /** True once a POST may go; false if the wait was withdrawn. */
  readonly granted: Promise<boolean>;
  /** Ends the wait, so that nothing is kept for it; does nothing once the slot is granted. */
  readonly withdraw: () => void;
}

/**
 * Limits the POSTs in flight, to each receiver and in all. Worlds take turns; and each may always have one in flight to a
 * receiver, so that none waits until the POSTs of another have timed out.
 */
export class ReceiverSlots {
  readonly #receivers = new Map<string, Receiver>();
  #inFlight = 0;

  /** Takes a slot for a POST of that world to that receiver; if there is none now, returns the wait for one. */
  take(name: string, world: string): SlotWait | undefined {
    const receiver = this.#receivers.get(name) ?? { inFlight: 0, byWorld: new Map(), waiting: new FairQueue() };
    this.#receivers.set(name, receiver);
    const hasTurn = receiver.waiting.size === 0 && !this.#isFull(receiver);
    if (!hasTurn && receiver.byWorld.has(world)) return waitIn(receiver, world);
    this.#start(receiver, world);
    return undefined;
  }

  leave(name: string, world: string): void {
    const receiver = this.#receivers.get(name);
    if (!receiver) return;
    receiver.inFlight -= 1;
    this.#inFlight -= 1;
    const others = (receiver.byWorld.get(world) ?? 1) - 1;
    if (others > 0) receiver.byWorld.set(world, others);
    else receiver.byWorld.delete(world);
    if (others === 0) this.#begin(receiver, receiver.waiting.takeOf(world));
    while (!this.#isFull(receiver) && this.#begin(receiver, receiver.waiting.take()));
    if (receiver.inFlight === 0) this.#receivers.delete(name);
  }

  #isFull({ inFlight }: Receiver): boolean {
    return inFlight >= RECEIVER_CONCURRENCY || this.#inFlight >= TOTAL_CONCURRENCY;
  }

  #begin(receiver: Receiver, next: Waiting | undefined): boolean {
    if (!next) return false;
    this.#start(receiver, next.world);
    next.end(true);
    return true;
  }

  #start(receiver: Receiver, world: string): void {
    receiver.inFlight += 1;
    this.#inFlight += 1;
    receiver.byWorld.set(world, (receiver.byWorld.get(world) ?? 0) + 1);
  }
}

function waitIn({ waiting }: Receiver, world: string): SlotWait {
  let withdraw = (): void => {};
  const granted = new Promise<boolean>((end) => {
    const wait = { world, end };
    waiting.add(world, wait);
    withdraw = () => {
      if (waiting.remove(world, wait)) end(false);
    };
  });
  return { granted, withdraw };
}
