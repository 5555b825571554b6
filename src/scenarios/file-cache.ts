// Texts of scenarios that have been read already. Parsing is the slow part of a scenario, and the same few texts come
// again and again: with every edit of a world's others, in world after world, and with every look at a folder.
import { readScenarioFile, type ScenarioFile } from './scenario.ts';

/** Characters of text that are remembered; what was not asked for the longest goes first. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

export class ScenarioFileCache {
  readonly #known = new Map<string, ScenarioFile>();
  #characters = 0;

  /** As `readScenarioFile`; throws FileProblem, which is not remembered. */
  read(file: string, source: string): ScenarioFile {
    const name = `${file}\0${source}`;
    const known = this.#known.get(name);
    const read = known ?? readScenarioFile(file, source);
    if (known) this.#known.delete(name);
    else this.#characters += name.length;
    this.#known.set(name, read);
    for (const oldest of this.#known.keys()) {
      if (this.#characters <= MOST_CHARACTERS) break;
      this.#known.delete(oldest);
      this.#characters -= oldest.length;
    }
    return read;
  }
}
