// Ids and chance: pure functions of (seed, world, kind, ordinal), so that two runs with one seed and one order of
// requests are alike to the byte. No generator keeps a state.
import { hash } from 'node:crypto';

/** SHA-256 in lowercase hexadecimal. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** A UUID (in the form of version 4) that follows from its name. */
export function uuid(...name: (string | number)[]): string {
  const hex = sha256(name.join('\0'));
  const variant = '89ab'[Number.parseInt(hex[16] as string, 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** `length` hexadecimal digits that follow from their name. */
export function token(length: number, ...name: (string | number)[]): string {
  return sha256(name.join('\0')).slice(0, length);
}

/** A number in [0, 1) that follows from its name. */
export function fraction(...name: (string | number)[]): number {
  return Number.parseInt(sha256(name.join('\0')).slice(0, 12), 16) / 2 ** 48;
}

/** A whole number from `least` to `most`, both included, that follows from its name. */
export function integer(least: number, most: number, ...name: (string | number)[]): number {
  return least + Math.floor(fraction(...name) * (most - least + 1));
}
