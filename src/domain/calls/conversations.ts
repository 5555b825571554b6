// Generated conversations for calls without a script: drawn from the seed and the call, in the agent's language, and as
// long as the talk.
import { integer } from '../../identity/seeded.ts';
import type { AgentOnCall, TranscriptLine } from '../../model.ts';
import { english } from './phrases/english.ts';
import { french } from './phrases/french.ts';
import { german } from './phrases/german.ts';
import type { Exchange, Phrases } from './phrases/phrases.ts';
import { portuguese } from './phrases/portuguese.ts';
import { spanish } from './phrases/spanish.ts';

const languages = new Map<string, Phrases>([
  ['en', english],
  ['es', spanish],
  ['fr', french],
  ['de', german],
  ['pt', portuguese],
]);

/** The most lines of one conversation; a longer call has longer pauses. */
const MAX_LINES = 600;

/** The call that a conversation is for. */
export interface TalkFacts {
  readonly inbound: boolean;
  readonly agent: AgentOnCall | null;
  /** In milliseconds. */
  readonly talked: number;
  /** Whether the parties said goodbye. */
  readonly ended: boolean;
  /** Identifies the draws of this call. */
  readonly drawKey: string;
}

/**
 * The lines of a conversation: as many as fit before a goodbye, or as the talk is long if it was cut off or is too short
 * for one. `lengthOf` is how long a line takes, in milliseconds.
 */
export function conversation(facts: TalkFacts, lengthOf: (text: string) => number): readonly TranscriptLine[] {
  const phrases = phrasesFor(facts.agent?.language);
  const filled = filledFor(facts, phrases);
  const linesOf = ([asked, answered]: Exchange, number: number): TranscriptLine[] => [
    line('user', filled(asked, number)),
    line('agent', filled(answered, number)),
  ];
  const timeFor = (lines: readonly TranscriptLine[]): number =>
    lines.reduce((sum, { text }) => sum + lengthOf(text), 0);

  const said = opening(facts, phrases);
  const goodbye = facts.ended ? linesOf(drawn(phrases.closings, facts.drawKey, 'closing'), 0) : [];
  const closing = timeFor(said) + timeFor(goodbye) <= facts.talked ? goodbye : [];
  let left = facts.talked - timeFor(said) - timeFor(closing);
  let number = 0;
  for (const exchange of exchangesOf(facts, phrases)) {
    if (said.length >= MAX_LINES || left <= 0) break;
    number += 1;
    const lines = linesOf(exchange, number);
    left -= timeFor(lines);
    if (closing.length > 0 && left < 0) break;
    said.push(...lines);
  }
  return [...said, ...closing];
}

/**
 * What an agent says to a person who speaks freely: the answer to the question of its phrases that is most like it, else
 * one that is drawn. `number` is how often the agent has spoken.
 */
export function replyOf(agent: AgentOnCall | null, said: string, drawKey: string, number: number): string {
  const phrases = phrasesFor(agent?.language);
  const words = wordsIn(said);
  const shared = ([asked]: Exchange): number => [...wordsIn(asked)].filter((word) => words.has(word)).length;
  const known = [...phrases.closings, ...phrases.exchanges];
  const most = Math.max(...known.map(shared));
  const fitting = most === 0 ? phrases.exchanges : known.filter((exchange) => shared(exchange) === most);
  const [, answer] = drawn(fitting, drawKey, 'reply', number);
  return filledFor({ agent, drawKey }, phrases)(answer, number);
}

/** What an agent says when somebody joins it; empty if it waits for the other side to speak. */
export const greetingOf = (agent: AgentOnCall | null): string => fill('{greeting}', agent, phrasesFor(agent?.language));

/** Without those that any sentence may have. */
const wordsIn = (text: string): Set<string> =>
  new Set(
    text
      .toLowerCase()
      .match(/\p{L}{3,}/gu)
      ?.filter((word) => !/^(?:the|and|you|that|will|have)$/.test(word)),
  );

/** What the call is about, then anything: every exchange comes up once before one is repeated, each time in another order. */
function* exchangesOf({ inbound, drawKey }: TalkFacts, phrases: Phrases): Generator<Exchange> {
  const subjects = inbound ? phrases.inbound : phrases.outbound;
  yield drawn(subjects, drawKey, 'subject');
  for (let round = 0; ; round++) {
    const left = [...phrases.exchanges];
    while (left.length > 0) {
      const exchange = drawn(left, drawKey, 'exchange', round, left.length);
      left.splice(left.indexOf(exchange), 1);
      yield exchange;
    }
  }
}

/** The party that answers speaks first. An agent with an empty greeting waits for the other party to speak. */
function opening({ inbound, agent }: TalkFacts, phrases: Phrases): TranscriptLine[] {
  const greeting = line('agent', fill('{greeting}', agent, phrases));
  const lines = inbound ? [greeting] : [line('user', phrases.hello), greeting];
  return lines.filter(({ text }) => text !== '');
}

/** Fills a phrase for a call; `number` identifies the draws of one exchange. */
const filledFor =
  ({ agent, drawKey }: Pick<TalkFacts, 'agent' | 'drawKey'>, phrases: Phrases) =>
  (text: string, number: number): string =>
    fill(text, agent, phrases)
      .replaceAll('{day}', drawn(phrases.days, drawKey, 'day', number))
      .replaceAll('{time}', drawn(phrases.times, drawKey, 'time', number));

const line = (role: TranscriptLine['role'], text: string): TranscriptLine => ({ role, text, interrupted: false });

function drawn<Value>(of: readonly Value[], ...what: (string | number)[]): Value {
  const value = of[integer(0, of.length - 1, ...what)];
  if (value === undefined) throw new Error('nothing to draw from');
  return value;
}

/** Those of a language such as `es-MX`; English if there are none. */
const phrasesFor = (language: string | null | undefined): Phrases =>
  languages.get(language?.split(/[-_]/)[0]?.toLowerCase() ?? '') ?? english;

/** Replaces what stands for the agent's configuration when the call was placed. */
export function fill(text: string, agent: AgentOnCall | null, phrases: Phrases = english): string {
  return text.replace(
    /\{(greeting|business_name|agent_name)\}/g,
    (_, name: 'greeting' | 'business_name' | 'agent_name') =>
      (name === 'agent_name' ? agent?.name : agent?.[name]) ?? phrases[name],
  );
}
