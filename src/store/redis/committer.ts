// Runs the transactions of a replica on its copies of worlds, and commits them in groups: one round trip for all that waited
// in a world. Where a copy has missed a commit, they are undone, it takes that over, and they run again.
import type { Listeners } from '../listeners.ts';
import type { EntryName } from '../memory/journals.ts';
import type { MemoryStoreOptions } from '../memory/store.ts';
import type { Tx } from '../store.ts';
import { StoreAway } from '../store-away.ts';
import type { Committed } from './committed.ts';
import type { Copies } from './copies.ts';
import type { Copy, Ended, Waiting } from './copy.ts';
import { fieldOf } from './entries.ts';
import type { RecordName } from './field-parts.ts';
import { commitOf, ignoreAway, leavesWork } from './news.ts';
import type { RunnerHooks } from './options.ts';
import { foreign } from './refused.ts';
import type { RemoteParts } from './remote-parts.ts';
import type { EntryParts, RemoteWorlds } from './remote-worlds.ts';

/** The transactions that one commit ends at most. */
const GROUP = 64;
/** How long the transactions of a group run, in milliseconds: other worlds wait meanwhile. */
const RUN_MS = 4;
/** How often what a group needs, or has written, may be gone from Redis though nobody has written to the world meanwhile. */
const LACKS = 5;
/** How often others may have replaced it meanwhile. */
const RACES = 100;

export interface CommitterParts {
  readonly replica: string;
  readonly copies: Copies;
  readonly remote: RemoteWorlds;
  readonly remoteParts: RemoteParts;
  readonly listeners: Listeners;
  readonly systemTime: () => number;
  readonly makeRecords: MemoryStoreOptions['makeRecords'];
  /** Undefined as long as no replica does the work of worlds. */
  readonly runners: () => RunnerHooks | undefined;
  /** Runs a transaction anew, on the copy that takes the place of one that is no longer kept. */
  readonly again: (world: string, body: (tx: Tx) => unknown, cause: string | null) => Promise<unknown>;
  /** Called when a copy has taken over what others have committed. */
  readonly onTakenOver: (copy: Copy) => void;
  /** Called when listeners have been told of a commit. */
  readonly onTold: (copy: Copy) => void;
  /** Called after a commit, when the copy is counted. */
  readonly makeRoom: () => void;
}

/**
 * What came of an attempt to commit: it is done; the copy had missed something, and knows it now; it was told less of what it
 * has missed than it needs; what was written before the commit is gone; or the copy is no longer kept.
 */
type Attempted = 'done' | 'to be run again' | 'to be looked at' | 'lacking' | 'not kept';

export class Committer {
  readonly #parts: CommitterParts;
  #ids = 0;

  constructor(parts: CommitterParts) {
    this.#parts = parts;
  }

  /** An id for a commit, that no other has. */
  newId(): string {
    this.#ids += 1;
    return `${this.#parts.replica}-${this.#ids}`;
  }

  run<T>(copy: Copy, body: (tx: Tx) => T, cause: string | null): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // What it resolves with is what the body has returned.
      copy.waiting.push({ body, cause, resolve: resolve as (value: unknown) => void, reject });
      if (!copy.isRunning) void this.#work(copy);
    });
  }

  /** Runs what waits for a world, group by group. */
  async #work(copy: Copy): Promise<void> {
    copy.isRunning = true;
    while (copy.waiting.length > 0) {
      const group: Waiting[] = [];
      try {
        await this.#runGroup(copy, group);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
      if (!this.#parts.copies.isKept(copy)) break;
    }
    copy.isRunning = false;
    for (const { body, cause, resolve, reject } of copy.waiting.splice(0)) {
      this.#parts.again(copy.world.facts.name, body, cause).then(resolve, reject);
    }
  }

  /** Takes what waits into the group, also what has come while the copy was looked at: it need not look again. */
  async #runGroup(copy: Copy, group: Waiting[]): Promise<void> {
    let lackedAt: number | undefined;
    for (let isLook = copy.isShared, isFirst = true, lacks = 0, races = 0; ; isFirst = false) {
      group.push(...copy.waiting.splice(0, GROUP - group.length));
      const { makeRecords } = this.#parts;
      const ended = isLook ? [] : this.#runSome(copy, group);
      if (copy.needsFixture(ended)) {
        copy.undo(ended);
        await makeRecords?.(copy.world.facts.name, copy.world.fixture.make());
        continue;
      }
      const wanted = copy.takeWanted();
      const wantedRecords = copy.contents.takeWanted();
      if (wanted.length + wantedRecords.length > 0) {
        copy.undo(ended);
        const { version } = copy.at;
        isLook = !((await this.#fetch(copy, wanted)) && (await this.#fetchRecords(copy, wantedRecords)));
        if (!isLook) continue;
        if (version === lackedAt) lacks += 1;
        else races += 1;
        lackedAt = version;
        if (lacks > LACKS) throw foreign();
        if (races > RACES) throw new StoreAway('others write to this world whenever it is read');
        continue;
      }
      const attempted = isLook ? await this.#look(copy) : await this.#attempt(copy, ended);
      // Later attempts say nothing about how others write: they follow at once.
      if (isFirst) copy.noteOthers(attempted !== 'done');
      if (attempted === 'done' && !isLook) return this.#end(copy, ended);
      if (attempted === 'not kept') {
        // On the next copy, before everything that waits.
        copy.waiting.unshift(...group);
        return;
      }
      lacks += Number(attempted === 'lacking');
      if (lacks > LACKS) throw new StoreAway('what is written in parts goes before it is committed');
      isLook = attempted === 'to be looked at';
    }
  }

  /** Runs what a group has for as long as others may wait, and leaves the rest to the next one. */
  #runSome(copy: Copy, group: Waiting[]): Ended[] {
    const { systemTime, copies, makeRecords } = this.#parts;
    const options = { canWait: makeRecords !== undefined, isOver: copies.slices.limit(RUN_MS) };
    const ended = copy.run(group, systemTime(), options);
    const last = ended.at(-1);
    const left = last ? group.splice(group.indexOf(last.waiting) + 1) : [];
    copy.waiting.unshift(...left);
    return ended;
  }

  /** Asks for the contents of entries; false if the copy has missed a commit. */
  async #fetch(copy: Copy, wanted: readonly EntryName[]): Promise<boolean> {
    const fields = wanted.map(({ journal, id }) => fieldOf(journal, id));
    const contents = await this.#parts.remote.contents(copy.world.facts.name, copy, fields);
    if (contents) copy.receiveContents(contents);
    return contents !== undefined;
  }

  /** The same of the contents of records. */
  async #fetchRecords(copy: Copy, wanted: readonly RecordName[]): Promise<boolean> {
    for (const { table, id } of wanted) {
      const ref = copy.contents.refOf({ table, id });
      if (ref === undefined) continue;
      const content = await this.#parts.remoteParts.readContent(copy.world.facts.name, ref);
      if (!content) return false;
      copy.contents.receive(table, id, content.value);
    }
    return true;
  }

  async #attempt(copy: Copy, ended: readonly Ended[]): Promise<Attempted> {
    const parts = this.#parts.copies.partsOf(copy.world.facts.name);
    this.#claim(copy, ended);
    const result = await this.#commit(copy, ended, parts).catch((error) => {
      // Whether it has happened is not known: what is in Redis is.
      this.#doubt(copy);
      throw error;
    });
    if (result.status === 'ok') {
      copy.settle(result.at);
      return 'done';
    }
    copy.undo(ended);
    if (result.status === 'lacking') return 'lacking';
    if (result.status === 'moved') {
      copy.movedTo = result.server;
      return 'to be run again';
    }
    return this.#follow(copy, result, parts);
  }

  /** Takes over what the copy has missed, if anything. */
  async #look(copy: Copy): Promise<Attempted> {
    const { copies, remote } = this.#parts;
    const { name } = copy.world.facts;
    const parts = copies.partsOf(name);
    const result = await remote.look(name, copy, parts);
    return result.status === 'ok' ? 'done' : this.#follow(copy, result, parts);
  }

  async #follow(copy: Copy, missed: Committed, parts: EntryParts): Promise<Attempted> {
    const { copies, listeners, onTakenOver } = this.#parts;
    const result = await copies.catchUp(copy, missed, parts);
    if (result.status !== 'behind' && result.status !== 'ok') {
      if (result.status === 'gone') copies.noteGone(copy);
      this.#doubt(copy);
      return 'not kept';
    }
    // Somebody watches it now.
    if (copies.partsOf(copy.world.facts.name) !== parts) return 'to be looked at';
    if (result.status === 'behind') copy.takeOver(result.missed, result.at);
    listeners.tellAll(commitOf(copy, [], true));
    onTakenOver(copy);
    return 'to be run again';
  }

  #doubt(copy: Copy): void {
    this.#parts.copies.forget(copy);
    this.#parts.runners()?.onDoubt(copy.world.facts.name);
  }

  /** A commit that leaves work to do in a world without a living runner makes this replica the runner. */
  #claim(copy: Copy, ended: readonly Ended[]): void {
    if (this.#parts.runners()?.claims(copy.runner) && leavesWork(copy, ended)) copy.runner = this.#parts.replica;
  }

  async #commit(copy: Copy, ended: readonly Ended[], parts: EntryParts): Promise<Committed> {
    const { remote, remoteParts } = this.#parts;
    const changes = copy.isReplaced
      ? await remoteParts.replacementOf(copy, copy.replacementBy(ended), () => this.newId())
      : copy.changesOf(ended);
    if (changes.apart.length > 0) await remoteParts.writeContents(copy, changes);
    await this.claimUniques(copy);
    const result = await remote.commit(copy.world.facts.name, copy, this.newId(), changes, parts);
    if (result.status !== 'ok') await remoteParts.drop(copy, changes).catch(ignoreAway);
    if (result.status === 'lacking') for (const each of changes.apart) copy.contents.note(each, false);
    return result;
  }

  async #end(copy: Copy, ended: readonly Ended[]): Promise<void> {
    const { copies, listeners, runners, onTold, makeRoom } = this.#parts;
    await this.#releaseUniques(copy);
    for (const { waiting, tx, outcome } of ended) {
      copies.accounts.countRefused(tx.refused);
      if (tx.undo.length > 0 || tx.scheduleChanged) listeners.tell(commitOf(copy, tx.appended, tx.scheduleChanged));
      if ('error' in outcome) waiting.reject(outcome.error);
      else waiting.resolve(outcome.value);
    }
    onTold(copy);
    runners()?.onRunner(copy.world.facts.name, copy.runner);
    makeRoom();
  }

  /** To be called before a commit that makes the next version. */
  async claimUniques({ world, incarnation, at: { version } }: Copy): Promise<void> {
    const { copies, remote } = this.#parts;
    const claimed = copies.uniques.claimedBy(world.facts.name);
    if (claimed.length > 0) await remote.claim(claimed, { incarnation, version: version + 1 });
  }

  /** What is released stays findable if this fails, which does no harm: who finds it looks for the record. */
  async #releaseUniques({ world, incarnation, at: { version } }: Copy): Promise<void> {
    const { copies, remote } = this.#parts;
    const released = copies.uniques.settle(world.facts.name);
    if (released.length > 0) await remote.release(released, { incarnation, version }).catch(ignoreAway);
  }
}
