// The code and the message of an error that the system or a library threw.

export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
