// A cache of scenarios. Parsing and checking their files is slow, and the same few texts are read repeatedly: for each
// world, after each edit of an overlay, and each time the folder is polled.
import { FileProblem } from '../file-problem.ts';
import { makeScenario, parentOf } from './make-scenario.ts';
import { readScenarioFile, readScenarioInPieces, type Scenario, type ScenarioFile } from './scenario.ts';

/** Characters of text that is kept for whoever reads it next; the least recently used text is evicted first. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

export interface ScenarioText {
  readonly name: string;
  /** The file's name in messages. */
  readonly file: string;
  readonly source: string;
  /** The record that has the text, as long as which it is kept: others cannot make its world wait for it again. */
  readonly record?: object | undefined;
}

interface Kept {
  readonly file: ScenarioFile;
  made?: { readonly parent: Scenario | undefined; readonly scenario: Scenario };
}

export class ScenarioCache {
  /** By file and text, the least recently used first; of what is no scenario file, why. */
  readonly #byText = new Map<string, Kept | FileProblem>();
  readonly #byRecord = new WeakMap<object, Kept>();
  #characters = 0;

  /** The scenario of a file; `find` finds the one that it extends. Throws FileProblem. */
  make(text: ScenarioText, find: (name: string) => Scenario | undefined): Scenario {
    const kept = this.#read(text);
    const parent = parentOf(kept.file, find);
    if (kept.made && kept.made.parent === parent) return kept.made.scenario;
    const scenario = makeScenario(text.name, text.source, kept.file, parent);
    kept.made = { parent, scenario };
    return scenario;
  }

  /** How many words, spaces, line ends and marks a text is made of. Throws FileProblem. */
  sizeOf(text: ScenarioText): number {
    return this.#read(text).file.size;
  }

  #read(text: ScenarioText): Kept {
    const known = text.record && this.#byRecord.get(text.record);
    if (known) return known;
    const kept = this.#readText(text);
    if (text.record) this.#byRecord.set(text.record, kept);
    return kept;
  }

  /** Reads a text in pieces of work, so that whoever needs it next does not wait for it. */
  *readAhead(text: ScenarioText): Generator<void, void> {
    const { file, source } = text;
    if (this.#byText.has(keyOf(text))) return;
    try {
      this.#keep(text, { file: yield* readScenarioInPieces(file, source) });
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      this.#keep(text, error);
    }
  }

  #readText(text: ScenarioText): Kept {
    const { file, source } = text;
    const kept = this.#byText.get(keyOf(text)) ?? { file: readScenarioFile(file, source) };
    this.#keep(text, kept);
    if (kept instanceof FileProblem) throw kept;
    return kept;
  }

  #keep(text: ScenarioText, kept: Kept | FileProblem): void {
    const key = keyOf(text);
    if (!this.#byText.delete(key)) this.#characters += key.length;
    this.#byText.set(key, kept);
    for (const oldest of this.#byText.keys()) {
      if (this.#characters <= MAX_CHARACTERS) break;
      this.#byText.delete(oldest);
      this.#characters -= oldest.length;
    }
  }
}

const keyOf = ({ file, source }: ScenarioText): string => `${file}\0${source}`;
