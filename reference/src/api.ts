// A page of the reference: Swagger UI with the document that the page names, an outline beside it, and the control headers
// that "Execute" sends along.

interface Operation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
}

interface OpenApi {
  servers?: { url: string }[];
  readonly tags?: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface SentRequest {
  url: string;
  headers: Record<string, string>;
}

interface Viewer {
  preauthorizeApiKey(scheme: string, value: string): void;
  readonly layoutActions: { parseDeepLinkHash(hash: string): void };
}

declare const SwaggerUIBundle: (options: object) => Viewer;

const { up = './' } = document.documentElement.dataset;
/** The server's address, a path prefix included. */
const server = new URL(up, location.href).href.replace(/\/$/, '');
/** The key that the welcome shows. */
const KEY = 'svc_sandbox_default';
const dark = matchMedia('(prefers-color-scheme: dark)');

const followColors = (): boolean => document.documentElement.classList.toggle('dark-mode', dark.matches);

/** What the form above asks for, on requests to the platform. */
function addChoices(request: SentRequest): SentRequest {
  const form = document.getElementById('choices');
  if (!(form instanceof HTMLFormElement) || !/\/(api\/)?v1\//.test(request.url)) return request;
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && value.trim() !== '') request.headers[name] = value.trim();
  }
  return request;
}

/**
 * The keyboard cannot reach links within buttons, and there is one server: this one. A link opens what it names by the
 * address of the page instead, which the viewer reads only once.
 */
const plainParts = () => ({
  wrapComponents: {
    DeepLink: () => (props: { readonly text?: unknown; readonly children?: unknown }) => props.text ?? props.children,
    ServersContainer: () => () => null,
  },
});

const unnamed = 'select:not([aria-label]), textarea:not([aria-label]), input:not([aria-label]):not([type="hidden"])';

/** Names the fields that the viewer leaves without a name, by what stands before them. */
function nameFields(place: HTMLElement): void {
  for (const field of place.querySelectorAll<HTMLInputElement>(unnamed)) {
    if ((field.labels?.length ?? 0) > 0) continue;
    const row = field.closest('tr, .opblock-section, .responses-wrapper, .auth-container, section');
    const name = row?.querySelector('.parameter__name, .response-col_status, h3, h4, label')?.textContent;
    field.setAttribute('aria-label', (name ?? field.getAttribute('placeholder') ?? '').trim() || 'Value');
  }
  for (const scrolled of place.querySelectorAll('pre:not([tabindex]), .highlight-code:not([tabindex])'))
    scrolled.setAttribute('tabindex', '0');
}

function keepNamed(place: HTMLElement): void {
  let isAsked = false;
  const observer = new MutationObserver(() => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      nameFields(place);
    });
  });
  observer.observe(place, { childList: true, subtree: true });
}

function outlineOf({ tags = [], paths }: OpenApi): HTMLElement[] {
  const operations = Object.values(paths).flatMap((item) => Object.entries(item));
  const named = (tag: string) => operations.filter(([, operation]) => operation.tags?.[0] === tag);
  return tags.filter(({ name }) => named(name).length > 0).map(({ name }) => group(name, named(name)));
}

function group(tag: string, operations: readonly [string, Operation][]): HTMLElement {
  const details = document.createElement('details');
  const summary = document.createElement('summary');
  summary.textContent = tag;
  const list = document.createElement('ul');
  for (const [method, { operationId = '', summary: text = '' }] of operations) {
    const link = document.createElement('a');
    link.href = `#/${encodeURIComponent(tag)}/${operationId}`;
    const mark = document.createElement('span');
    mark.className = `verb verb-${method}`;
    mark.textContent = method;
    link.append(mark, ` ${text}`);
    const entry = document.createElement('li');
    entry.append(link);
    list.append(entry);
  }
  details.append(summary, list);
  return details;
}

/** Opens the group of the operation that the address names. */
function markCurrent(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('#outline a')) {
    const isCurrent = link.hash === location.hash;
    link.toggleAttribute('aria-current', isCurrent);
    const details = link.closest('details');
    if (isCurrent && details) details.open = true;
  }
}

async function readDocument(address: string): Promise<OpenApi> {
  const answer = await fetch(`${up}${address}`, { credentials: 'omit' });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  return answer.json();
}

async function show(place: HTMLElement, address: string): Promise<void> {
  const spec = await readDocument(address);
  spec.servers = [{ url: server }];
  document.querySelector('.beside .outline-state')?.remove();
  document.getElementById('outline')?.replaceChildren(...outlineOf(spec));
  place.replaceChildren();
  keepNamed(place);
  const viewer = SwaggerUIBundle({
    spec,
    domNode: place,
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    requestInterceptor: addChoices,
    plugins: [plainParts],
    onComplete() {
      viewer.preauthorizeApiKey('apiKey', KEY);
      place.dataset.ready = '';
    },
  });
  addEventListener('hashchange', () => {
    viewer.layoutActions.parseDeepLinkHash(location.hash);
    markCurrent();
  });
  markCurrent();
}

const place = document.getElementById('viewer');
followColors();
dark.addEventListener('change', followColors);
document.getElementById('choices')?.addEventListener('submit', (event) => event.preventDefault());
if (place)
  show(place, place.dataset.document ?? '').catch((error: unknown) => {
    const text = error instanceof Error ? error.message : String(error);
    const state = document.createElement('p');
    state.className = 'problem';
    state.setAttribute('role', 'alert');
    state.textContent = `The reference could not be shown. ${text} Reload the page once the server runs.`;
    place.replaceChildren(state);
  });
