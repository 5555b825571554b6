// The form of timestamps in responses and events (assumption `timestamps`). Records keep the usual one, which sorts by time.
import { type AssumptionValues, assumed, type ValueOf } from './catalogue.ts';

type Format = (timestamp: string) => string;

/** From the usual form, 2026-01-05T15:00:00.000Z; null for the form itself. */
const formats: Record<ValueOf<'timestamps'>, Format | null> = {
  milliseconds: null,
  seconds: (timestamp) => timestamp.replace(/\.\d{3}Z$/, 'Z'),
  offset: (timestamp) => timestamp.replace(/Z$/, '+00:00'),
};

/** How a world formats timestamps; null if they stay as they are. */
export function timestampFormat(assumptions: AssumptionValues): Format | null {
  return formats[assumed(assumptions, 'timestamps')];
}
