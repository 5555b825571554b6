// The log as the parts of a sandbox see it; pino-log.ts writes it.

export interface Log {
  error(fields: object, message: string): void;
  info(fields: object, message: string): void;
  debug(fields: object, message: string): void;
}
