// The list of a page whose address has the id of the selected record.
import type { ComponentChildren } from 'preact';
import { go, route } from '../route.ts';
import { VirtualList } from './virtual-list.tsx';

const ROW_PX = 60;

interface Props<Item extends { readonly id: string }> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly row: (item: Item) => ComponentChildren;
  /** Called when the end is near. */
  readonly onEnd?: () => void;
}

export const RecordList = <Item extends { readonly id: string }>(props: Props<Item>) => (
  <VirtualList {...props} rowHeight={ROW_PX} selected={route.value.id} onSelect={(id) => go({ id })} />
);
