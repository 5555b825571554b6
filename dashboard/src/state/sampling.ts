// Where more happens than a page can follow, it looks once a second at what is newest instead, which costs the server next
// to nothing: following each of ten thousand calls a second would cost it most of them.
import type { Entry } from './journal.ts';

/** More messages than these in so long are not followed. */
const FLOOD = 2000;
const FLOOD_MS = 1000;
/** How often it is looked, and how many times in a row little must be new before everything is followed again. */
const SAMPLE_MS = 1000;
const CALM_SAMPLES = 2;
/** What may be new on a page of the newest 100. */
const CALM_ENTRIES = 50;

export class FloodGauge {
  #began = 0;
  #count = 0;

  /** Whether more messages come than can be followed, these included. */
  isFlood(messages: number): boolean {
    const now = performance.now();
    if (now - this.#began > FLOOD_MS) {
      this.#began = now;
      this.#count = 0;
    }
    this.#count += messages;
    return this.#count > FLOOD;
  }
}

/** Looks until little is new on any of the pages; `look` returns those of the newest entries, or null to end it. */
export async function sampleUntilCalm(look: () => Promise<readonly (readonly Entry[])[] | null>): Promise<void> {
  let known: ReadonlySet<string> = new Set();
  for (let calm = 0; calm < CALM_SAMPLES; ) {
    const pages = await look();
    if (pages === null) return;
    const isCalm = pages.every((page) => page.filter(({ id }) => !known.has(id)).length <= CALM_ENTRIES);
    calm = isCalm ? calm + 1 : 0;
    known = new Set(pages.flat().map(({ id }) => id));
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
  }
}
