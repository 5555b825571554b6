// The local time of a time zone at an instant, with its daylight saving time.

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

export interface LocalTime {
  /** `2026-01-05`. */
  readonly date: string;
  /** In English. */
  readonly weekday: string;
  /** `08:00:00`; fractions of a second are cut off. */
  readonly time: string;
}

/** Reads instants (in milliseconds) in an IANA time zone. */
export function localTimesOf(zone: string): (at: number) => LocalTime {
  // The Swedish format is year first, with leading zeros: `2026-01-05 08:00:00`.
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    hourCycle: 'h23',
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return (at) => {
    const [day = '', time = ''] = format.format(at).split(' ');
    // Early years lack the leading zeros.
    const date = day.padStart('2026-01-05'.length, '0');
    return { date, time, weekday: weekdayOf(date) };
  };
}

function weekdayOf(date: string): string {
  return weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? '';
}

/**
 * The reverse: the instant at which a zone has that date and time of day (in milliseconds since midnight). A time that
 * the change to daylight saving time skips is moved later by as much.
 */
export function instantsOf(zone: string): (date: string, timeOfDay: number) => number {
  const localOf = localTimesOf(zone);
  const offsetAt = (at: number): number => {
    const { date, time } = localOf(at);
    return Date.parse(`${date}T${time}Z`) - Math.floor(at / 1000) * 1000;
  };
  return (date, timeOfDay) => {
    const local = Date.parse(`${date}T00:00:00Z`) + timeOfDay;
    const near = local - offsetAt(local);
    return local - offsetAt(near);
  };
}
