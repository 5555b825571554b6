// The environment of the process; nothing else reads it, so that every variable that matters is found from here.

export type Environment = Readonly<Record<string, string | undefined>>;

/** As it is now, and not as it was when the program began. */
export const environment: Environment = process.env;

/** Container platforms set RINGBACK_PORT for a service named ringback to an address. */
export const isInjectedPort = (value: string): boolean => value.startsWith('tcp://');
