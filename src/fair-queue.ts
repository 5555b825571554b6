// A weighted fair queue (Demers, Keshav and Shenker, 1989): every lane is charged for what it has used, and the lane
// goes first whose next item would finish first if all were served at once. So a full lane delays no other, and light
// users hardly wait.
import TinyQueue from 'tinyqueue';

interface Lane<Item> {
  readonly items: Item[];
  /** The virtual time at which what it has had is paid. */
  at: number;
  /** What an item of it costs, by those before. */
  usual: number;
  /** Whether it is in the order. */
  isOrdered: boolean;
}

interface Place<Item> {
  readonly lane: Lane<Item>;
  /** What the lane had paid when it got its place, and when its next item would be done. */
  readonly paid: number;
  readonly at: number;
  /** Lanes of the same time go in the order in which they came. */
  readonly number: number;
}

/** How many lanes that owe something, but wait for nothing, are kept beside those that wait. */
const SLACK = 64;

export class FairQueue<Item> {
  readonly #lanes = new Map<string, Lane<Item>>();
  /** A lane that has paid since it was placed is placed again when its turn comes. */
  readonly #order = new TinyQueue<Place<Item>>([], (a, b) => a.at - b.at || a.number - b.number);
  /** Passes as fast as each of the lanes that wait is served. */
  #time = 0;
  #placed = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(name: string, item: Item): void {
    const lane = this.#laneOf(name);
    lane.items.push(item);
    this.#size += 1;
    if (!lane.isOrdered) this.#place(lane);
  }

  /** Takes the next item; undefined if nothing waits. */
  take(cost = 1): Item | undefined {
    for (let place = this.#order.pop(); place; place = this.#order.pop()) {
      const { lane, paid } = place;
      lane.isOrdered = false;
      if (lane.items.length > 0 && paid >= lane.at) return this.#takeFrom(lane, cost);
      if (lane.items.length > 0) this.#place(lane);
    }
    return undefined;
  }

  /** Takes the next item of a lane out of turn. */
  takeOf(name: string, cost = 1): Item | undefined {
    const lane = this.#lanes.get(name);
    return lane && lane.items.length > 0 ? this.#takeFrom(lane, cost) : undefined;
  }

  /** Takes an item away that waits no longer; false if it does not wait. */
  remove(name: string, item: Item): boolean {
    const lane = this.#lanes.get(name);
    const place = lane?.items.indexOf(item) ?? -1;
    if (place < 0) return false;
    lane?.items.splice(place, 1);
    this.#size -= 1;
    if (this.#size === 0) this.#forgetAll();
    return true;
  }

  /** Lets a lane pay for what it has had, where that is known only afterwards. */
  charge(name: string, cost: number): void {
    if (this.#size > 0) this.#pay(this.#laneOf(name), cost);
  }

  #laneOf(name: string): Lane<Item> {
    const known = this.#lanes.get(name);
    if (known) return known;
    if (this.#lanes.size > 2 * this.#order.length + SLACK) this.#forgetIdle();
    const lane: Lane<Item> = { items: [], at: this.#time, usual: 0, isOrdered: false };
    this.#lanes.set(name, lane);
    return lane;
  }

  /** A lane that has waited for nothing saves nothing up. */
  #place(lane: Lane<Item>): void {
    lane.at = Math.max(lane.at, this.#time);
    lane.isOrdered = true;
    this.#placed += 1;
    this.#order.push({ lane, paid: lane.at, at: lane.at + lane.usual, number: this.#placed });
  }

  #takeFrom(lane: Lane<Item>, cost: number): Item | undefined {
    const item = lane.items.shift();
    this.#size -= 1;
    this.#pay(lane, cost);
    if (lane.items.length > 0 && !lane.isOrdered) this.#place(lane);
    if (this.#size === 0) this.#forgetAll();
    return item;
  }

  #pay(lane: Lane<Item>, cost: number): void {
    lane.at += cost;
    if (cost > 0) lane.usual = (lane.usual + cost) / 2;
    this.#time += cost / (this.#order.length + 1);
  }

  /** Where nobody waits, nobody has had too much. */
  #forgetAll(): void {
    this.#lanes.clear();
    this.#order.length = 0;
    this.#order.data.length = 0;
    this.#time = 0;
  }

  #forgetIdle(): void {
    for (const [name, lane] of this.#lanes) if (!lane.isOrdered && lane.at <= this.#time) this.#lanes.delete(name);
  }
}
