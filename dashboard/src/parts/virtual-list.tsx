// A list of any length of which only the rows in sight exist. One row is selected; arrow keys, Page Up and Down, Home and
// End move the selection, as in any list box.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface Props<Item extends { readonly id: string }> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly rowHeight: number;
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
  readonly row: (item: Item) => ComponentChildren;
  /** Called when the end is near. */
  readonly onEnd?: () => void;
}

const SPARE_ROWS = 6;

export function VirtualList<Item extends { readonly id: string }>(props: Props<Item>) {
  const { label, items, rowHeight, selected, onSelect, row, onEnd } = props;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  // Keys can come faster than the list is drawn: each starts where the one before it ended.
  const reached = useRef(selected);
  reached.current = selected;
  const newest = items[0]?.id;
  const before = useRef({ newest, length: items.length });

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // Who has scrolled down goes on reading the same rows while new ones come in above.
  useLayoutEffect(() => {
    const { newest: was, length } = before.current;
    before.current = { newest, length: items.length };
    const element = box.current;
    if (!element || element.scrollTop === 0 || was === undefined || was === newest) return;
    const added = items.findIndex(({ id }) => id === was);
    if (added > 0 && items.length > length - 1) element.scrollTop += added * rowHeight;
  }, [newest, items.length]);

  useEffect(() => {
    if (view.top + view.height * 2 > items.length * rowHeight) onEnd?.();
  }, [view, items.length]);

  const first = Math.max(0, Math.floor(view.top / rowHeight) - SPARE_ROWS);
  const last = Math.min(items.length, Math.ceil((view.top + view.height) / rowHeight) + SPARE_ROWS);
  const positionOf = (wanted: string | null): number =>
    wanted === null ? -1 : items.findIndex(({ id }) => id === wanted);
  const position = positionOf(selected);

  function move(event: KeyboardEvent): void {
    const from = positionOf(reached.current);
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: from + 1,
      ArrowUp: from < 0 ? 0 : from - 1,
      PageDown: from + page,
      PageUp: from - page,
      Home: 0,
      End: items.length - 1,
    };
    const wanted = steps[event.key];
    if (wanted === undefined || items.length === 0) return;
    event.preventDefault();
    const to = Math.min(Math.max(wanted, 0), items.length - 1);
    const item = items[to];
    if (item) {
      reached.current = item.id;
      onSelect(item.id);
    }
    reveal(to);
  }

  function reveal(index: number): void {
    const element = box.current;
    if (!element) return;
    const top = index * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top + rowHeight - element.clientHeight;
  }

  return (
    <div
      ref={box}
      class="list"
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={position >= first && position < last ? `row-${selected}` : undefined}
      onKeyDown={move}
      onScroll={({ currentTarget }) => setView({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })}
    >
      <div class="list-space" role="presentation" style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, last).map((item, at) => (
          <div
            key={item.id}
            id={`row-${item.id}`}
            class="row"
            role="option"
            tabIndex={-1}
            aria-selected={item.id === selected}
            aria-posinset={first + at + 1}
            aria-setsize={items.length}
            style={{ height: `${rowHeight}px`, transform: `translateY(${(first + at) * rowHeight}px)` }}
            onClick={() => onSelect(item.id)}
            onKeyDown={(event) => event.key === 'Enter' && onSelect(item.id)}
          >
            {row(item)}
          </div>
        ))}
      </div>
    </div>
  );
}
