// The worlds as Redis has them: loading, committing, creating and deleting one, the directory, unique values.
import type { TableName } from '../../model.ts';
import type { WorldFacts } from '../store.ts';
import { factsFrom } from './apply-fields.ts';
import { type Committed, committedOf } from './committed.ts';
import type { Connection } from './connection.ts';
import type { Copy, Place } from './copy.ts';
import type { Fields } from './fields.ts';
import type { GroupChanges } from './group-changes.ts';
import type { Keys } from './keys.ts';
import { foreign } from './refused.ts';
import { listed, listOf, objectOf, pairsOf, textOf } from './replies.ts';

/** How many of its latest commits a world keeps in its log. */
const LOG_LENGTH = 512;
/** What `load` says where there is no more. */
const END = 'end';
/** About how many fields and entries one part of a world has at most, and how many bytes: no request waits for it for long. */
const PART = 2000;
const PART_BYTES = 256 * 1024;
/** How many entries, or other fields, are asked for at once. */
const ASKED = 250;

/** What of the journal entries that a copy takes over it is told: all, or what can be known without their contents. */
export type EntryParts = 'contents' | 'outlines';

export interface Loaded {
  readonly facts: WorldFacts;
  readonly incarnation: string;
  readonly at: Place;
  readonly fields: readonly (readonly [string, string])[];
  /**
   * The server of Redis that it came from, if it came in parts: what was committed since `at` must be added before it is
   * used, and the server must be the same then. Null if it came at once.
   */
  readonly inPartsFrom: string | null;
}

/** A copy of a world, as far as its commits have come. */
type Standing = Pick<Copy, 'incarnation' | 'at' | 'movedTo'>;

/** A world for which a replica does something. */
export interface Held {
  readonly world: string;
  readonly replica: string;
}

export interface Owner {
  readonly world: string;
  readonly id: string;
}

/** What a unique value is claimed or released by: a commit of a world. */
export interface Claimant {
  readonly incarnation: string;
  /** The version of the world that the commit makes. */
  readonly version: number;
}

export interface UniqueValue {
  readonly table: TableName;
  readonly value: string;
}

export class RemoteWorlds {
  readonly #connection: Connection;
  readonly #keys: Keys;

  constructor(connection: Connection, keys: Keys) {
    this.#connection = connection;
    this.#keys = keys;
  }

  /** Undefined if the world does not exist. `onPart` is called with about how many bytes each part has, and may throw. */
  async load(name: string, parts: EntryParts, onPart = (_bytes: number): void => {}): Promise<Loaded | undefined> {
    const { facts, incarnation, version, tip, ...first } = await this.#part(name, ['0', '0'], parts);
    if (typeof facts !== 'string') return undefined;
    const { fields, server } = first;
    onPart(sizeOf(fields));
    let { next } = first;
    const inPartsFrom = isMore(next) ? server : null;
    while (isMore(next)) {
      const part = await this.#part(name, next, parts);
      onPart(sizeOf(part.fields));
      for (const field of part.fields) fields.push(field);
      next = part.next;
    }
    const at = { version: Number(version), tip: String(tip) };
    if (typeof incarnation !== 'string' || !Number.isSafeInteger(at.version)) throw foreign();
    return { facts: factsFrom(facts) ?? throwForeign(), incarnation, at, fields, inPartsFrom };
  }

  /** The server of Redis that has a world. */
  async serverOf(name: string): Promise<string> {
    return (await this.#part(name, [END, END], 'outlines')).server;
  }

  async #part(name: string, from: readonly string[], parts: EntryParts) {
    const { world, journals } = this.#keys.of(name);
    const { values } = await this.#connection.run('load', [world, journals], [...from, PART, PART_BYTES, parts]);
    const [ofWorld, , ofJournals, facts, incarnation, version, tip, server, ...fields] = values;
    const next = [String(ofWorld), String(ofJournals)];
    return { next, facts, incarnation, version, tip, server: String(server), fields: pairsOf(fields) };
  }

  /** What a copy has missed: a commit without an id, which ends there. */
  async look(name: string, { incarnation, at }: Standing, parts: EntryParts): Promise<Committed> {
    const { world, journals, log } = this.#keys.of(name);
    const args = [name, incarnation, at.version, at.tip, '', 'part', parts];
    return committedOf(await this.#connection.run('commit', [world, journals, log], args), at.tip, false);
  }

  /** The fields of entries with their contents; undefined if the copy has missed a commit. */
  async contents(name: string, { incarnation, at }: Standing, fields: readonly string[]): Promise<Fields | undefined> {
    const { world, journals } = this.#keys.of(name);
    const found: [string, string | null][] = [];
    while (found.length < fields.length) {
      const asked = fields.slice(found.length, found.length + ASKED);
      const args = [incarnation, at.version, at.tip, PART_BYTES, ...asked];
      const { values } = await this.#connection.run('contents', [world, journals], args);
      const [status, , ...contents] = values;
      if (status !== 'ok' || contents.length === 0) return undefined;
      for (const [index, value] of contents.entries()) found.push([asked[index] ?? '', textOf(value)]);
    }
    return found;
  }

  /** Fields as they are now, in parts. */
  async *fieldsNow(name: string, fields: readonly string[], parts: EntryParts): AsyncGenerator<Fields, void> {
    const { world, journals } = this.#keys.of(name);
    for (let at = 0; at < fields.length; ) {
      const asked = fields.slice(at, at + ASKED);
      const { values } = await this.#connection.run('fields', [world, journals], [parts, PART_BYTES, ...asked]);
      const found = values.slice(2);
      if (found.length === 0) throw foreign();
      yield found.map((value, index) => [asked[index] ?? '', textOf(value)] as const);
      at += found.length;
    }
  }

  async commit(
    name: string,
    { incarnation, at, movedTo }: Standing,
    id: string,
    changes: GroupChanges,
    parts: EntryParts,
  ): Promise<Committed> {
    const {
      world,
      journals,
      log,
      coverage,
      covered,
      changes: channel,
      held,
      apart,
      parts: begin,
    } = this.#keys.of(name);
    const { set, setEntries, gone, goneEntries, names, staged } = changes;
    const facts = [...changes.covered].flat();
    const contents = changes.apart.flatMap(({ field, ref }) => [field, ref]);
    const reply = await this.#connection.run(
      'commit',
      [world, journals, log, coverage, covered, channel, held, apart],
      [
        name,
        incarnation,
        at.version,
        at.tip,
        id,
        changes.all ? 'all' : 'part',
        parts,
        movedTo,
        LOG_LENGTH,
        begin,
        staged.fields,
        staged.entries,
        ...listed(set, setEntries, gone, goneEntries, names, facts, contents),
      ],
    );
    if (!hasChanges(changes)) return committedOf(reply, at.tip, false);
    const committed = committedOf(reply, id, true);
    if (committed.status === 'ok') await this.#connection.copied();
    return committed;
  }

  async add(facts: WorldFacts, incarnation: string, id: string, changes: GroupChanges): Promise<boolean> {
    const { world, journals, log, directory, coverage, covered, changes: channel, ...rest } = this.#keys.of(facts.name);
    const counts = [...changes.covered].flat();
    const reply = await this.#connection.run(
      'add',
      [world, journals, log, directory, coverage, covered, channel, rest.apart],
      [
        facts.name,
        incarnation,
        JSON.stringify(facts),
        id,
        rest.parts,
        ...listed(changes.set, changes.setEntries, counts),
      ],
    );
    if (reply.values[0] !== 1) return false;
    await this.#connection.copied();
    return true;
  }

  /** Whether this call has deleted it. */
  async drop(name: string, incarnation: string): Promise<boolean> {
    const { world, journals, log, directory, changes, gone, held, coverage, covered, past, forgotten, apart, parts } =
      this.#keys.of(name);
    const keys = [world, journals, log, directory, changes, gone, held, coverage, covered, past, forgotten, apart];
    const { values, isRepeated } = await this.#connection.run('drop', keys, [name, incarnation, parts]);
    // Where the reply was lost, the world is gone by the first of the two calls.
    const isDropped = values[0] === 1 || isRepeated;
    if (isDropped) await this.#connection.copied();
    return isDropped;
  }

  async facts(name: string): Promise<WorldFacts | undefined> {
    const reply = await this.#connection.command('HGET', [this.#keys.of(name).directory, name]);
    return typeof reply === 'string' ? (factsFrom(reply) ?? throwForeign()) : undefined;
  }

  async all(): Promise<WorldFacts[]> {
    const replies = await Promise.all(this.#keys.directories.map((key) => this.#connection.command('HVALS', [key])));
    return replies.flatMap((reply) =>
      // What another application has written there is no world.
      listOf(reply).flatMap((each) => (typeof each === 'string' ? (factsFrom(each) ?? []) : [])),
    );
  }

  /** The worlds that replicas hold, each with who does its work or advances its clock, by shard. */
  async held(): Promise<readonly (readonly Held[])[]> {
    const replies = await Promise.all(this.#keys.held.map((key) => this.#connection.command('HGETALL', [key])));
    return replies.map((reply) =>
      pairsOf(reply).map(([field, name]) => ({
        world: field.slice(field.indexOf(' ') + 1),
        replica: name.split(' ')[0] ?? '',
      })),
    );
  }

  async count(): Promise<number> {
    const replies = await Promise.all(this.#keys.directories.map((key) => this.#connection.command('HLEN', [key])));
    return replies.reduce((sum: number, each) => sum + Number(each), 0);
  }

  /** The system time of the latest commit of a world; undefined if it does not exist. */
  async lastUsed(name: string): Promise<number | undefined> {
    const reply = await this.#connection.command('HGET', [this.#keys.of(name).world, 'time']);
    return reply === null ? undefined : Number(reply);
  }

  /** The latest epoch of a world when it was deleted; undefined if none of that name was. */
  async goneEpoch(name: string): Promise<number | undefined> {
    const reply = await this.#connection.command('HGET', [this.#keys.of(name).gone, name]);
    return reply === null ? undefined : Number(reply);
  }

  async owner(table: TableName, value: string): Promise<Owner | undefined> {
    const { key, field } = this.#keys.unique(table, value);
    const reply = await this.#connection.command('HGET', [key, field]);
    if (typeof reply !== 'string') return undefined;
    const owner = objectOf(reply);
    if (!owner || !('world' in owner && 'id' in owner)) throw foreign();
    return { world: String(owner.world), id: String(owner.id) };
  }

  /** Sent together, before the commit that needs them: a value is found before its record is there, rather than after. */
  async claim(values: readonly (UniqueValue & { readonly owner: Owner })[], claimant: Claimant): Promise<void> {
    const claims = values.map(({ table, value, owner }) => {
      const { key, field } = this.#keys.unique(table, value);
      return this.#connection.command('HSET', [key, field, JSON.stringify({ ...owner, ...claimant })]);
    });
    await Promise.all(claims);
  }

  /** Leaves those that have been claimed again since. */
  async release(values: readonly UniqueValue[], { incarnation, version }: Claimant): Promise<void> {
    const releases = values.map(({ table, value }) => {
      const { key, field } = this.#keys.unique(table, value);
      return this.#connection.run('release', [key], [field, incarnation, version]);
    });
    await Promise.all(releases);
  }
}

const sizeOf = (fields: readonly (readonly [string, string])[]): number =>
  fields.reduce((sum, [field, value]) => sum + field.length + value.length, 0);

function throwForeign(): never {
  throw foreign();
}

const isMore = (next: readonly string[]): boolean => next.some((each) => each !== END);

const hasChanges = ({ all, set, setEntries, gone, goneEntries, covered }: GroupChanges): boolean =>
  all || set.length + setEntries.length + gone.length + goneEntries.length + covered.size > 0;
