// A large JSON value as texts of a bounded size, each of which is written and read in a few milliseconds, and back. Each text
// is a list of steps: what to put where, or to add to the end of a list or of a text.
import { StoredBytes } from '../../stored-bytes.ts';
import { foreign } from './refused.ts';
import { parsed } from './replies.ts';

/** About how long a text is. */
export const PIECE = 256 * 1024;
/** How many bytes of a file are encoded at once; a multiple of three, so that base64 can be joined. */
const BYTES = 3 * 64 * 1024;

type Path = readonly (string | number)[];

/** Lists are divided, and objects that hold them or bytes; all else is expected to be small. */
export function* piecesOf(value: unknown): Generator<string, void> {
  let steps: string[] = [];
  let length = 0;
  for (const step of stepsOf(value, [])) {
    steps.push(step);
    length += step.length;
    if (length < PIECE) continue;
    yield `[${steps.join(',')}]`;
    steps = [];
    length = 0;
  }
  if (steps.length > 0) yield `[${steps.join(',')}]`;
}

function* stepsOf(value: unknown, path: Path): Generator<string, void> {
  if (value instanceof StoredBytes) yield* bytesOf(value, path);
  else if (Array.isArray(value)) yield* elementsOf(value, path);
  else if (isDivided(value)) yield* fieldsOf(value, path);
  else {
    const text = JSON.stringify(value);
    if (text !== undefined) yield stepText(path, text);
  }
}

function* bytesOf({ buffer }: StoredBytes, path: Path): Generator<string, void> {
  yield stepText(path, '""');
  for (let from = 0; from < buffer.length; from += BYTES)
    yield moreText(path, `"${buffer.toString('base64', from, from + BYTES)}"`);
}

function* elementsOf(list: readonly unknown[], path: Path): Generator<string, void> {
  yield stepText(path, '[]');
  let texts: string[] = [];
  let length = 0;
  for (const [index, element] of list.entries()) {
    const isApart = holdsBytes(element);
    const text = isApart ? '{}' : (JSON.stringify(element) ?? 'null');
    texts.push(text);
    length += text.length;
    if (!isApart && length < PIECE / 8) continue;
    yield moreText(path, `[${texts.join(',')}]`);
    texts = [];
    length = 0;
    if (isApart) yield* fieldsOf(element, [...path, index]);
  }
  if (texts.length > 0) yield moreText(path, `[${texts.join(',')}]`);
}

function* fieldsOf(value: object, path: Path): Generator<string, void> {
  yield stepText(path, '{}');
  for (const [name, field] of Object.entries(value)) yield* stepsOf(field, [...path, name]);
}

const stepText = (path: Path, value: string): string => `[${JSON.stringify(path)},${value}]`;
const moreText = (path: Path, value: string): string => `[${JSON.stringify(path)},${value},1]`;

/** Whether an object outside of lists has a list, bytes, or another object that has. */
function isDivided(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || 'toJSON' in value) return false;
  return Object.values(value).some((field) => Array.isArray(field) || field instanceof StoredBytes || isDivided(field));
}

/** Elements of lists are many and small, but for files. */
function holdsBytes(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  for (const name in value) if (Reflect.get(value, name) instanceof StoredBytes) return true;
  return false;
}

/** Puts such texts together again. Throws for what was not written by `piecesOf`. */
export class Joined {
  // What is in it is the value.
  readonly #root: Record<string, unknown> = {};

  add(text: string): void {
    const steps: unknown = parsed(text);
    if (!Array.isArray(steps)) throw foreign();
    for (const step of steps) {
      if (!Array.isArray(step) || !Array.isArray(step[0])) throw foreign();
      const [path, value, isMore] = step;
      this.#apply(path, value, isMore === 1);
    }
  }

  #apply(path: Path, value: unknown, isMore: boolean): void {
    const place = ['value', ...path].map(String);
    const name = place.pop() ?? '';
    let parent: unknown = this.#root;
    for (const each of place) parent = fieldOf(parent, each);
    if (!isMore) return put(parent, name, value);
    const before = fieldOf(parent, name);
    if (typeof before === 'string') put(parent, name, before + String(value));
    else if (Array.isArray(before) && Array.isArray(value)) for (const each of value) before.push(each);
    else throw foreign();
  }

  get value(): unknown {
    return this.#root.value;
  }
}

function fieldOf(parent: unknown, name: string): unknown {
  if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, name)) throw foreign();
  return Reflect.get(parent, name);
}

/** By definition: a name such as `__proto__` is one like others. */
function put(parent: unknown, name: string, value: unknown): void {
  if (typeof parent !== 'object' || parent === null) throw foreign();
  Object.defineProperty(parent, name, { value, writable: true, enumerable: true, configurable: true });
}
