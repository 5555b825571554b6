// Receivers, the unit of order and concurrency: a scheme, a host and a port; a URL adds only a path.
import { FairQueue } from '../fair-queue.ts';
import { parseUrl } from '../parse-url.ts';

/** POSTs in flight to one receiver, so that one that never responds takes only its share of connections. */
const TO_ONE_RECEIVER = 64;
/** POSTs in flight in all. */
const IN_ALL = 1024;
/** Where so many are in flight, each world may have so many of its own: none waits until those of others have timed out. */
const OF_EACH_WORLD_TO_ONE = 1;
const OF_EACH_WORLD_IN_ALL = 4;

/** Scheme, host and port in one form: lower case, without the default port and without the dot that may end a host. */
export function receiverOf(url: string): string {
  // A subscription has been checked, but not one of a state file.
  return parseUrl(url)?.origin.replace(/\.(?=$|:\d+$)/, '') ?? url;
}

/** A wait for a slot. */
export interface SlotWait {
  /** True once a POST may go; false if the wait was withdrawn. */
  readonly granted: Promise<boolean>;
  /** Ends the wait, so that nothing is kept for it; does nothing once the slot is granted. */
  readonly withdraw: () => void;
}

/**
 * Limits the POSTs in flight, to each receiver and in all. Worlds take turns; and where there is no room, each may still have
 * a few of its own.
 */
export class ReceiverSlots {
  readonly #receivers = new Map<string, Slots>();
  readonly #toOne: number;
  readonly #all: Slots;

  constructor({ toOne = TO_ONE_RECEIVER, inAll = IN_ALL } = {}) {
    this.#toOne = toOne;
    this.#all = new Slots(inAll, OF_EACH_WORLD_IN_ALL);
  }

  /** Takes a slot for a POST of that world to that receiver; if there is none now, returns the wait for one. */
  take(name: string, world: string): SlotWait | undefined {
    const receiver = this.#receiverOf(name);
    let end = (_hasSlot: boolean): void => {};
    let withdraw: (() => void) | undefined;
    /** With a slot of the receiver: whether there is one of all, too. */
    const takeOfAll = (): boolean => {
      const waits = this.#all.take(world, () => end(true));
      if (waits)
        withdraw = () => {
          if (!waits()) return;
          this.#leaveReceiver(name, world);
          end(false);
        };
      return waits === undefined;
    };
    const waits = receiver.take(world, () => {
      if (takeOfAll()) end(true);
    });
    if (waits)
      withdraw = () => {
        if (waits()) end(false);
      };
    else if (takeOfAll()) return undefined;
    const granted = new Promise<boolean>((resolve) => {
      end = resolve;
    });
    return { granted, withdraw: () => withdraw?.() };
  }

  leave(name: string, world: string): void {
    this.#all.leave(world);
    this.#leaveReceiver(name, world);
  }

  #receiverOf(name: string): Slots {
    const known = this.#receivers.get(name);
    if (known) return known;
    const added = new Slots(this.#toOne, OF_EACH_WORLD_TO_ONE);
    this.#receivers.set(name, added);
    return added;
  }

  #leaveReceiver(name: string, world: string): void {
    const receiver = this.#receivers.get(name);
    receiver?.leave(world);
    if (receiver?.isUnused) this.#receivers.delete(name);
  }
}

interface Waiting {
  readonly world: string;
  readonly begin: () => void;
}

/** A number of slots for all worlds, past which each world may still have so many of its own. */
class Slots {
  readonly #max: number;
  readonly #perWorld: number;
  readonly #byWorld = new Map<string, number>();
  readonly #waiting = new FairQueue<Waiting>();
  #taken = 0;

  constructor(max: number, perWorld: number) {
    this.#max = max;
    this.#perWorld = perWorld;
  }

  get isUnused(): boolean {
    return this.#taken === 0;
  }

  /**
   * Takes a slot at once, or calls `begin` when there is one. In that case, returns what withdraws: it returns false if the
   * slot was granted before.
   */
  take(world: string, begin: () => void): (() => boolean) | undefined {
    const hasTurn = this.#taken < this.#max && this.#waiting.size === 0;
    if (hasTurn || this.#of(world) < this.#perWorld) {
      this.#start(world);
      return undefined;
    }
    const waiting = { world, begin };
    this.#waiting.add(world, waiting);
    return () => this.#waiting.remove(world, waiting);
  }

  leave(world: string): void {
    this.#taken -= 1;
    const left = this.#of(world) - 1;
    if (left > 0) this.#byWorld.set(world, left);
    else this.#byWorld.delete(world);
    if (left < this.#perWorld) this.#begin(this.#waiting.takeOf(world));
    while (this.#taken < this.#max && this.#begin(this.#waiting.take()));
  }

  #of(world: string): number {
    return this.#byWorld.get(world) ?? 0;
  }

  #start(world: string): void {
    this.#taken += 1;
    this.#byWorld.set(world, this.#of(world) + 1);
  }

  #begin(next: Waiting | undefined): boolean {
    if (!next) return false;
    this.#start(next.world);
    next.begin();
    return true;
  }
}
