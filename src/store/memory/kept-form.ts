// The form in which a journal keeps its entries: those that have long bodies without them, which are elsewhere.
import type { JournalName, Journals } from '../../model.ts';
import { firstOf, type KeptTexts, secondOf, type TextPages } from './text-pages.ts';

interface KeptForm<Entry> {
  /** Null for an entry that is kept as it is. */
  keep(entry: Entry, pages: TextPages): KeptTexts | null;
  /** The entry with other bodies. */
  withTexts(entry: Entry, first: string, second: string): Entry;
}

// V8 copies an object with other values in a tenth of the time that an object of another form takes.
const forms: { readonly [Name in JournalName]?: KeptForm<Journals[Name]> } = {
  requests: {
    keep: ({ request, response }, pages) => pages.keep(request.body, response.body),
    withTexts: (entry, first, second) => ({
      ...entry,
      request: { ...entry.request, body: first },
      response: { ...entry.response, body: second },
    }),
  },
  events: {
    keep: ({ body }, pages) => pages.keep(body),
    withTexts: (entry, body) => ({ ...entry, body }),
  },
};

/** An entry and the texts that belong in it; without any, it is whole. */
export interface KeptEntry<Entry> {
  readonly entry: Entry;
  readonly texts: KeptTexts | null;
}

export function keptForm<Name extends JournalName>(
  name: Name,
  entry: Journals[Name],
  pages: TextPages,
): KeptEntry<Journals[Name]> {
  const form = forms[name];
  const texts = form?.keep(entry, pages) ?? null;
  return { entry: form && texts ? form.withTexts(entry, '', '') : entry, texts };
}

/** The entry as it was. */
export function wholeEntry<Name extends JournalName>(
  name: Name,
  { entry, texts }: KeptEntry<Journals[Name]>,
): Journals[Name] {
  const form = forms[name];
  return form && texts ? form.withTexts(entry, firstOf(texts), secondOf(texts)) : entry;
}
