// Which world is shown, and choosing another one.
import { useEffect, useState } from 'preact/hooks';
import { controlClient } from '../api/access.ts';
import { go } from '../route.ts';
import type { Feed } from '../state/feed.ts';

/** How often the list is read while it is shown to nobody. */
const READ_MS = 15_000;

export function WorldPicker({ feed: { world, state } }: { readonly feed: Feed }) {
  const [names, setNames] = useState<readonly string[]>([world]);
  const isLive = state.value === 'live';
  async function read(): Promise<void> {
    const { data } = await controlClient(null).page('listWorlds', { query: { page_size: 1000 } });
    setNames(data.map(({ name }) => name));
  }
  useEffect(() => {
    if (!isLive) return;
    // What cannot be read now is read the next time; the connection says what is wrong.
    const tryRead = (): void => void read().catch(() => {});
    tryRead();
    const timer = setInterval(tryRead, READ_MS);
    return () => clearInterval(timer);
  }, [isLive]);
  const all = names.includes(world) ? names : [world, ...names];
  return (
    <label class="world">
      <span class="world-label">World</span>
      <select
        aria-label="World"
        value={world}
        onFocus={() => void read().catch(() => {})}
        onChange={({ currentTarget }) => go({ world: currentTarget.value, id: null })}
      >
        {all.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
