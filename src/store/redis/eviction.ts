// Whether a server of Redis deletes keys when its memory is short, which takes parts of worlds: it is refused at the start, and
// told of where somebody changes that later.
import type { Connection } from './connection.ts';

const LOOK_MS = 5000;

/** What is wrong with a server that says this of itself; null if nothing is. */
export function evictionProblem(info: string): string | null {
  const policy = infoOf(info, 'maxmemory_policy') ?? '';
  if (infoOf(info, 'maxmemory') === '0' || !policy.startsWith('allkeys')) return null;
  return `the server deletes keys when memory is short (${policy}); its maxmemory-policy must be noeviction`;
}

export const infoOf = (info: string, name: string): string | undefined =>
  new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];

export interface EvictionWatchParts {
  readonly connection: Connection;
  /** Called when the server begins to do so, with what to do about it, and with null when it no longer does. */
  readonly onWarning: (warning: string | null) => void;
}

export class EvictionWatch {
  readonly #parts: EvictionWatchParts;
  readonly stop: () => void;
  #isLooking = false;
  #warning: string | null = null;

  constructor(parts: EvictionWatchParts) {
    this.#parts = parts;
    this.stop = parts.connection.time.every(LOOK_MS, () => void this.#look());
  }

  /** What endangers what is stored; null if nothing does. */
  get warning(): string | null {
    return this.#warning;
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const problems = (await this.#parts.connection.ofEachPrimary('INFO')).map((info) =>
        evictionProblem(String(info)),
      );
      this.#note(problems.find((problem) => problem !== null) ?? null);
    } catch {
      // That it cannot be asked is told by the beats.
    } finally {
      this.#isLooking = false;
    }
  }

  #note(warning: string | null): void {
    const hasChanged = warning !== this.#warning;
    this.#warning = warning;
    if (hasChanged) this.#parts.onWarning(warning);
  }
}
