// Packages that are loaded on first use: nothing needs them before the first request, and loading them at the start took
// a third of its time.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/** The YAML parser; the package's own files are parsed at build time. */
export const yaml = (): typeof import('yaml') => load('yaml');

/** The HTTP client that delivers webhooks over kept connections. */
export const undici = (): typeof import('undici') => load('undici');

/** Phone number rules of all countries. */
export const phoneNumbers = (): typeof import('libphonenumber-js/min') => load('libphonenumber-js/min');

/** Signs and verifies JWTs. */
export const jose = (): Promise<typeof import('jose')> => import('jose');

/** English names and addresses; loading all languages takes five times as long. */
export const englishFaker = (): typeof import('@faker-js/faker/locale/en') => load('@faker-js/faker/locale/en');

/** The modules that most servers need; loaded in the background soon after the start. */
export const preloadedModules: readonly (() => unknown)[] = [phoneNumbers, jose];
