// The worlds that were created on first use: how long each has been idle, and so when it expires and which makes place for
// another.
import { ifGone } from '../store/if-gone.ts';
import type { Store, Tx } from '../store/store.ts';
import type { SharedWorlds } from '../store/work.ts';
import { willSend } from '../webhooks/held-deliveries.ts';
import type { SandboxSettings } from './settings.ts';

export interface IdleWorldsOptions {
  readonly store: Store;
  readonly settings: SandboxSettings;
  /** Whether a delivery of that world is to be sent now, or in flight; such a world is not idle. */
  readonly isDelivering: (world: string) => boolean;
  /** What other processes do with the worlds; null where none does. */
  readonly shared: SharedWorlds | null;
}

export class IdleWorlds {
  readonly #options: IdleWorldsOptions;
  /** The longest idle first, with the system time of their last request. */
  readonly #lastUsed = new Map<string, number>();
  /** How many requests are in progress. */
  readonly #acquired = new Map<string, number>();
  /** Whether it has learned of the worlds of other processes since it began. */
  #hasAdopted = false;
  /** When it has last told other processes which worlds are used here. */
  #toldAt = 0;

  constructor(options: IdleWorldsOptions) {
    this.#options = options;
  }

  /** A world has been created. */
  add(name: string): void {
    this.#lastUsed.set(name, this.#options.store.systemTime());
  }

  /** Whether there was a world of that name which this process has not deleted. */
  knows(name: string): boolean {
    return this.#lastUsed.has(name);
  }

  delete(name: string): void {
    this.#lastUsed.delete(name);
  }

  /** Keeps a world from expiring until the function that it returns is called; undefined for one that never expires. */
  acquire(name: string): (() => void) | undefined {
    // Worlds that another process has created may not be known yet.
    if (!this.#touch(name) && !this.#options.shared) return undefined;
    this.#acquired.set(name, (this.#acquired.get(name) ?? 0) + 1);
    return () => {
      const others = (this.#acquired.get(name) ?? 1) - 1;
      if (others > 0) this.#acquired.set(name, others);
      else this.#acquired.delete(name);
      this.#touch(name);
    };
  }

  /** Whether a world has been idle for longer than its TTL. */
  isExpired(name: string): boolean {
    const lastUsed = this.#lastUsed.get(name);
    return lastUsed !== undefined && this.#isBeyondTtl(lastUsed) && !this.#isBusy(name);
  }

  /** The same for a world that others may have used, of which this process learns here. */
  async hasExpired(name: string): Promise<boolean> {
    if (!this.isExpired(name)) return false;
    const used = await this.#options.shared?.lastUsed(name);
    if (used !== undefined) this.#lastUsed.set(name, used);
    if (!this.isExpired(name)) return false;
    if (!(await this.#willSend(name))) return this.isExpired(name);
    // Asked again when its TTL is over once more, rather than each time.
    this.#touch(name);
    return false;
  }

  /** Whether a delivery is held until a later instant of a running clock. */
  #willSend(name: string): Promise<boolean> {
    return this.#options.store.transaction(name, willSend).catch(ifGone(false));
  }

  /** Those whose last request here was longer ago than their TTL; others may have used them since. */
  beyondTtl(): string[] {
    return [...this.#lastUsed].flatMap(([name, lastUsed]) => (this.#isBeyondTtl(lastUsed) ? name : []));
  }

  /**
   * Tells other processes of the worlds that were used here without a commit, such as by who only reads or waits, since a
   * world is as old as its latest commit to them.
   */
  async tell(): Promise<void> {
    const { store, shared } = this.#options;
    if (!shared) return;
    const before = this.#toldAt;
    this.#toldAt = store.systemTime();
    const used = [...this.#lastUsed].filter(([name, at]) => at > before || this.#acquired.has(name));
    const note = async ([name]: readonly [string, number]): Promise<void> => {
      if (((await shared.lastUsed(name)) ?? this.#toldAt) <= before) {
        await store.transaction(name, commitNothing).catch(ifGone(undefined));
      }
    };
    await Promise.all(used.map(note));
  }

  /** Learns of the worlds that other processes have created on first use. */
  async adopt(): Promise<void> {
    const { store, shared } = this.#options;
    if (!shared) return;
    this.#hasAdopted = true;
    const strange = (await store.worlds()).filter(({ name, origin }) => origin === 'auto' && !this.#lastUsed.has(name));
    const learn = async ({ name }: { readonly name: string }): Promise<[string, number]> => [
      name,
      (await shared.lastUsed(name)) ?? store.systemTime(),
    ];
    const adopted = await Promise.all(strange.map(learn));
    if (adopted.length === 0) return;
    const known = [...this.#lastUsed];
    this.#lastUsed.clear();
    for (const [name, used] of [...adopted, ...known].sort(([, a], [, b]) => a - b)) this.#lastUsed.set(name, used);
  }

  /** The world that has been idle for longest, which is to be deleted and is not known here any more; undefined if all are in use. */
  async takeLongestIdle(): Promise<string | undefined> {
    if (!this.#hasAdopted) await this.adopt();
    // The first one that no other process has used since; if all were used, the one for which that is longest ago.
    for (const name of [...this.#lastUsed.keys()]) {
      if (!this.#isBusy(name) && !(await this.#isUsedElsewhere(name)) && !this.#isBusy(name)) return this.#take(name);
    }
    const [longest] = [...this.#lastUsed].filter(([name]) => !this.#isBusy(name)).sort(([, a], [, b]) => a - b);
    return longest && this.#take(longest[0]);
  }

  /** At once, so that no request enters the world between the choice and its deletion. */
  #take(name: string): string {
    this.#lastUsed.delete(name);
    return name;
  }

  /** Whether another process has used a world since this one knows of. */
  async #isUsedElsewhere(name: string): Promise<boolean> {
    const used = (await this.#options.shared?.lastUsed(name)) ?? 0;
    if (used <= (this.#lastUsed.get(name) ?? 0)) return false;
    this.#lastUsed.delete(name);
    this.#lastUsed.set(name, used);
    return true;
  }

  #isBeyondTtl(lastUsed: number): boolean {
    return this.#options.store.systemTime() - lastUsed >= this.#options.settings.worldTtlMs;
  }

  #touch(name: string): boolean {
    const expires = this.#lastUsed.delete(name);
    if (expires) this.#lastUsed.set(name, this.#options.store.systemTime());
    return expires;
  }

  #isBusy(name: string): boolean {
    return this.#acquired.has(name) || this.#options.isDelivering(name);
  }
}

/** A commit that changes nothing but the time of the latest one. */
const commitNothing = (tx: Tx): void => tx.setState('clock', tx.state('clock'));
