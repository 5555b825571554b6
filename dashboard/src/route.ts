// What this page shows, by the part of its address after `#`: `#/<world>/<page>/<id>`. Nothing of it is sent to the server,
// and it holds no secret.
import { computed, signal } from '@preact/signals';

export const pages = [
  'calls',
  'messages',
  'deliveries',
  'requests',
  'scenarios',
  'faults',
  'coverage',
  'assumptions',
  'worlds',
  'dial',
  'talk',
] as const;
export type PageName = (typeof pages)[number];

const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export interface Route {
  readonly world: string;
  readonly page: PageName;
  /** The record that is shown in detail. */
  readonly id: string | null;
}

export const route = computed((): Route => {
  const [world = '', name = '', id = ''] = hash.value.replace(/^#\/?/, '').split('/').map(decoded);
  return { world: world || 'default', page: pages.find((page) => page === name) ?? 'calls', id: id || null };
});

export function hrefOf({ world, page, id }: Partial<Route>): string {
  const current = route.value;
  const parts = [world ?? current.world, page ?? current.page, ...(id ? [id] : [])];
  return `#/${parts.map(encodeURIComponent).join('/')}`;
}

export function go(to: Partial<Route>, how: 'push' | 'replace' = 'push'): void {
  const href = hrefOf(to);
  if (how === 'push') location.hash = href;
  else location.replace(href);
  // `hashchange` comes a task later, by when the next key may have been pressed.
  hash.value = href;
}
