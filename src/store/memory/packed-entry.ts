// The form in which journals keep most entries: as the texts in which one differs from an entry like it, its model, which
// alone is an object. Which form an entry has follows from its journal.
import { setHeader } from '../../header-fields.ts';
import type {
  EventEntry,
  JournalName,
  Journals,
  RecordedMessage,
  RequestEntry,
  StepEntry,
  Subject,
} from '../../model.ts';

/** Null for what is the same as in the model, or is null itself. */
type Texts = readonly (string | null)[];

interface PackedForm<Entry> {
  /** What most entries have in common that are alike. */
  readonly kind: (entry: Entry) => string | null;
  /** Whether only the texts differ. */
  readonly isLike: (entry: Entry, model: Entry) => boolean;
  /** The first one is the id. */
  readonly textsOf: (entry: Entry, model: Entry) => Texts;
  readonly entryOf: (texts: Texts, model: Entry) => Entry;
  /** The entry without what may be long. */
  readonly modelOf: (entry: Entry) => Entry;
}

const isAboutLike = (a: Subject | null, b: Subject | null): boolean => a?.table === b?.table;
const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((each, at) => each === b[at]));
/** With the same names in the same order. */
const isNamedLike = (a: object, b: object): boolean => isSameList(Object.keys(a), Object.keys(b));

const steps: PackedForm<StepEntry> = {
  kind: ({ trigger }) => trigger,
  isLike: (a, b) =>
    a.trigger === b.trigger &&
    a.from === b.from &&
    a.to === b.to &&
    isAboutLike(a.subject, b.subject) &&
    a.scenario === b.scenario &&
    a.error === b.error,
  textsOf: ({ id, at, subject, cause }) => [id, at, subject.id, cause],
  entryOf: ([id, at, subject, cause], model) => ({
    ...model,
    id: id ?? '',
    at: at ?? '',
    subject: { ...model.subject, id: subject ?? '' },
    cause: cause ?? null,
  }),
  modelOf: (entry) => entry,
};

const events: PackedForm<EventEntry> = {
  kind: ({ event_type }) => event_type,
  isLike: (a, b) =>
    a.event_type === b.event_type &&
    a.organization_id === b.organization_id &&
    a.signed === b.signed &&
    a.deliveries === b.deliveries &&
    isAboutLike(a.subject, b.subject) &&
    isSameList(a.unheard, b.unheard) &&
    isSameList(a.schema_violations, b.schema_violations),
  textsOf: ({ id, at, subject, body, cause }) => [id, at, subject?.id ?? null, body, cause],
  entryOf: ([id, at, subject, body, cause], model) => ({
    ...model,
    id: id ?? '',
    at: at ?? '',
    subject: model.subject && { ...model.subject, id: subject ?? '' },
    body: body ?? '',
    cause: cause ?? null,
  }),
  modelOf: (entry) => ({ ...entry, body: '' }),
};

const requests: PackedForm<RequestEntry> = {
  kind: ({ operation }) => operation,
  isLike: (a, b) =>
    a.method === b.method &&
    a.operation === b.operation &&
    a.key_id === b.key_id &&
    a.status === b.status &&
    a.error_code === b.error_code &&
    a.replayed === b.replayed &&
    a.fault === b.fault &&
    a.faults === b.faults &&
    // Both are kept once.
    a.scenario === b.scenario &&
    a.request.headers === b.request.headers &&
    isNamedLike(a.response.headers, b.response.headers),
  textsOf({ id, at, path, query, duration_ms, request, response }, model) {
    const texts: (string | null)[] = [id, at, path, query, String(duration_ms)];
    for (const { body, body_bytes, body_sha256 } of [request, response]) {
      texts.push(body, String(body_bytes), body_sha256);
    }
    const { headers } = model.response;
    for (const name in headers) {
      const value = response.headers[name] ?? '';
      texts.push(value === headers[name] ? null : value);
    }
    return texts;
  },
  entryOf(texts, model) {
    const [id, at, path, query, duration, asked, askedBytes, askedHash, told, toldBytes, toldHash] = texts;
    const { request, response } = model;
    return {
      ...model,
      id: id ?? '',
      at: at ?? '',
      path: path ?? '',
      query: query ?? '',
      duration_ms: Number(duration),
      request: messageOf(request.headers, asked, askedBytes, askedHash),
      response: messageOf(withValues(response.headers, texts.slice(BEFORE_HEADERS)), told, toldBytes, toldHash),
    };
  },
  modelOf: (entry) => ({
    ...entry,
    request: { ...entry.request, body: '' },
    response: { ...entry.response, body: '' },
  }),
};

/** The texts of a request before the values of its response's headers. */
const BEFORE_HEADERS = 11;

type Headers = RecordedMessage['headers'];
type Text = string | null | undefined;

const messageOf = (headers: Headers, body: Text, bytes: Text, hash: Text): RecordedMessage => ({
  headers,
  body: body ?? '',
  body_bytes: Number(bytes),
  body_sha256: hash ?? null,
});

/** Headers with other values, where one is given. */
function withValues(headers: Headers, values: Texts): Headers {
  const changed = { ...headers };
  let at = 0;
  for (const name in headers) {
    const value = values[at];
    if (typeof value === 'string') setHeader(changed, name, value);
    at += 1;
  }
  return changed;
}

const forms: { readonly [Name in JournalName]?: PackedForm<Journals[Name]> } = { requests, steps, events };

export interface PackedEntry<Entry> {
  readonly model: Entry;
  readonly texts: Texts;
}

/** More kinds than most worlds meet soon. */
const MAX_MODELS = 32;

/** Packs the entries of one journal. */
export class EntryPacker<Name extends JournalName> {
  readonly #form: PackedForm<Journals[Name]> | undefined;
  /** The latest one of each kind. */
  readonly #models = new Map<string | null, Journals[Name]>();
  /** How many packed entries have each; one that none has any more would keep its headers, which nobody counts. */
  readonly #uses = new Map<Journals[Name], number>();

  constructor(name: Name) {
    this.#form = forms[name];
  }

  /** Null for an entry of a journal that keeps them as they are. */
  pack(entry: Journals[Name]): PackedEntry<Journals[Name]> | null {
    const form = this.#form;
    if (!form) return null;
    const model = this.#modelFor(form, entry);
    this.#uses.set(model, (this.#uses.get(model) ?? 0) + 1);
    return { model, texts: form.textsOf(entry, model) };
  }

  #modelFor(form: PackedForm<Journals[Name]>, entry: Journals[Name]): Journals[Name] {
    const kind = form.kind(entry);
    const known = this.#models.get(kind);
    if (known && form.isLike(entry, known)) return known;
    const model = form.modelOf(entry);
    if (this.#models.size >= MAX_MODELS) this.#models.clear();
    this.#models.set(kind, model);
    return model;
  }

  /** To be called for each packed entry that goes, with its model. */
  release(model: Journals[Name]): void {
    const others = (this.#uses.get(model) ?? 1) - 1;
    if (others > 0) return void this.#uses.set(model, others);
    this.#uses.delete(model);
    const kind = this.#form?.kind(model) ?? null;
    if (this.#models.get(kind) === model) this.#models.delete(kind);
  }

  /** The entry as it was. */
  unpack({ model, texts }: PackedEntry<Journals[Name]>): Journals[Name] {
    return this.#form ? this.#form.entryOf(texts, model) : model;
  }
}
