// Reads every entry of a world's journal once and in order, across lost connections and restarts of the server, whether
// or not the world survives them. The stream resumes where it was; if the server cannot tell where that is, it begins
// with everything it has kept, and entries seen before are skipped here.
import type { ControlClient } from '../client/control-client.ts';
import type { StreamMessage } from '../client/stream.ts';
import { watch } from './live.ts';
import { note } from './output.ts';

type Open = Extract<StreamMessage, { readonly type: 'open' }>;
type Told = 'event' | 'request';
type Entry<Type extends Told> = Extract<StreamMessage, { readonly type: Type }>;

export interface EntriesOptions {
  /** `start`: with all that is kept. */
  readonly since?: 'start' | undefined;
  readonly signal: AbortSignal;
}

/** Ids of entries that were seen; more than a journal usually keeps. */
const MAX_SEEN = 200_000;

const DROPPED =
  'ringback: what came meanwhile was more than the journal keeps (--journal-limit), and is left out but for its end';

/** The entries of one life of a world. */
class Seen {
  #life = '';
  readonly #ids = new Set<string>();

  /** Ids of another world, or of an earlier epoch, mean other entries. */
  begin(life: string): void {
    if (life === this.#life) return;
    this.#life = life;
    this.#ids.clear();
  }

  /** Whether it is new. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > MAX_SEEN && oldest !== undefined) this.#ids.delete(oldest);
    return true;
  }
}

/** The first message is `open`; the others are entries. */
export async function* entriesOnce<Type extends Told>(
  control: ControlClient,
  type: Type,
  { since, signal }: EntriesOptions,
): AsyncGenerator<Open | Entry<Type>> {
  const seen = new Seen();
  let world = '';
  let isFirst = true;
  let gapOf: string | undefined;
  for await (const message of watch(control, { types: [type], since, signal })) {
    if (message.type === 'gap') {
      gapOf = processOf(message.entry);
    } else if (message.type === 'open') {
      if (gapOf === processOf(message.entry)) note(DROPPED);
      gapOf = undefined;
      const { data } = message;
      if (!isFirst && world !== data.world_id)
        note('ringback: the world was created again; showing it from its beginning');
      world = data.world_id;
      seen.begin(`${world} ${data.epoch}`);
      if (isFirst) yield message;
      isFirst = false;
    } else if (message.type === 'reset') {
      seen.begin(`${world} ${message.data.epoch}`);
    } else if (message.type === 'event' || message.type === 'request') {
      if (seen.add(message.data.id) && isOf(message, type)) yield message;
    }
  }
}

/** A place begins with what names the process that it belongs to: one that was restarted has dropped nothing. */
const processOf = (place: string): string | undefined => place.split('.')[0];

const isOf = <Type extends Told>(message: StreamMessage, type: Type): message is Entry<Type> => message.type === type;
