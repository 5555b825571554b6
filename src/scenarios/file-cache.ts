// A cache of parsed scenario files. Parsing is slow, and the same few texts are read again and again: for each world,
// after each edit of an overlay, and each time the folder is polled.
import { readScenarioFile, type ScenarioFile } from './scenario.ts';

/** Characters of text in the cache; the least recently used text is evicted first. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

export class ScenarioFileCache {
  readonly #known = new Map<string, ScenarioFile>();
  #characters = 0;

  /** Like `readScenarioFile`. Throws FileProblem, which is not cached. */
  read(file: string, source: string): ScenarioFile {
    const name = `${file}\0${source}`;
    const known = this.#known.get(name);
    const read = known ?? readScenarioFile(file, source);
    if (known) this.#known.delete(name);
    else this.#characters += name.length;
    this.#known.set(name, read);
    for (const oldest of this.#known.keys()) {
      if (this.#characters <= MAX_CHARACTERS) break;
      this.#known.delete(oldest);
      this.#characters -= oldest.length;
    }
    return read;
  }
}
