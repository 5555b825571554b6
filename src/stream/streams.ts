// The streams of all worlds: who reads which, and how they learn what a commit changed. Without a reader, nothing
// listens and nothing is created. `interface.md` section 5, stream.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers';
import type { WebSocketServer } from 'ws';
import type { Share } from '../budget/budget.ts';
import { type ClockState, worldTime } from '../clock/clock.ts';
import { transactSlice } from '../engine/transact-slice.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Log } from '../log.ts';
import type { OneAtATime } from '../one-at-a-time.ts';
import type { Turns } from '../scheduler/turns.ts';
import type { Appended } from '../store/history.ts';
import { journalOfId } from '../store/next-id.ts';
import { type Commit, NoSuchWorld, type Store, type Tx, type WorldFacts } from '../store/store.ts';
import { beat, createWebSocketServer, type OnMalformed } from '../websocket-server.ts';
import { type Beginning, readBacklog } from './backlog.ts';
import { idOf, isMove, journalsOf, Messages, type StreamItem, type StreamType } from './messages.ts';
import { Outbox } from './outbox.ts';
import { OwnEntries } from './own-entries.ts';
import { type Place, readPlace } from './place.ts';
import { closeCodes, memoryOf, Reader } from './reader.ts';

/** Messages of readers mean nothing. */
const MAX_MESSAGE_BYTES = 1024;
const MAX_READERS_PER_WORLD = 100;
/** A reader that does not answer is disconnected after two of these. */
const HEARTBEAT_MS = 30_000;

/** For `since`: everything that the journals keep. */
const START = 'start';

/** What a client asks for, once it may have it. */
export interface StreamRequest {
  readonly world: string;
  /** The organization whose entries alone it may see; null for all of the world. */
  readonly organization: string | null;
  /** A place, or the id of a journal entry, after which to begin, or `start`; null for now. */
  readonly since: string | null;
  readonly types: ReadonlySet<StreamType> | null;
  /** Called when it has ended. */
  readonly onEnd: () => void;
}

interface WorldReaders {
  readonly stopListening: () => void;
  readonly readers: Map<Reader, StreamRequest>;
  /** What those are told who read the entries of an organization alone. */
  readonly own: OwnEntries;
  /** The rest is not known until the first reader begins. */
  origin: string;
  epoch: number | null;
  clock: ClockState | null;
  position: number;
}

export interface StreamsOptions {
  readonly store: Store;
  /** Whether several processes share the store, which then numbers what happens in a world for all of them. */
  readonly isShared: boolean;
  readonly share: Share;
  readonly turns: Turns;
  /** By world: what reads whole journals. */
  readonly reads: OneAtATime;
  readonly log: Log;
}

export class Streams {
  readonly #parts: StreamsOptions;
  /** Of the places in a store that no other process has, which counts from zero when it starts. */
  readonly #ownOrigin: string;
  readonly #server: WebSocketServer;
  readonly #worlds = new Map<string, WorldReaders>();
  readonly #outbox = new Outbox();
  readonly #messages = new Messages();
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(parts: StreamsOptions, onMalformed: OnMalformed) {
    this.#parts = parts;
    this.#ownOrigin = Math.floor(parts.store.systemTime()).toString(36);
    this.#server = createWebSocketServer(MAX_MESSAGE_BYTES, onMalformed);
  }

  /** Throws `rate_limited` if the world has as many readers as it may have. */
  admit(world: string): void {
    if ((this.#worlds.get(world)?.readers.size ?? 0) < MAX_READERS_PER_WORLD) return;
    throw new ApiError('rate_limited', {
      message: `${MAX_READERS_PER_WORLD} streams of this world are open, the maximum.`,
      hint: 'Close a stream that nobody reads.',
      headers: { 'Retry-After': '1' },
    });
  }

  /** Completes the handshake and begins to send; returns whether the handshake was completed. */
  open(req: IncomingMessage, socket: Duplex, head: Buffer, request: StreamRequest): boolean {
    let opened = false;
    this.#server.handleUpgrade(req, socket, head, (client) => {
      opened = true;
      const { share, log } = this.#parts;
      const { world, types } = request;
      const onSlow = (): void => log.info({ world }, 'a stream was not read fast enough');
      const onReady = (ready: Reader): void => this.#outbox.goOn(ready);
      const reader = new Reader(client, { socket, memory: memoryOf(share, world), types, onReady, onSlow });
      this.#begin(reader, request).catch((error) => this.#fail(reader, world, error));
    });
    if (!opened) request.onEnd();
    return opened;
  }

  async #begin(reader: Reader, request: StreamRequest): Promise<void> {
    const { log, reads } = this.#parts;
    const { world } = request;
    const { client } = reader;
    this.#add(world, reader, request);
    client.on('pong', () => {
      reader.alive = true;
    });
    client.on('error', (error) => log.debug({ err: error, world }, 'a stream failed'));
    client.on('close', () => this.#remove(world, reader));
    await (request.since === null
      ? this.#start(reader, request)
      : reads.run(world, () => this.#start(reader, request)));
  }

  async #start(reader: Reader, request: StreamRequest): Promise<void> {
    // It may have left while others were read for.
    if (reader.isClosed) return;
    const parts = { ...this.#parts, messages: this.#messages };
    const beginning = await transactSlice(parts, request.world, (tx) => {
      reader.listen();
      return this.#beginning(tx, request);
    });
    const backlog = beginning && (await readBacklog(parts, reader, request, beginning));
    if (beginning && backlog) return reader.start(backlog, beginning.place);
    const gone = 'conflict: entries after `since` are gone; leave it out to begin now';
    if (!reader.isClosed) reader.end(closeCodes.entriesGone, gone);
  }

  #add(world: string, reader: Reader, request: StreamRequest): void {
    const known = this.#worlds.get(world);
    if (known) known.readers.set(reader, request);
    else {
      const stopListening = this.#parts.store.watch(world, (commit) =>
        commit ? this.#onCommit(commit) : this.#onDeleted(world),
      );
      const readers = new Map([[reader, request]]);
      const own = this.#ownEntriesOf(world, readers);
      this.#worlds.set(world, { readers, own, stopListening, origin: '', epoch: null, clock: null, position: 0 });
    }
    this.#heartbeat ??= setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
  }

  #remove(world: string, reader: Reader): void {
    reader.release();
    this.#outbox.delete(reader);
    const state = this.#worlds.get(world);
    const request = state?.readers.get(reader);
    state?.readers.delete(reader);
    request?.onEnd();
    if (state?.readers.size === 0) {
      state.stopListening();
      this.#worlds.delete(world);
    }
    if (this.#worlds.size > 0) return;
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }

  /** Null if entries that it should begin with are no longer kept. */
  #beginning(tx: Tx, request: StreamRequest): Beginning | null {
    const { history } = tx;
    const [epoch, clock] = [tx.state('epoch'), tx.state('clock')];
    const now = worldTime(clock, tx.systemTime);
    const origin = this.#originOf(tx.world);
    const readers = this.#worlds.get(request.world);
    // The first reader learns from here what has changed since.
    if (readers && readers.epoch === null) Object.assign(readers, { origin, epoch, clock, position: history.position });
    const place: Place = { origin, epoch, position: history.position };
    const { since } = request;
    const journals = journalsOf(request.types);
    const from = this.#placeOf(tx, since, place);
    if (!from) return null;
    const after = from.epoch === epoch ? from.position : 0;
    if (since !== START && history.hasDroppedAfter(after, journals)) return null;
    const first = [
      this.#messages.open(tx.world, clock, now, from),
      ...(from.epoch === epoch ? [] : [this.#messages.reset(now, { ...place, position: 0 })]),
    ];
    return { first, entries: history.placesAfter(after, journals), after: since === START ? null : after, place };
  }

  #originOf(world: WorldFacts): string {
    return this.#parts.isShared ? idOf(world) : this.#ownOrigin;
  }

  /** Undefined if what is named is no longer kept, or belongs to another numbering. */
  #placeOf(tx: Tx, since: string | null, present: Place): Place | undefined {
    if (since === null) return present;
    if (since === START) return { ...present, position: 0 };
    const journal = journalOfId(since);
    const position = journal && tx.history.positionOf(journal, since);
    if (position !== undefined) return { ...present, position };
    const place = readPlace(since);
    if (!place || place.origin !== present.origin || place.epoch > present.epoch) return undefined;
    return place.epoch < present.epoch || place.position <= present.position ? place : undefined;
  }

  #onCommit({ world, appended, epoch, schedule }: Commit): void {
    const state = this.#worlds.get(world);
    // What happens before the first reader begins is in the journals when it does.
    if (!state || state.epoch === null) return;
    const place = (position: number): Place => ({ origin: state.origin, epoch, position });
    const clock = schedule?.clock;
    if (state.epoch !== epoch) {
      this.#tell(state, this.#messages.reset(this.#now(clock ?? state.clock), place(state.position)));
    }
    state.epoch = epoch;
    for (const each of appended) {
      state.position = each.position;
      this.#tell(state, this.#messages.entry(each, place(each.position)), each);
    }
    if (clock && state.clock !== null && clock !== state.clock) {
      const hasMoved = isMove(state.clock, clock);
      state.clock = clock;
      if (hasMoved) this.#tell(state, this.#messages.clock(clock, this.#now(clock), place(state.position)));
    }
  }

  #now(clock: ClockState | null): number {
    return clock ? worldTime(clock, this.#parts.store.systemTime()) : 0;
  }

  #tell({ readers, own }: WorldReaders, item: StreamItem, entry?: Appended): void {
    let isOwned = false;
    for (const [reader, { organization }] of readers) {
      isOwned ||= organization !== null;
      if (organization !== null) continue;
      reader.add(item);
      this.#outbox.add(reader);
    }
    if (isOwned) own.add(item, entry);
  }

  #ownEntriesOf(world: string, all: ReadonlyMap<Reader, StreamRequest>): OwnEntries {
    const readers = function* (): Generator<readonly [Reader, string]> {
      for (const [reader, { organization }] of all) if (organization !== null) yield [reader, organization];
    };
    return new OwnEntries(this.#parts, {
      world,
      readers,
      onTold: (reader) => this.#outbox.add(reader),
      onError: (error) => {
        for (const [reader] of readers()) this.#fail(reader, world, error);
      },
    });
  }

  #fail(reader: Reader, world: string, error: unknown): void {
    if (error instanceof NoSuchWorld) return reader.end(closeCodes.worldGone, 'the world was deleted');
    this.#parts.log.error({ err: error, world }, 'a stream failed');
    reader.client.terminate();
  }

  #beat(): void {
    const readers = [...this.#worlds.values()].flatMap((each) => [...each.readers.keys()]);
    beat(readers.map((reader) => [reader.client, reader]));
  }

  #onDeleted(world: string): void {
    const state = this.#worlds.get(world);
    if (!state) return;
    // Who comes for another world of that name begins with its numbering, though others may still be on their way out.
    state.epoch = null;
    state.own.forget();
    for (const reader of state.readers.keys()) reader.end(closeCodes.worldGone, 'the world was deleted');
  }

  /** Ends every stream, waiting at most `graceMs` for the readers to take what waits for them and to close their side. */
  async close(graceMs: number): Promise<void> {
    if (this.#worlds.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const timeUp = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([Promise.all([...this.#worlds.values()].map(({ own }) => own.whenTold())), timeUp]);
    const readers = [...this.#worlds.values()].flatMap((each) => [...each.readers.keys()]);
    this.#outbox.flushAll();
    const closed = readers.map(
      (reader) => new Promise<void>((resolve) => reader.client.once('close', () => resolve())),
    );
    for (const reader of readers) reader.finish(closeCodes.goingAway, 'the server is stopping');
    await Promise.race([Promise.all(closed), timeUp]);
    clearTimeout(timer);
    for (const reader of readers) reader.client.terminate();
  }
}
