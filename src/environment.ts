// The only reader of the process environment, so that every variable that matters can be found here.

export type Environment = Readonly<Record<string, string | undefined>>;

/** As it is now, and not as it was when the program began. */
export const environment: Environment = process.env;

/** Container platforms set RINGBACK_PORT for a service named ringback to an address. */
export const isInjectedPort = (value: string): boolean => value.startsWith('tcp://');
