// What is written to Redis in parts, so that no command is long: large contents of records, and what takes the place of a large
// world. It counts once a commit names it; until then it goes by itself.
import type { Connection } from './connection.ts';
import type { Copy } from './copy.ts';
import type { GroupChanges } from './group-changes.ts';
import { Joined, PIECE, piecesOf } from './json-pieces.ts';
import type { Keys } from './keys.ts';
import type { Slices } from './slices.ts';

/** For how many seconds a part stays that no commit has named. */
const STAYS = 60;
/** The field that is written last: whoever finds it has all. */
const COUNT = 'n';

export class RemoteParts {
  readonly #connection: Connection;
  readonly #keys: Keys;
  readonly #slices: Slices;

  constructor(connection: Connection, keys: Keys, slices: Slices) {
    this.#connection = connection;
    this.#keys = keys;
    this.#slices = slices;
  }

  /** Writes the contents that are apart and were not written before. Rejects with StoreAway. */
  async writeContents({ world, contents }: Copy, { apart }: GroupChanges): Promise<void> {
    for (const each of apart) {
      if (each.content === null || contents.isWritten(each)) continue;
      await this.#writeContent(world.facts.name, each.ref, each.content);
      contents.note(each, true);
    }
  }

  async #writeContent(world: string, ref: string, content: object): Promise<void> {
    let count = 0;
    for (const piece of piecesOf(content)) {
      await this.#write(world, ref, [String(count), piece]);
      count += 1;
    }
    await this.#write(world, ref, [COUNT, String(count)]);
  }

  /** The content of a record, as JSON; undefined if it is not there any more. Rejects with StoreAway. */
  async readContent(world: string, ref: string): Promise<{ readonly value: unknown } | undefined> {
    const key = this.#keys.of(world).parts + ref;
    const count = await this.#connection.command('HGET', [key, COUNT]);
    if (count === null) return undefined;
    const joined = new Joined();
    for (let at = 0; at < Number(count); at += 1) {
      const piece = await this.#connection.command('HGET', [key, at]);
      if (typeof piece !== 'string') return undefined;
      joined.add(piece);
      await this.#slices.next();
    }
    return joined;
  }

  /** All of a world that is replaced: what is much of it is written in parts, and the rest is among the changes. */
  async replacementOf(copy: Copy, { changes, pieces }: ReturnType<Copy['replacementBy']>, newRef: () => string) {
    const { set, setEntries, staged } = changes;
    const world = copy.world.facts.name;
    const flush = async (list: string[], part: keyof typeof staged): Promise<void> => {
      if (list.length === 0) return;
      staged[part] ||= newRef();
      await this.#write(world, staged[part], list.splice(0));
    };
    const length = new Length(set, setEntries);
    while (!pieces.next().done) {
      if (length.now() < PIECE) continue;
      await flush(set, 'fields');
      await flush(setEntries, 'entries');
      length.restart();
    }
    for (const ref of Object.values(staged)) if (ref !== '') await this.#write(world, ref, [COUNT, '1']);
    return changes;
  }

  /** Deletes what a commit would have put in the place of its world. Rejects with StoreAway. */
  async drop({ world }: Copy, { staged }: GroupChanges): Promise<void> {
    const begin = this.#keys.of(world.facts.name).parts;
    for (const ref of Object.values(staged)) if (ref !== '') await this.#connection.command('UNLINK', [begin + ref]);
  }

  /** May arrive twice, as all that is sent. */
  async #write(world: string, ref: string, fields: readonly string[]): Promise<void> {
    await this.#connection.run('part', [this.#keys.of(world).parts + ref], [STAYS, ...fields]);
    await this.#slices.next();
  }
}

/** How long the texts of lists are that grow. */
class Length {
  readonly #lists: readonly (readonly string[])[];
  #counted: number[] = [];
  #length = 0;

  constructor(...lists: readonly (readonly string[])[]) {
    this.#lists = lists;
  }

  now(): number {
    for (const [index, list] of this.#lists.entries()) {
      for (let at = this.#counted[index] ?? 0; at < list.length; at += 1) this.#length += list[at]?.length ?? 0;
      this.#counted[index] = list.length;
    }
    return this.#length;
  }

  restart(): void {
    this.#counted = [];
    this.#length = 0;
  }
}
