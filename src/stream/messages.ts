// The messages of a stream: journal entries as the control API shows them, moves of the clock, and new epochs. One JSON
// object per message.
import { serializeDelivery } from '../admin/deliveries.ts';
import { serializeMessage } from '../admin/inbox.ts';
import { serializeSentTick } from '../admin/ticks.ts';
import { type ClockState, formatClockSetting, timestamp } from '../clock/clock.ts';
import type { JournalName } from '../model.ts';
import type { Appended } from '../store/history.ts';
import type { WorldFacts } from '../store/store.ts';
import { keysOf } from '../typed-keys.ts';
import { eventJson, RequestJson, stepJson } from './entry-json.ts';
import { type Frame, Frames } from './frames.ts';
import { type Place, writePlace } from './place.ts';

/** The types of messages that a client can choose; `open` and `reset` are sent to every one. */
export const streamTypes = ['request', 'step', 'event', 'delivery', 'inbox', 'tick', 'clock'] as const;
export type StreamType = (typeof streamTypes)[number];

const typeOf: Readonly<Record<JournalName, StreamType>> = {
  requests: 'request',
  steps: 'step',
  events: 'event',
  deliveries: 'delivery',
  inbox: 'inbox',
  ticks: 'tick',
};

/** The journals of what a reader wants; null for all. */
export const journalsOf = (types: ReadonlySet<StreamType> | null): JournalName[] =>
  keysOf(typeOf).filter((journal) => types === null || types.has(typeOf[journal]));

/** What a message takes that waits, beside its frame. */
const ITEM_BYTES = 200;

/** A message, whose frame is made once for all its readers. What it is made of is not kept after that. */
export class StreamItem {
  readonly type: StreamType | 'open' | 'reset';
  readonly place: Place;
  #made: Frame | (() => Frame);

  constructor(type: StreamItem['type'], place: Place, make: () => Frame) {
    this.type = type;
    this.place = place;
    this.#made = make;
  }

  frame(): Frame {
    if (typeof this.#made === 'function') this.#made = this.#made();
    return this.#made;
  }

  /** About what it takes while it waits. */
  get bytes(): number {
    const { start, end } = this.frame();
    return ITEM_BYTES + end - start;
  }
}

/** A clock by `now`, in milliseconds of the world's time. */
const clockView = (clock: ClockState, now: number) => ({
  mode: formatClockSetting(clock),
  speed: clock.speed,
  now: timestamp(now),
});

/** Whether a clock was set or advanced, and not only frozen for an advance. */
export function isMove(before: ClockState, { mode, speed, at }: ClockState): boolean {
  return before.mode !== mode || before.speed !== speed || before.at !== at;
}

/** Another one for a world that was created anew. */
export const idOf = ({ created = 0 }: WorldFacts): string => created.toString(36);

/** Makes the messages of all streams. */
export class Messages {
  readonly #out = new Frames();
  readonly #requests = new RequestJson();

  entry(appended: Appended, place: Place): StreamItem {
    const type = typeOf[appended.journal];
    return new StreamItem(type, place, () => this.#entryFrame(appended, type, place));
  }

  clock(clock: ClockState, now: number, place: Place): StreamItem {
    return this.#plain('clock', place, { at: timestamp(now), data: clockView(clock, now) });
  }

  /**
   * The first message: from where the stream tells what happens. The `world_id` is another one if the world was created
   * anew, as after a restart that did not keep it: ids and epochs of the former one mean nothing then.
   */
  open(world: WorldFacts, clock: ClockState, now: number, place: Place): StreamItem {
    const { epoch } = place;
    const data = { world: world.name, world_id: idOf(world), epoch, clock: clockView(clock, now) };
    return this.#plain('open', place, { at: timestamp(now), data });
  }

  /** Nothing sent before is valid any longer: the world was reset, or restored to a snapshot. */
  reset(now: number, place: Place): StreamItem {
    return this.#plain('reset', place, { at: timestamp(now), data: { epoch: place.epoch } });
  }

  #plain(type: StreamItem['type'], place: Place, content: { at: string; data: object }): StreamItem {
    return new StreamItem(type, place, () => {
      this.#out.begin();
      this.#out.write(JSON.stringify({ entry: writePlace(place), type, ...content }));
      return this.#out.end();
    });
  }

  #entryFrame(appended: Appended, type: StreamType, place: Place): Frame {
    const { journal, entry, amended } = appended;
    const head = `{"entry":"${writePlace(place)}","type":"${type}","at":"${entry.at}","amended":${amended},"data":`;
    this.#out.begin();
    this.#out.write(`${head}${journal === 'requests' ? this.#requests.of(entry) : jsonOf(appended)}}`);
    return this.#out.end();
  }
}

function jsonOf({ journal, entry }: Exclude<Appended, { readonly journal: 'requests' }>): string {
  switch (journal) {
    case 'steps':
      return stepJson(entry);
    case 'events':
      return eventJson(entry);
    case 'deliveries':
      return JSON.stringify(serializeDelivery(entry));
    case 'inbox':
      return JSON.stringify(serializeMessage(entry));
    case 'ticks':
      return JSON.stringify(serializeSentTick(entry));
    default:
      return journal satisfies never;
  }
}
