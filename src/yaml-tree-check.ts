// Whether what is in a YAML file can become data: its nesting, its keys and its aliases.
import type { FileProblem } from './file-problem.ts';
import { yaml } from './lazy-modules.ts';

/** Levels of nested arrays and objects that a file or a request body may have. */
export const MAX_DEPTH = 64;
/** How many anchors and aliases a file may have, and how many values its aliases may expand to. */
const MAX_ALIASES = 1000;
const MAX_ALIASED_VALUES = 10_000;

export type ProblemAt = (offset: number, reason: string) => FileProblem;

export const tooDeep = `is nested more than ${MAX_DEPTH} levels deep`;

/** The size of a node with its aliases expanded. */
interface Extent {
  readonly values: number;
  readonly depth: number;
}

const scalarExtent: Extent = { values: 1, depth: 0 };

/** Refuses what cannot become data: duplicate or non-string keys, and aliases that are undefined, circular or too many. */
export class TreeCheck {
  readonly #yaml = yaml();
  readonly #problemAt: ProblemAt;
  /** By anchor name; null while the anchored node itself is being checked. */
  readonly #anchors = new Map<string, Extent | null>();
  #aliases = 0;
  #aliasedValues = 0;

  constructor(problemAt: ProblemAt) {
    this.#problemAt = problemAt;
  }

  check(node: unknown): Extent {
    const { isAlias, isCollection, isNode } = this.#yaml;
    if (!isNode(node)) return scalarExtent;
    const offset = node.range?.[0] ?? 0;
    if (isAlias(node)) return this.#checkAlias(node.source, offset);
    const { anchor } = node;
    if (anchor !== undefined) {
      this.#countAlias(offset);
      this.#anchors.set(anchor, null);
    }
    const extent = isCollection(node) ? this.#checkItems(node.items, offset) : scalarExtent;
    if (anchor !== undefined) this.#anchors.set(anchor, extent);
    return extent;
  }

  #checkAlias(name: string, offset: number): Extent {
    this.#countAlias(offset);
    const extent = this.#anchors.get(name);
    if (extent === undefined)
      throw this.#problemAt(offset, `*${name} refers to an anchor that is not defined before it`);
    if (extent === null) throw this.#problemAt(offset, `*${name} is part of the value that it refers to`);
    this.#aliasedValues += extent.values;
    if (this.#aliasedValues > MAX_ALIASED_VALUES)
      throw this.#problemAt(offset, `aliases expand to more than ${MAX_ALIASED_VALUES} values`);
    return extent;
  }

  #countAlias(offset: number): void {
    this.#aliases += 1;
    if (this.#aliases > MAX_ALIASES)
      throw this.#problemAt(offset, `the file has more than ${MAX_ALIASES} anchors and aliases`);
  }

  #checkItems(items: readonly unknown[], offset: number): Extent {
    const { isPair } = this.#yaml;
    const keys = new Set<string>();
    let values = 1;
    let depth = 0;
    for (const item of items) {
      if (isPair(item)) this.#checkKey(item.key, keys, offset);
      const extent = this.check(isPair(item) ? item.value : item);
      values += extent.values;
      depth = Math.max(depth, extent.depth);
    }
    if (depth >= MAX_DEPTH) throw this.#problemAt(offset, tooDeep);
    return { values, depth: depth + 1 };
  }

  #checkKey(key: unknown, keys: Set<string>, offset: number): void {
    const { isAlias, isNode, isScalar } = this.#yaml;
    const at = isNode(key) ? (key.range?.[0] ?? 0) : offset;
    if (this.check(key).depth > 0) throw this.#problemAt(at, 'a key must be a string');
    const name = String(isScalar(key) ? key.value : isAlias(key) ? `*${key.source}` : '');
    // As in request bodies: code that copies or merges an object with this key could pollute a prototype.
    if (name === '__proto__') throw this.#problemAt(at, 'contains a reserved name (__proto__)');
    if (keys.has(name)) throw this.#problemAt(at, `"${name}" appears more than once`);
    keys.add(name);
  }
}
