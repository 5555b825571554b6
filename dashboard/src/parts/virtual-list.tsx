// A list of any length of which only the rows in sight exist. One row is selected; arrow keys, Page Up and Down, Home and
// End move the selection, as in any list box.
import type { ComponentChildren, RefObject } from 'preact';
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

interface View {
  readonly top: number;
  readonly height: number;
}

export function VirtualList<Item extends { readonly id: string }>(props: Props<Item>) {
  const { label, items, rowHeight, selected, onSelect, row, onEnd } = props;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useView(box);
  useKeptRows(box, items, rowHeight);
  const move = useKeys(box, view, props);
  useEffect(() => {
    if (view.top + view.height * 2 > items.length * rowHeight) onEnd?.();
  }, [view, items.length]);

  const first = Math.max(0, Math.floor(view.top / rowHeight) - SPARE_ROWS);
  const last = Math.min(items.length, Math.ceil((view.top + view.height) / rowHeight) + SPARE_ROWS);
  const position = positionOf(items, selected);
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

type Box = RefObject<HTMLDivElement | null>;

const positionOf = (items: readonly { readonly id: string }[], wanted: string | null): number =>
  wanted === null ? -1 : items.findIndex(({ id }) => id === wanted);

/** Which part of the list is in sight. */
function useView(box: Box): [View, (view: View) => void] {
  const [view, setView] = useState<View>({ top: 0, height: 600 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [view, setView];
}

/** Keeps the same rows in sight of a reader who has scrolled down, while new ones are added above. */
function useKeptRows(box: Box, items: readonly { readonly id: string }[], rowHeight: number): void {
  const newest = items[0]?.id;
  const before = useRef({ newest, length: items.length });
  useLayoutEffect(() => {
    const { newest: was, length } = before.current;
    before.current = { newest, length: items.length };
    const element = box.current;
    if (!element || element.scrollTop === 0 || was === undefined || was === newest) return;
    const added = items.findIndex(({ id }) => id === was);
    if (added > 0 && items.length > length - 1) element.scrollTop += added * rowHeight;
  }, [newest, items.length]);
}

/** Moves the selection by the keys of a list box. */
function useKeys<Item extends { readonly id: string }>(
  box: Box,
  view: View,
  { items, rowHeight, selected, onSelect }: Props<Item>,
): (event: KeyboardEvent) => void {
  // Keys can come faster than the list is drawn: each starts where the one before it ended.
  const reached = useRef(selected);
  reached.current = selected;
  return (event) => {
    const wanted = targetOf(event.key, positionOf(items, reached.current), {
      page: Math.max(1, Math.floor(view.height / rowHeight) - 1),
      end: items.length - 1,
    });
    if (wanted === undefined || items.length === 0) return;
    event.preventDefault();
    const to = Math.min(Math.max(wanted, 0), items.length - 1);
    const item = items[to];
    if (item) {
      reached.current = item.id;
      onSelect(item.id);
    }
    reveal(box.current, to * rowHeight, rowHeight);
  };
}

/** The position that a key leads to; undefined for a key that moves nothing. */
function targetOf(key: string, from: number, { page, end }: Readonly<Record<'page' | 'end', number>>) {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: from + 1,
    ArrowUp: from < 0 ? 0 : from - 1,
    PageDown: from + page,
    PageUp: from - page,
    Home: 0,
    End: end,
  };
  return steps[key];
}

function reveal(element: HTMLElement | null, top: number, rowHeight: number): void {
  if (!element) return;
  if (top < element.scrollTop) element.scrollTop = top;
  else if (top + rowHeight > element.scrollTop + element.clientHeight)
    element.scrollTop = top + rowHeight - element.clientHeight;
}
