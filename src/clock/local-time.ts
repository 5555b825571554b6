// What the clocks on the wall show at an instant: local times of a time zone, with its daylight saving.

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

export interface LocalTime {
  /** `2026-01-05`. */
  readonly date: string;
  /** In English. */
  readonly weekday: string;
  /** `08:00:00`; what has begun of a second is left out. */
  readonly time: string;
}

/** Reads instants (in milliseconds) in an IANA time zone. */
export function localTimesOf(zone: string): (at: number) => LocalTime {
  // Swedish is written year first, with leading zeros: `2026-01-05 08:00:00`.
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    hourCycle: 'h23',
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return (at) => {
    const [shown = '', time = ''] = format.format(at).split(' ');
    // The leading zeros are missing from early years.
    const date = shown.padStart('2026-01-05'.length, '0');
    return { date, time, weekday: weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()] as string };
  };
}

/**
 * The way back: the instant at which the clocks of a zone show that date and that time of day (in milliseconds since
 * midnight). A time that a change of the clocks leaves out is as much later.
 */
export function instantsOf(zone: string): (date: string, timeOfDay: number) => number {
  const localOf = localTimesOf(zone);
  const ahead = (at: number): number => {
    const { date, time } = localOf(at);
    return Date.parse(`${date}T${time}Z`) - Math.floor(at / 1000) * 1000;
  };
  return (date, timeOfDay) => {
    const shown = Date.parse(`${date}T00:00:00Z`) + timeOfDay;
    const near = shown - ahead(shown);
    return shown - ahead(near);
  };
}
