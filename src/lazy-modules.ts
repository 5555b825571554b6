// Packages that nothing needs before the first request: each is loaded when it is first used, since loading them all was
// a third of the start.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/** The parser of YAML; what the package ships is parsed already. */
export const yaml = (): typeof import('yaml') => load('yaml');

/** The client that delivers webhooks. */
export const undici = (): typeof import('undici') => load('undici');

/** What is known of phone numbers, of all countries. */
export const phoneNumbers = (): typeof import('libphonenumber-js/min') => load('libphonenumber-js/min');

/** What signs and reads tokens. */
export const jose = (): Promise<typeof import('jose')> => import('jose');

/** Its English data alone; all languages together take five times as long to load. */
export const englishFaker = (): typeof import('@faker-js/faker/locale/en') => load('@faker-js/faker/locale/en');

/** What most servers come to need: to be loaded once a server has been ready for a while. */
export const preloadedModules: readonly (() => unknown)[] = [undici, phoneNumbers, jose];
