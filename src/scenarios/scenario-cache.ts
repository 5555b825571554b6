// A cache of scenarios. Parsing and checking their files is slow, and the same few texts are read repeatedly: for each
// world, after each edit of an overlay, and each time the folder is polled.
import { FileProblem } from '../file-problem.ts';
import { makeScenario, parentOf } from './make-scenario.ts';
import { readScenarioFile, readScenarioInPieces, type Scenario, type ScenarioFile } from './scenario.ts';

/** Bytes, roughly, that are kept for whoever reads a text next; the least recently used text is evicted first. */
const MAX_BYTES = 32 * 1024 * 1024;
/** What a word, space, line end or mark of a file takes once it is read. */
const BYTES_PER_PART = 100;
/** At most: a character is in the text, in its key and in what is cut from it, in two bytes each. */
const BYTES_PER_CHARACTER = 8;

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
  #bytes = 0;

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
    this.#forget(key);
    this.#byText.set(key, kept);
    this.#bytes += bytesOf(key, kept);
    for (const oldest of this.#byText.keys()) {
      if (this.#bytes <= MAX_BYTES) break;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    const kept = this.#byText.get(key);
    if (!kept) return;
    this.#byText.delete(key);
    this.#bytes -= bytesOf(key, kept);
  }
}

const bytesOf = (key: string, kept: Kept | FileProblem): number =>
  kept instanceof FileProblem
    ? BYTES_PER_CHARACTER * (key.length + kept.message.length)
    : BYTES_PER_CHARACTER * key.length + BYTES_PER_PART * kept.file.size;

const keyOf = ({ file, source }: ScenarioText): string => `${file}\0${source}`;
