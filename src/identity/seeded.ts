// Ids and randomness: pure functions of (seed, world, kind, ordinal), so that two runs with the same seed and the same
// order of requests are identical to the byte. No random generator keeps state.
import { hash } from 'node:crypto';

/** The identity of a new record within its world. */
export interface AllocatedId {
  readonly id: string;
  readonly rank: number;
  /** A token of that kind, derived from the seed and these words alone. */
  readonly token: (kind: string, ...words: readonly string[]) => string;
}

/** SHA-256 in lowercase hexadecimal. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** A UUID, in the form of version 4, derived from its name. */
export function uuid(...name: (string | number)[]): string {
  const hex = sha256(name.join('\0'));
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3);
  return inOnePiece(
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
  );
}

/**
 * The same text. What a text was put together from stays in memory with it, which is three times as much for an id and
 * four objects instead of one, until V8 has to look for a character of it.
 */
export function inOnePiece(text: string): string {
  text.charCodeAt(0);
  return text;
}

/** `length` hexadecimal digits derived from their name. */
export function token(length: number, ...name: (string | number)[]): string {
  return sha256(name.join('\0')).slice(0, length);
}

/** A number in [0, 1) derived from its name. */
export function fraction(...name: (string | number)[]): number {
  return Number.parseInt(sha256(name.join('\0')).slice(0, 12), 16) / 2 ** 48;
}

/** An integer from `min` to `max`, both included, derived from its name. */
export function integer(min: number, max: number, ...name: (string | number)[]): number {
  return min + Math.floor(fraction(...name) * (max - min + 1));
}
