// Receivers: what order and concurrency are about. A receiver is a scheme, a host and a port; a URL adds only a path.

/** Concurrent POSTs to one receiver, so that one that never responds takes only its share of connections. */
const RECEIVER_CONCURRENCY = 64;
/** Concurrent POSTs past which each receiver has one at a time; so a receiver always gets its own, whatever others do. */
const TOTAL_CONCURRENCY = 1024;

/** Scheme, host and port in one form: lower case, without the default port and without the dot that may end a host. */
export function receiverOf(url: string): string {
  // A subscription has been checked, but not one of a state file.
  if (!URL.canParse(url)) return url;
  return new URL(url).origin.replace(/\.(?=$|:\d+$)/, '');
}

interface Receiver {
  inFlight: number;
  readonly waiting: (() => void)[];
}

/** Limits the POSTs in flight, to each receiver and in all. */
export class ReceiverSlots {
  readonly #receivers = new Map<string, Receiver>();
  #inFlight = 0;

  async acquire(name: string): Promise<void> {
    const receiver = this.#receivers.get(name) ?? { inFlight: 0, waiting: [] };
    this.#receivers.set(name, receiver);
    if (receiver.inFlight >= this.#share()) return new Promise<void>((resolve) => receiver.waiting.push(resolve));
    receiver.inFlight += 1;
    this.#inFlight += 1;
  }

  release(name: string): void {
    const receiver = this.#receivers.get(name);
    if (!receiver) return;
    receiver.inFlight -= 1;
    this.#inFlight -= 1;
    while (receiver.waiting.length > 0 && receiver.inFlight < this.#share()) {
      receiver.inFlight += 1;
      this.#inFlight += 1;
      receiver.waiting.shift()?.();
    }
    if (receiver.inFlight === 0) this.#receivers.delete(name);
  }

  #share(): number {
    return this.#inFlight < TOTAL_CONCURRENCY ? RECEIVER_CONCURRENCY : 1;
  }
}
