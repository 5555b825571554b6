// A place in the stream of a world, as text: the `entry` of every message, and what `?since=` takes.

export interface Place {
  /** Which numbering its position belongs to: of a process, which counts from zero when it starts, or of a world in Redis. */
  readonly origin: string;
  readonly epoch: number;
  readonly position: number;
}

const form = /^([0-9a-z]{1,12})\.(\d{1,9})\.(\d{1,15})$/;

export const writePlace = ({ origin, epoch, position }: Place): string => `${origin}.${epoch}.${position}`;

/** Undefined if the text is not a place. */
export function readPlace(text: string): Place | undefined {
  const [, origin, epoch, position] = form.exec(text) ?? [];
  return origin === undefined ? undefined : { origin, epoch: Number(epoch), position: Number(position) };
}
