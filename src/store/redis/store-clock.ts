// The time of the Redis server, which all replicas go by. Each reply of a script tells it; in between, this machine counts on.
import { LATEST_INSTANT } from '../../clock/clock.ts';
import { type MachineTime, machineTime } from './machine-time.ts';

type Elapsed = MachineTime['elapsed'];

export class StoreClock {
  readonly #elapsed: Elapsed;
  /** How far the server's time is ahead of `elapsed`; undefined until it is known. */
  #ahead: number | undefined;
  #latest = 0;

  constructor(elapsed: Elapsed = machineTime.elapsed) {
    this.#elapsed = elapsed;
  }

  /** The moment at which a command is sent, for `note`. */
  moment(): number {
    return this.#elapsed();
  }

  /**
   * The server's time, in whole milliseconds, was this at some moment between when a command was sent and now. False for what
   * is no time: it would stay, since the time never goes back.
   */
  note(time: number, sent: number): boolean {
    if (!(time >= 0 && time < LATEST_INSTANT)) return false;
    const least = time - this.#elapsed();
    const most = time + 1 - sent;
    this.#ahead = Math.max(least, Math.min(most, this.#ahead ?? (least + most) / 2));
    return true;
  }

  /** It never goes back: where the server's time was set back, it stands until that has caught up. */
  now(): number {
    this.#latest = Math.max(this.#latest, Math.floor(this.#elapsed() + (this.#ahead ?? 0)));
    return this.#latest;
  }
}
