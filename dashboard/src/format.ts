// How times, durations, numbers and bytes are written. The world's time is shown in UTC, as the API gives it.

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');

/** `15:00:02`, with milliseconds where they matter. */
export function timeOf(instant: string, withMs = false): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return instant;
  const time = `${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}:${pad(date.getUTCSeconds())}`;
  return withMs ? `${time}.${pad(date.getUTCMilliseconds(), 3)}` : time;
}

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Mon 5 Jan`. */
export function dayOf(instant: string): string {
  const date = new Date(instant);
  return `${days[date.getUTCDay()]} ${date.getUTCDate()} ${months[date.getUTCMonth()]}`;
}

/** The time; of another day than that of `now`, the day too, and no seconds. */
export const momentOf = (instant: string, now: string | undefined): string =>
  now?.slice(0, 10) === instant.slice(0, 10) ? timeOf(instant) : `${dayOf(instant)}, ${timeOf(instant).slice(0, 5)}`;

/** `+2.8 s`, `+1 min 4 s`. */
export const offsetOf = (ms: number): string => `+${spanOf(ms)}`;

export function spanOf(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Number((ms / 1000).toFixed(1))} s`;
  const seconds = Math.round(ms / 1000);
  const units: readonly [number, string][] = [
    [86_400, 'd'],
    [3600, 'h'],
    [60, 'min'],
    [1, 's'],
  ];
  let left = seconds;
  const parts = units.flatMap(([size, name]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? [] : [`${count} ${name}`];
  });
  return parts.slice(0, 2).join(' ');
}

/** Spells ANONYMOUS on a keypad; both ends of a web call have it. */
const ANONYMOUS_NUMBER = '+266696687';

export const isAnonymous = (number: string): boolean => number === ANONYMOUS_NUMBER;

/** `+1 212 555 0101`; numbers of other countries stay as they are. */
export const phoneOf = (number: string): string =>
  isAnonymous(number) ? 'A browser' : number.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '+1 $1 $2 $3');

/** Whom the organization talks to. */
export const otherEndOf = (call: {
  readonly direction: string;
  readonly from_number: string;
  readonly to_number: string;
}): string => phoneOf(call.direction === 'inbound' ? call.from_number : call.to_number);

/** `IN_PROGRESS` as `In progress`. */
export function wordsOf(code: string): string {
  const words = code.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** JSON with indentation; other text as it is. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

/** The number that was typed into a field; throws an error that can be shown. */
export function numberIn(field: string, text: string): number {
  const number = Number(text);
  if (Number.isNaN(number)) throw new Error(`${field} is “${text}”; it must be a number`);
  return number;
}
