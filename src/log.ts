// The log interface that all parts of a sandbox use; `pino-log.ts` implements it.

export interface Log {
  error(fields: object, message: string): void;
  info(fields: object, message: string): void;
  debug(fields: object, message: string): void;
}
