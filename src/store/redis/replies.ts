// What Redis answers, as lists, pairs and texts; and lists as its scripts take them.
import type { Reply } from './connection.ts';
import { foreign } from './refused.ts';

export const listOf = (reply: Reply | undefined): readonly Reply[] => (Array.isArray(reply) ? reply : []);

export function pairsOf(reply: Reply | undefined): [string, string][] {
  const list = listOf(reply);
  return Array.from({ length: list.length / 2 }, (_, n) => [String(list[2 * n]), String(list[2 * n + 1])]);
}

/** Lists as scripts take them: each after its length. */
export function listed(...lists: readonly (readonly (string | number)[])[]): readonly (string | number)[] {
  const all: (string | number)[] = [];
  for (const list of lists) {
    all.push(list.length);
    for (const each of list) all.push(each);
  }
  return all;
}

/** What is stored as JSON; undefined for what another application has written. */
export function objectOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What was stored as JSON; throws `foreign`, without the text, which may be a record. */
export function parsed(text: string): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(text);
  } catch {
    throw foreign();
  }
}

export const textOf = (reply: Reply | undefined): string | null => (typeof reply === 'string' ? reply : null);
