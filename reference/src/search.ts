// The search above every page: guides, errors and the operations of both APIs. Its index is fetched when somebody first
// searches.
import MiniSearch, { type SearchResult } from 'minisearch';

interface Entry {
  readonly kind: string;
  readonly title: string;
  readonly detail: string;
  /** From the server's address. */
  readonly href: string;
  readonly text: string;
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
}

const MOST = 12;
const { up = './', index: indexAddress = '' } = document.documentElement.dataset;

async function readJson<Value>(address: string): Promise<Value> {
  const answer = await fetch(address, { credentials: 'omit' });
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.json();
}

/** The control API of this server, which describes itself. */
async function controlEntries(): Promise<Entry[]> {
  const { paths } = await readJson<{ paths: Record<string, Record<string, Operation>> }>(`${up}_sandbox/openapi.json`);
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, tags, summary, description = '' }]) => ({
      kind: 'Control API',
      title: summary,
      detail: `${method.toUpperCase()} ${path}`,
      href: `docs/control#/${encodeURIComponent(tags[0] ?? '')}/${operationId}`,
      text: `${operationId} ${description}`,
    })),
  );
}

async function loadIndex(): Promise<MiniSearch<Entry>> {
  const [built, control] = await Promise.all([readJson<Entry[]>(indexAddress), controlEntries()]);
  const index = new MiniSearch<Entry>({
    idField: 'href',
    fields: ['title', 'detail', 'text'],
    storeFields: ['kind', 'title', 'detail'],
    searchOptions: { boost: { title: 4, detail: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  });
  index.addAll([...built, ...control]);
  return index;
}

/** An index that could not be read is asked for again. */
let loading: Promise<MiniSearch<Entry>> | undefined;
const ready = (): Promise<MiniSearch<Entry>> => {
  loading ??= loadIndex().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
};

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...content: (string | Node)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = className;
  made.append(...content);
  return made;
}

function start(input: HTMLInputElement, found: HTMLElement): void {
  const hide = (): void => {
    found.hidden = true;
  };
  const search = (): Promise<void> => showResults(input, found);
  input.addEventListener('input', search);
  input.addEventListener('focus', () => {
    if (input.value.trim() !== '') search();
  });
  // What was typed before this ran.
  if (document.activeElement === input) search();
  input.form?.addEventListener('submit', async (event) => {
    event.preventDefault();
    await search();
    found.querySelector('a')?.click();
  });
  input.form?.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      moveFocus(input, found, event.key === 'ArrowDown' ? 1 : -1);
    }
    if (event.key === 'Escape') {
      hide();
      input.focus();
    }
  });
  found.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('a')) hide();
  });
  document.addEventListener('click', (event) => {
    if (event.target instanceof Node && !input.form?.contains(event.target)) hide();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
    if (event.key !== '/' || isTyping) return;
    event.preventDefault();
    input.focus();
  });
}

async function showResults(input: HTMLInputElement, found: HTMLElement): Promise<void> {
  const show = (text: string, results: readonly SearchResult[]): void => {
    found.querySelector('p')?.replaceChildren(text);
    found.querySelector('ul')?.replaceChildren(...results.map(resultOf));
    found.hidden = false;
  };
  const words = input.value.trim();
  if (words === '') {
    found.hidden = true;
    return;
  }
  try {
    const index = await ready();
    // Another key may have been pressed meanwhile.
    if (input.value.trim() !== words) return;
    const results = index.search(words);
    show(results.length === 0 ? 'Nothing found' : `${results.length} found`, results.slice(0, MOST));
  } catch {
    show('The index could not be read. Is the server running?', []);
  }
}

/** Moves the focus among the field and the results. */
function moveFocus(input: HTMLInputElement, found: HTMLElement, by: number): void {
  const all: HTMLElement[] = [input, ...found.querySelectorAll('a')];
  const place = all.findIndex((each) => each.matches(':focus'));
  all[(place + by + all.length) % all.length]?.focus();
}

function resultOf({ id, kind, title, detail }: SearchResult): HTMLElement {
  const link = element('a', 'found-link', element('span', 'found-title', title), element('span', 'found-kind', kind));
  if (detail) link.append(element('span', 'found-detail', detail));
  link.href = `${up}${id}`;
  return element('li', '', link);
}

const input = document.getElementById('search');
const found = document.getElementById('found');
if (input instanceof HTMLInputElement && found) start(input, found);
