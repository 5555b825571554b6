// A field that filters a list by text, and the items that match.
import { useMemo, useState } from 'preact/hooks';

interface Filter<Item> {
  /** As it was typed. */
  readonly text: string;
  readonly isOn: boolean;
  readonly matching: readonly Item[];
  readonly setText: (text: string) => void;
}

/** `textsOf` returns the texts of an item in which the filter looks. */
export function useFilter<Item>(items: readonly Item[], textsOf: (item: Item) => readonly string[]): Filter<Item> {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const matching = useMemo(() => {
    const matches = (item: Item): boolean => textsOf(item).some((each) => each.toLowerCase().includes(wanted));
    return wanted === '' ? items : items.filter(matches);
  }, [items, wanted]);
  return { text, isOn: wanted !== '', matching, setText };
}

interface Props {
  readonly filter: Pick<Filter<never>, 'text' | 'setText'>;
  readonly label: string;
  readonly placeholder: string;
}

export const FilterField = ({ filter: { text, setText }, label, placeholder }: Props) => (
  <input
    class="filter"
    type="search"
    placeholder={placeholder}
    aria-label={label}
    value={text}
    onInput={({ currentTarget }) => setText(currentTarget.value)}
  />
);
