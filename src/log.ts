// The log interface that all parts of a sandbox use; `pino-log.ts` implements it.
import type { LogLine } from './log-lines.ts';

export interface Log {
  error(fields: object, message: string): void;
  info(fields: object, message: string): void;
  debug(fields: object, message: string): void;
  /** Logs a request, a delivery or an event in the form of its kind. */
  line(level: 'info' | 'debug', line: LogLine): void;
  /** Whether records of that level are written; frequent ones are not even made otherwise. */
  shows(level: 'info' | 'debug'): boolean;
  /** How many lines could not be written: its output was full, closed, or not read in time. */
  readonly dropped: number;
}
