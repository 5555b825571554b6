// The worlds with running clocks by the system time at which their earliest task is due, and one timer for the first.
import { clearTimeout, setTimeout } from 'node:timers';
import TinyQueue from 'tinyqueue';
import type { SystemTime } from '../clock/clock.ts';

/** How late a task may be after the machine has slept, or its clock was set forward, which no timer notices. */
const LOOK_MS = 1000;

interface Alarm {
  readonly systemTime: number;
  readonly world: string;
}

const earlier = (a: Alarm, b: Alarm): number => a.systemTime - b.systemTime;
/** How many stale alarms there may be before they are removed. */
const SLACK = 64;

export class Alarms {
  /** An alarm is stale unless `#due` has the same time for its world. */
  #alarms = new TinyQueue<Alarm>([], earlier);
  readonly #due = new Map<string, number>();
  readonly #systemTime: SystemTime;
  readonly #onDue: (world: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  constructor(systemTime: SystemTime, onDue: (world: string) => void) {
    this.#systemTime = systemTime;
    this.#onDue = onDue;
  }

  /** Sets the system time at which a world's earliest task is due; infinite for none. */
  set(world: string, due: number): void {
    if (due === Number.POSITIVE_INFINITY) {
      this.#due.delete(world);
      return;
    }
    if (this.#due.get(world) === due) return;
    this.#due.set(world, due);
    this.#alarms.push({ systemTime: due, world });
    this.#compact();
    this.#setTimer();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Removes stale alarms once they are most of them: one for a distant task would stay until that distant time. */
  #compact(): void {
    if (this.#alarms.length <= 2 * this.#due.size + SLACK) return;
    const alarms = [...this.#due].map(([world, systemTime]): Alarm => ({ world, systemTime }));
    this.#alarms = new TinyQueue(alarms, earlier);
  }

  #isStale({ world, systemTime }: Alarm): boolean {
    return this.#due.get(world) !== systemTime;
  }

  #setTimer(): void {
    let next = this.#alarms.peek();
    while (next && this.#isStale(next)) {
      this.#alarms.pop();
      next = this.#alarms.peek();
    }
    const at = next?.systemTime ?? Number.POSITIVE_INFINITY;
    if (at === this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = at;
    if (!next) return;
    this.#timer = setTimeout(() => this.#ring(), Math.min(LOOK_MS, Math.max(0, at - this.#systemTime())));
    this.#timer.unref();
  }

  #ring(): void {
    this.#timerAt = Number.POSITIVE_INFINITY;
    const now = this.#systemTime();
    for (let next = this.#alarms.peek(); next && next.systemTime <= now; next = this.#alarms.peek()) {
      this.#alarms.pop();
      if (this.#isStale(next)) continue;
      this.#due.delete(next.world);
      this.#onDue(next.world);
    }
    this.#setTimer();
  }
}
