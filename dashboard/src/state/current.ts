// The world that is shown, and the messages to the person who looks at it.
import { effect, signal } from '@preact/signals';
import { controlToken } from '../api/access.ts';
import { route } from '../route.ts';
import { Feed } from './feed.ts';

export const feed = signal<Feed | null>(null);

/** Follows the world of the address, and starts over with another token. */
effect(() => {
  const { world } = route.value;
  const token = controlToken.value;
  const current = feed.peek();
  if (current?.world === world && current.token === token) return;
  current?.close();
  feed.value = new Feed(world, token);
});

export interface Notice {
  readonly text: string;
  readonly isError: boolean;
}

export const notice = signal<Notice | null>(null);
const SHOWN_MS = 6000;
let timer: ReturnType<typeof setTimeout> | undefined;

export function say(text: string, isError = false): void {
  clearTimeout(timer);
  notice.value = { text, isError };
  timer = setTimeout(() => {
    notice.value = null;
  }, SHOWN_MS);
}

/** Tells of what went wrong. */
export function sayError(error: unknown): void {
  say(error instanceof Error ? error.message : String(error), true);
}
