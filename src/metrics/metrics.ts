// The counters of a server over all its worlds: plain numbers while it works, Prometheus text when requested.
// `interface.md` section 5, `/_sandbox/metrics`.
import type { EventType } from '../events/catalogue.ts';
import { type DeliveryEntry, type DeliveryErrorClass, isOpen } from '../model.ts';
import type { Commit, Store } from '../store/store.ts';
import type { Poster } from '../webhooks/post.ts';
import { type Counted, Counts, RequestCounts } from './counts.ts';
import { createExposition, type Exposition, type Readings } from './exposition.ts';

/** How an attempt of a delivery has ended, or why there is none. */
export type DeliveryOutcome = 'delivered' | 'canceled' | DeliveryErrorClass;

export class Metrics implements Counted {
  readonly requests = new RequestCounts();
  readonly controlRequests = new RequestCounts();
  readonly events = new Counts<EventType>();
  readonly deliveries = new Counts<DeliveryOutcome>();
  /** Made when it is first asked for: a server that nobody asks never loads the library. */
  #exposition: Exposition | undefined;

  /** Counts what happens in a store from now on. */
  listen(store: Store): void {
    store.onCommit(({ appended }) => this.#hear(appended));
  }

  /** Counts how each POST of a poster ends. */
  counting(poster: Poster): Poster {
    return {
      ...poster,
      post: async (...delivery) => {
        const result = await poster.post(...delivery);
        if (result) this.deliveries.add(result.error_class ?? 'delivered');
        return result;
      },
    };
  }

  /** In the text format of Prometheus. */
  text(readings: Readings): Promise<string> {
    this.#exposition ??= createExposition(this);
    return this.#exposition(readings);
  }

  #hear(appended: Commit['appended']): void {
    for (const { journal, entry, amended } of appended) {
      if (journal === 'events') this.events.add(entry.event_type);
      else if (journal === 'deliveries') this.#hearDelivery(entry, amended);
    }
  }

  /** Those that end without a POST. */
  #hearDelivery({ status, attempts }: DeliveryEntry, amended: boolean): void {
    if (status === 'canceled') this.deliveries.add('canceled');
    else if (!amended && !isOpen(status)) this.deliveries.add(attempts.at(-1)?.error_class ?? 'other');
  }
}
