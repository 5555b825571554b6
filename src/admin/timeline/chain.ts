// The chain of what happened to a record: the journal entries about it, what caused them, and what they caused.
// `interface.md` section 5, timeline. Pure functions over the journals.
import type { JournalName, Journals, RequestEntry, Subject } from '../../model.ts';

/** The journals whose entries cause one another; what an inbox received is told by its delivery, and a tick has no effect. */
export type ChainJournal = Exclude<JournalName, 'inbox' | 'ticks'>;
export const chainJournals: readonly ChainJournal[] = ['requests', 'steps', 'events', 'deliveries'];

export type JournalEntries = { readonly [Name in ChainJournal]: readonly Journals[Name][] };

/** A journal entry with the name of its journal. */
export type Link = {
  [Name in ChainJournal]: { readonly journal: Name; readonly entry: Journals[Name] };
}[ChainJournal];

export interface ChainLink {
  readonly link: Link;
  /** How many entries of the chain lie between it and its beginning. */
  readonly depth: number;
}

/** Whose chain it is. */
export interface ChainOf {
  /** The records whose entries all belong to it. */
  readonly owners: readonly Subject[];
  /** Requests that belong to it whatever they caused. */
  readonly isOwnRequest: (request: RequestEntry) => boolean;
  /** Records without which the owners would not be, such as the job of a call: how they came to be belongs to it. */
  readonly origins: readonly Subject[];
}

/** The id of the entry, or the control operation, that caused an entry; null for requests, which cause themselves. */
export function causeOf({ journal, entry }: Link): string | null {
  return journal === 'requests' ? null : entry.cause;
}

export function subjectOf({ journal, entry }: Link): Subject | null {
  return journal === 'requests' ? null : entry.subject;
}

const isCreation = ({ journal, entry }: Link): boolean => journal === 'steps' && entry.from === null;

const keyOf = ({ table, id }: Subject): string => `${table} ${id}`;

/**
 * The entries of a chain in the order in which they happened, those of one instant after what caused them. In pieces, since
 * the journals can be long.
 */
export function* chainOf(journals: JournalEntries, of: ChainOf): Generator<void, ChainLink[]> {
  const graph = yield* CauseGraph.of(journals);
  const included = new Set<Link>();
  const owners = new Set(of.owners.map(keyOf));
  const origins = new Set(of.origins.map(keyOf));
  const ownTables = new Set<string>(of.owners.map(({ table }) => table));
  /** A job places a call when another one has ended; how that one came to be is left to its own timeline. */
  const isAnotherStory = (link: Link): boolean => {
    if (origins.size === 0) return false;
    const subject = subjectOf(link);
    return subject !== null && ownTables.has(subject.table) && !owners.has(keyOf(subject));
  };
  const isOwnStep = ({ journal, entry }: Link): boolean => journal === 'steps' && owners.has(keyOf(entry.subject));
  const addCauses = (link: Link): void => {
    for (let cause = graph.causeOf(link); cause && !included.has(cause); cause = graph.causeOf(cause)) {
      included.add(cause);
      if (isAnotherStory(cause)) return;
    }
  };
  for (const link of graph.links) {
    yield;
    const { journal, entry } = link;
    const subject = subjectOf(link);
    const isOwn = journal === 'requests' ? of.isOwnRequest(entry) : subject !== null && owners.has(keyOf(subject));
    if (isOwn) {
      included.add(link);
      addCauses(link);
      addEffects(graph, included, link, isOwnStep);
    } else if (journal === 'steps' && entry.from === null && origins.has(keyOf(entry.subject))) {
      included.add(link);
      addCauses(link);
    }
  }
  return yield* graph.inOrder(included);
}

/** Adds what an entry has caused. Not by recursion: the steps of a job are a chain as long as its list. */
function addEffects(graph: CauseGraph, included: Set<Link>, first: Link, isOwnStep: (link: Link) => boolean): void {
  const waiting = [first];
  for (let link = waiting.pop(); link; link = waiting.pop()) {
    const isOfNew = isCreation(link) && !isOwnStep(link);
    for (const effect of graph.effectsOf(link)) {
      if (included.has(effect)) continue;
      const isLater = effect.entry.at !== link.entry.at;
      // What becomes of another record later belongs to its own timeline. Of a new record, only the event of its creation
      // belongs to this one: records that create one another would have no end.
      if (effect.journal === 'steps' ? isOfNew || (isLater && !isCreation(effect)) : isOfNew && isLater) continue;
      included.add(effect);
      waiting.push(effect);
    }
  }
}

/** The journals as a graph: which entry caused which. */
class CauseGraph {
  readonly links: Link[] = [];
  readonly #byId = new Map<string, Link>();
  readonly #effects = new Map<string, Link[]>();

  static *of({ requests, steps, events, deliveries }: JournalEntries): Generator<void, CauseGraph> {
    const graph = new CauseGraph();
    for (const entry of requests) yield graph.#add({ journal: 'requests', entry });
    for (const entry of steps) yield graph.#add({ journal: 'steps', entry });
    for (const entry of events) yield graph.#add({ journal: 'events', entry });
    for (const entry of deliveries) yield graph.#add({ journal: 'deliveries', entry });
    return graph;
  }

  #add(link: Link): void {
    this.links.push(link);
    this.#byId.set(link.entry.id, link);
    const cause = causeOf(link);
    if (cause === null) return;
    const effects = this.#effects.get(cause);
    if (effects) effects.push(link);
    else this.#effects.set(cause, [link]);
  }

  causeOf(link: Link): Link | undefined {
    const cause = causeOf(link);
    return cause === null ? undefined : this.#byId.get(cause);
  }

  effectsOf({ entry }: Link): readonly Link[] {
    return this.#effects.get(entry.id) ?? [];
  }

  /** A cause goes before its effects, and otherwise what happened earlier goes first. */
  *inOrder(included: ReadonlySet<Link>): Generator<void, ChainLink[]> {
    const ordered: ChainLink[] = [];
    const roots: Link[] = [];
    for (const link of this.links) {
      yield;
      if (!included.has(link)) continue;
      const cause = this.causeOf(link);
      if (cause === undefined || !included.has(cause)) roots.push(link);
    }
    // Not by recursion either.
    const waiting = byTime(roots)
      .map((link) => ({ link, depth: 0 }))
      .reverse();
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      ordered.push(next);
      const { link, depth } = next;
      const effects = byTime(this.effectsOf(link).filter((effect) => included.has(effect)));
      for (const effect of effects.reverse()) waiting.push({ link: effect, depth: depth + 1 });
    }
    return ordered.sort((a, b) => compareInstants(a.link, b.link));
  }
}

const compareInstants = (a: Link, b: Link): number => Date.parse(a.entry.at) - Date.parse(b.entry.at);

/** In the order of the journals within one instant: sorting is stable. */
const byTime = (links: readonly Link[]): Link[] => [...links].sort(compareInstants);
