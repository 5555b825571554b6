// The entries of a journal that may be dropped, in the order in which that happens. All but a few bytes of them is outside
// of V8's heap: in the columns of a ring, and as texts on pages.
import type { JournalName, Journals } from '../../model.ts';
import type { EntryPlaces } from '../history.ts';
import type { Outline, PlaceNumber } from './outline.ts';
import { EntryPacker } from './packed-entry.ts';
import { firstTextOf, type Page, TextPages, textsOf } from './text-pages.ts';

const MIN_CAPACITY = 4;
const NONE = -1;

/** Where the numbers of an entry are, which are next to one another. */
const ORDER = 0;
const BEGAN = 1;
const POSITION = 2;
const BYTES = 3;
/** Where its texts begin on their page. */
const START = 4;
const NUMBERS = 5;

const placeNumbers: Readonly<Record<PlaceNumber, number>> = { order: ORDER, position: POSITION };

/**
 * What is known of the entries, each at its slot. An entry is whole, or a model and a page with its texts. One whose contents
 * are elsewhere is a page alone, with its id.
 */
interface Columns<Entry> {
  readonly capacity: number;
  readonly numbers: Float64Array;
  /** What are the same strings for most entries of one instant. */
  readonly ats: string[];
  readonly contents: (Entry | null)[];
  readonly pages: (Page | null)[];
  /** Slots by their hash: the first one with it, and the next one after a slot. */
  readonly hashes: Int32Array;
  readonly firsts: Int32Array;
  readonly nexts: Int32Array;
}

const columnsOf = <Entry>(capacity: number): Columns<Entry> => ({
  capacity,
  numbers: new Float64Array(capacity * NUMBERS),
  ats: new Array(capacity).fill(''),
  contents: new Array(capacity).fill(null),
  pages: new Array(capacity).fill(null),
  hashes: new Int32Array(capacity),
  firsts: new Int32Array(capacity).fill(NONE),
  nexts: new Int32Array(capacity).fill(NONE),
});

/** FNV-1a. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return hash;
}

export class EntryRing<Name extends JournalName> {
  readonly #pages = new TextPages();
  readonly #packer: EntryPacker<Name>;
  #columns: Columns<Journals[Name]> = columnsOf(MIN_CAPACITY);
  /** The place of the first entry, and the one after the last; the slot of a place is what is left of it by the capacity. */
  #first = 0;
  #end = 0;
  #size = 0;

  constructor(name: Name) {
    this.#packer = new EntryPacker(name);
  }

  get size(): number {
    return this.#size;
  }

  /** Their slots, from the first to the last. */
  *slots(): Generator<number> {
    for (let place = this.#first; place < this.#end; place++) if (!this.#isEmpty(place)) yield this.#slotOf(place);
  }

  first(): number | undefined {
    return this.#size > 0 ? this.#slotOf(this.#first) : undefined;
  }

  find(id: string): number | undefined {
    const hash = hashOf(id);
    const { hashes, firsts, nexts, capacity } = this.#columns;
    let slot = firsts[hash & (capacity - 1)] ?? NONE;
    while (slot !== NONE && (hashes[slot] !== hash || this.idAt(slot) !== id)) slot = nexts[slot] ?? NONE;
    return slot === NONE ? undefined : slot;
  }

  /** Adds an entry as the last one; without contents if it is null. */
  add(outline: Outline, entry: Journals[Name] | null): void {
    this.#makeRoom();
    this.#fill(this.#slotOf(this.#end), outline, entry);
    this.#end += 1;
  }

  /** Adds an entry as the first one. */
  addFirst(outline: Outline, entry: Journals[Name] | null): void {
    this.#makeRoom();
    this.#first -= 1;
    this.#fill(this.#slotOf(this.#first), outline, entry);
  }

  /** Gives an entry its contents, which were elsewhere. */
  complete(slot: number, entry: Journals[Name]): void {
    this.#releaseTexts(slot);
    this.#setContents(slot, entry);
  }

  delete(slot: number): void {
    this.#unlink(slot);
    const content = this.#columns.contents[slot];
    if (content && this.#columns.pages[slot]) this.#packer.release(content);
    this.#releaseTexts(slot);
    this.#columns.contents[slot] = null;
    this.#columns.ats[slot] = '';
    this.#size -= 1;
    while (this.#first < this.#end && this.#isEmpty(this.#first)) this.#first += 1;
    while (this.#first < this.#end && this.#isEmpty(this.#end - 1)) this.#end -= 1;
  }

  /** The entry; null if its contents are elsewhere. */
  entryAt(slot: number): Journals[Name] | null {
    const content = this.#columns.contents[slot] ?? null;
    const page = this.#columns.pages[slot];
    if (!content || !page) return content;
    return this.#packer.unpack({ model: content, texts: textsOf({ page, start: this.#numberAt(slot, START) }) });
  }

  /** Whether an entry with that number is there. */
  holds(slot: number, name: PlaceNumber, number: number): boolean {
    return slot < this.#columns.capacity && this.numberAt(slot, name) === number && !this.#isEmpty(slot);
  }

  /** The places of the entries whose number is greater than that, in the order of the ring. */
  collect(name: PlaceNumber, after: number): EntryPlaces {
    const { capacity, contents, pages, numbers: all } = this.#columns;
    const which = placeNumbers[name];
    const numbers = new Float64Array(this.#size);
    const bytes = new Float64Array(this.#size);
    const kept = new Int32Array(this.#size);
    let count = 0;
    for (let place = this.#first; place < this.#end; place++) {
      const slot = place & (capacity - 1);
      const number = all[slot * NUMBERS + which] ?? 0;
      if (number <= after || (contents[slot] === null && pages[slot] === null)) continue;
      numbers[count] = number;
      bytes[count] = all[slot * NUMBERS + BYTES] ?? 0;
      kept[count] = slot;
      count += 1;
    }
    return {
      numbers: numbers.subarray(0, count),
      bytes: bytes.subarray(0, count),
      kept: kept.subarray(0, count),
      open: [],
    };
  }

  isElsewhere(slot: number): boolean {
    return this.#columns.contents[slot] === null;
  }

  /** To find the id takes a microsecond, unless it is known. */
  outlineAt(slot: number, id = this.idAt(slot)): Outline {
    return {
      id,
      at: this.atAt(slot),
      order: this.orderAt(slot),
      began: this.beganAt(slot),
      position: this.positionAt(slot),
      bytes: this.bytesAt(slot),
      isOpen: false,
    };
  }

  idAt(slot: number): string {
    const page = this.#columns.pages[slot];
    if (!page) return this.#columns.contents[slot]?.id ?? '';
    return firstTextOf({ page, start: this.#numberAt(slot, START) });
  }

  atAt(slot: number): string {
    return this.#columns.ats[slot] ?? '';
  }

  orderAt(slot: number): number {
    return this.#numberAt(slot, ORDER);
  }

  beganAt(slot: number): number {
    return this.#numberAt(slot, BEGAN);
  }

  positionAt(slot: number): number {
    return this.#numberAt(slot, POSITION);
  }

  bytesAt(slot: number): number {
    return this.#numberAt(slot, BYTES);
  }

  numberAt(slot: number, name: PlaceNumber): number {
    return this.#numberAt(slot, placeNumbers[name]);
  }

  #numberAt(slot: number, which: number): number {
    return this.#columns.numbers[slot * NUMBERS + which] ?? 0;
  }

  #slotOf(place: number): number {
    return place & (this.#columns.capacity - 1);
  }

  #isEmpty(place: number): boolean {
    const slot = this.#slotOf(place);
    return this.#columns.contents[slot] === null && this.#columns.pages[slot] === null;
  }

  /** Where no place is left, entries move to larger columns, or closer together if half of the places are empty. */
  #makeRoom(): void {
    const before = this.#columns;
    const { capacity } = before;
    if (this.#end - this.#first < capacity) return;
    const slots = [...this.slots()];
    this.#columns = columnsOf(this.#size * 2 > capacity ? capacity * 2 : capacity);
    for (const [slot, from] of slots.entries()) {
      this.#columns.numbers.set(before.numbers.subarray(from * NUMBERS, (from + 1) * NUMBERS), slot * NUMBERS);
      this.#columns.ats[slot] = before.ats[from] ?? '';
      this.#columns.contents[slot] = before.contents[from] ?? null;
      this.#columns.pages[slot] = before.pages[from] ?? null;
      this.#link(slot, before.hashes[from] ?? 0);
    }
    this.#first = 0;
    this.#end = slots.length;
  }

  #fill(slot: number, { id, at, order, began, position, bytes }: Outline, entry: Journals[Name] | null): void {
    const { numbers, ats } = this.#columns;
    const from = slot * NUMBERS;
    numbers[from + ORDER] = order;
    numbers[from + BEGAN] = began;
    numbers[from + POSITION] = position;
    numbers[from + BYTES] = bytes;
    ats[slot] = at;
    if (entry) this.#setContents(slot, entry);
    else this.#setTexts(slot, [id]);
    this.#link(slot, hashOf(id));
    this.#size += 1;
  }

  #setContents(slot: number, entry: Journals[Name]): void {
    const packed = this.#packer.pack(entry);
    this.#columns.contents[slot] = packed ? packed.model : entry;
    if (packed) this.#setTexts(slot, packed.texts);
  }

  #setTexts(slot: number, texts: readonly (string | null)[]): void {
    const { page, start } = this.#pages.keep(texts);
    this.#columns.pages[slot] = page;
    this.#columns.numbers[slot * NUMBERS + START] = start;
  }

  #releaseTexts(slot: number): void {
    const page = this.#columns.pages[slot];
    if (page) this.#pages.release({ page, start: this.#numberAt(slot, START) });
    this.#columns.pages[slot] = null;
  }

  #link(slot: number, hash: number): void {
    const { hashes, firsts, nexts, capacity } = this.#columns;
    const chain = hash & (capacity - 1);
    hashes[slot] = hash;
    nexts[slot] = firsts[chain] ?? NONE;
    firsts[chain] = slot;
  }

  #unlink(slot: number): void {
    const { hashes, firsts, nexts, capacity } = this.#columns;
    const chain = (hashes[slot] ?? 0) & (capacity - 1);
    const next = nexts[slot] ?? NONE;
    if (firsts[chain] === slot) {
      firsts[chain] = next;
      return;
    }
    let before = firsts[chain] ?? NONE;
    while (before !== NONE && nexts[before] !== slot) before = nexts[before] ?? NONE;
    if (before !== NONE) nexts[before] = next;
  }
}
