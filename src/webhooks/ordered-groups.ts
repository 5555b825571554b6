// Ordered groups: the deliveries about one record to one receiver. Those of one event are sent at once; those of the
// next event wait until they have been attempted, across URLs and subscriptions.

interface Group {
  /** The latest event, and the ends of its deliveries. */
  event: string;
  latest: Promise<void>[];
  /** Resolves when the deliveries of all events before it have ended. */
  earlier: Promise<unknown> | null;
  open: number;
}

export interface Place {
  readonly earlier: Promise<unknown> | null;
  /** To be called when the delivery has ended. */
  readonly leave: () => void;
}

export class OrderedGroups {
  readonly #groups = new Map<string, Group>();

  join(key: string, event: string): Place {
    const group = this.#groups.get(key) ?? { event, latest: [], earlier: null, open: 0 };
    this.#groups.set(key, group);
    if (group.event !== event) {
      group.earlier = Promise.all([group.earlier, ...group.latest]);
      group.latest = [];
      group.event = event;
    }
    let end = (): void => {};
    group.latest.push(
      new Promise<void>((resolve) => {
        end = resolve;
      }),
    );
    group.open += 1;
    return {
      earlier: group.earlier,
      leave: () => {
        end();
        group.open -= 1;
        if (group.open === 0) this.#groups.delete(key);
      },
    };
  }
}
