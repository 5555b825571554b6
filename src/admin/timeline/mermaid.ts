// A timeline as a Mermaid sequence diagram: who sent what to whom, and how records changed. User texts are escaped, so
// that every diagram can be parsed.
import type { TimelineEntry } from './entries.ts';
import type { Timeline } from './timeline.ts';
import { formatOffset, headingOf, linesOf, nounOf, type TimelineLine } from './words.ts';

/** Mermaid refuses texts of more than 50,000 characters, and nobody reads longer diagrams. */
const MAX_LINES = 200;
const MAX_WORDS = 120;

/** What has a meaning in a diagram, and what is not printable, is written as its code point. */
const special = /[^A-Za-z0-9 .,:/+()='?&*_-]/gu;

function escaped(text: string): string {
  const characters = [...text.replace(/\s+/gu, ' ').trim()];
  const cut = characters.length > MAX_WORDS ? `${characters.slice(0, MAX_WORDS).join('')}...` : characters.join('');
  return cut.replace(special, (character) => `#${character.codePointAt(0)};`);
}

export function timelineMermaid(timeline: Timeline): string {
  const all = linesOf(timeline);
  const lines = all.slice(0, MAX_LINES);
  const actors = new Actors();
  const messages = lines.map((line) => messageOf(actors, line));
  const left = all.length - lines.length;
  if (left > 0) messages.push(`Note over sandbox: ${escaped(`${left} more entries: see the JSON or the text`)}`);
  return [
    'sequenceDiagram',
    'participant client as Client',
    'participant sandbox as Ringback',
    ...actors.declarations(),
    `Note over client,sandbox: ${headingOf(timeline).map(escaped).join('<br/>')}`,
    ...messages,
    '',
  ].join('\n');
}

/** The records and receivers of a diagram, in the order in which they appear. */
class Actors {
  readonly #ids = new Map<string, string>();

  idOf(title: string): string {
    const known = this.#ids.get(title);
    if (known !== undefined) return known;
    const id = `actor${this.#ids.size + 1}`;
    this.#ids.set(title, id);
    return id;
  }

  declarations(): string[] {
    return [...this.#ids].map(([title, id]) => `participant ${id} as ${escaped(title)}`);
  }
}

function messageOf(actors: Actors, { kind, offset_ms, words, entry }: TimelineLine): string {
  const text = escaped(`${formatOffset(offset_ms)} ${words}`);
  switch (kind) {
    case 'request':
      return `client->>sandbox: ${text}`;
    case 'step': {
      const record = actors.idOf(recordTitle(entry));
      return entry.step?.from === null ? `sandbox->>${record}: ${text}` : `${record}->>${record}: ${text}`;
    }
    case 'event':
      return entry.subject ? `Note over ${actors.idOf(recordTitle(entry))}: ${text}` : `Note over sandbox: ${text}`;
    case 'delivery':
      return `sandbox-)${actors.idOf(entry.delivery?.url ?? '')}: ${text}`;
    case 'attempt':
      return `${actors.idOf(entry.delivery?.url ?? '')}-->>sandbox: ${text}`;
    default:
      return kind satisfies never;
  }
}

function recordTitle({ subject }: TimelineEntry): string {
  return subject ? `${nounOf(subject.table)} ${subject.id.slice(0, 8)}` : 'record';
}
