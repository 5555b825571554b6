// A cache of parsed scenario files. Parsing is slow, and the same few texts are read repeatedly: for each world, after
// each edit of an overlay, and each time the folder is polled.
import { readScenarioFile, type ScenarioFile } from './scenario.ts';

/** Characters of text in the cache; the least recently used text is evicted first. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

export class ScenarioFileCache {
  /** By file and text, the least recently used first. */
  readonly #files = new Map<string, ScenarioFile>();
  #characters = 0;

  /** Like `readScenarioFile`. Throws FileProblem, which is not cached. */
  read(file: string, source: string): ScenarioFile {
    const key = `${file}\0${source}`;
    const cached = this.#files.get(key);
    const read = cached ?? readScenarioFile(file, source);
    if (cached) this.#files.delete(key);
    else this.#characters += key.length;
    this.#files.set(key, read);
    for (const oldest of this.#files.keys()) {
      if (this.#characters <= MAX_CHARACTERS) break;
      this.#files.delete(oldest);
      this.#characters -= oldest.length;
    }
    return read;
  }
}
